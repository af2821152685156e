# Shortcuts for common tasks. CMake does the work: see CMakePresets.json and docs/building.md.
PREFIX ?= /usr/local
SECONDS ?= 60
# of make soak; MINUTES=0: no limit
SEEDS ?= 10000
FIRST ?= 1
MINUTES ?= 0
export JOBS

.PHONY: help demo build check test test-all test-gpu bench blender docs lint format install setup fuzz soak coverage tsan python wasm site test-wasm clean
.DEFAULT_GOAL := help

help:
	@echo 'make demo       simulate a flag in the wind and render a picture and a video to out/flag'
	@echo 'make build      build everything, the studio with its page included, into build/release'
	@echo 'make check      before each commit: build release, quick tests and checks, in 3 minutes'
	@echo 'make test       before a change is merged: also asan, slower tests and lint, in 15 minutes'
	@echo 'make test-all   before a release: every test at full size, also under the thread sanitizer'
	@echo 'make test-gpu   build the GPU backend and check it on an NVIDIA GPU'
	@echo 'make bench      run the benchmarks'
	@echo 'make blender    pack the Blender add-on, into build/weft-blender-VERSION.zip'
	@echo 'make lint       check with clang-format and clang-tidy; make format reformats the files'
	@echo 'make install    install to PREFIX=$(PREFIX); DESTDIR is supported'
	@echo 'make setup      install the missing Debian packages of tools/packages.txt'
	@echo 'make fuzz       run each fuzz target for SECONDS=$(SECONDS)'
	@echo 'make soak       run random scenes: SEEDS=$(SEEDS) FIRST=$(FIRST) MINUTES=$(MINUTES) JOBS=processors'
	@echo 'make docs       build the API reference with Doxygen, into build/docs/html'
	@echo 'make python     build the Python package as a wheel, into build/python'
	@echo 'make wasm       build the WebAssembly module, into build/wasm; needs emscripten'
	@echo 'make site       build the website, static files in build/site; needs emscripten'
	@echo 'make test-wasm  install emscripten, build module and website, and test them'
	@echo 'make coverage   report line coverage by folder'
	@echo 'make tsan       run the unit tests under the thread sanitizer'
	@echo 'make clean      remove build/'

setup:
	@tools/setup

demo:
	@tools/setup demo
	@TARGETS=weft tools/build release
	@tools/demo

build: setup
	@tools/build release

check: setup
	@tools/test check

test: setup
	@tools/test test

test-all: setup
	@tools/test all

test-gpu:
	@tools/test-gpu

bench: setup
	@tools/build release
	@build/release/weft bench
	@WEFT_TIMED=1 build/release/tests/test_studio_stream

blender: setup
	@TARGETS=weft tools/build release
	@zip="build/weft-blender-$$(build/release/weft --version | cut -d' ' -f2).zip"; \
	    tools/blender-addon build/release/weft "$$zip" && echo "$$zip"

docs: setup
	@tools/docs

lint: setup
	@tools/lint

format: setup
	@tools/sources | xargs clang-format -i

install:
	@TARGETS='weft_shared weft_static $(if $(wildcard apps/cli/*.c),weft_io_shared weft)' tools/build release
	@cmake --install build/release --prefix '$(PREFIX)'

fuzz: setup
	@tools/fuzz $(SECONDS)

soak: setup
	@TARGETS=stress_scenes tools/build release
	@build/release/tests/stress_scenes --seeds '$(SEEDS)' --first '$(FIRST)' --minutes '$(MINUTES)' \
	    --jobs '$(or $(JOBS),$(shell nproc))' --out build/stress

python: setup
	@tools/python-wheel

wasm:
	@tools/wasm || [ $$? -eq 77 ]

site: setup
	@tools/site

test-wasm: setup
	@tools/test-wasm

coverage: setup
	@tools/coverage

tsan: setup
	@tools/build tsan
	@ctest --preset tsan -L unit

clean:
	rm -rf build
