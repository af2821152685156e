#!/bin/sh
# Looks for memory that the package loses, with the leak sanitizer. Leaks of the interpreter and numpy do not count: a
# report matters only if one of its frames is in the package or the engine.
# usage: leaks.sh PYTHON SANITIZER LIBRARY      environment: PYTHONPATH with a package built with the address sanitizer
set -eu
cat >use.py <<'PROGRAM'
import numpy as np
import weft
def use():
    sim = weft.Sim(threads=1)
    cloth = sim.add_cloth("sheet", weft.grid((3, 3)), "cotton")
    cloth.pin(corner="top-left")
    sim.add_force("gravity")
    sim.add_force(lambda time, x, v, mass, area: 0 * x)
    sim.add_body("sphere", radius=0.1, at=(9, 9, 9))
    views = [cloth.positions, cloth.velocities, cloth.triangles, cloth.strain, cloth.normals]
    sim.run(1, out="out", write=["obj"])
    cloth.cut((0.52, 1, 1), [(0, -5, -1), (0, 5, -1)])
    sim.step(0.001)
    sim.restore(sim.snapshot())
    sim.picture(8, 8, samples=1)
    for call in (lambda: weft.build({"cloth": 3}), lambda: cloth.place(np.zeros((1, 3))), lambda: weft.load("none")):
        try:
            call()
        except weft.Error:
            pass
    return views
for _ in range(5):
    use()
PROGRAM
status=0
LD_PRELOAD=$2 PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=1:exitcode=0:fast_unwind_on_malloc=0 \
    "$1" use.py >report 2>&1 || status=$?
[ $status = 0 ] || { tail -40 report; exit 1; }
# One paragraph per leak.
awk -v RS= '/leak of/ && /_engine\.abi3|\/python\/src\// && !/PyInit__engine|python_add_type/' report >ours
if [ -s ours ]; then
    cat ours
    exit 1
fi
grep -q 'LeakSanitizer\|SUMMARY' report || echo 'no leaks at all'
