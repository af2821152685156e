"""The interactive view in Chromium: a sheet looks the same from both sides, if both face the sun.

Exit status 77: skipped. Environment: PYTHONPATH with the package.
"""

import http.server
import os
import shutil
import subprocess
import sys
import tempfile
import threading

# Sends the colour in the middle of the view to the server once something is drawn there, and goes on to the next page.
PROBE = """<script>
const seen = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
const timer = setInterval(() => {
    const view = document.querySelector("canvas");
    if (!view || !view.width) return;
    seen.drawImage(view, view.width / 2, view.height / 2, 1, 1, 0, 0, 1, 1);
    const [r, g, b, alpha] = seen.getImageData(0, 0, 1, 1).data;
    if (alpha < 255 || Math.max(r, g, b) - Math.min(r, g, b) < 40) return; // not the cloth, which is red
    clearInterval(timer);
    fetch(location.pathname, {method: "POST", body: [r, g, b].join(" ")}).then(() => location.pathname = "/back");
}, 50);
</script></body>"""
PATIENCE = 120  # s; it takes about two


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def pages():
    """A sheet that faces the camera and the sun, and the same sheet turned over."""
    import weft

    made = {}
    for name, axes, origin in (("/front", ("x", "y"), (0, 0, 0)), ("/back", ("-x", "y"), (1, 0, 0))):
        sim = weft.Sim(threads=1)
        sim.add_cloth("sheet", weft.grid((8, 8), origin=origin, axes=axes), "cotton")
        made[name] = str(sim.view()).replace("</body>", PROBE).encode()
    return made


class Server(http.server.ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages, self.colours, self.done = pages(), {}, threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(self.server.pages.get(self.path, b""))

    def do_POST(self):
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.colours[self.path] = [int(each) for each in text.split()]
        self.answer(b"")
        if len(self.server.colours) == 2:
            self.server.done.set()

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def visit(chromium, server):
    flags = ["--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = subprocess.Popen(
            [chromium, *flags, "--ignore-gpu-blocklist", f"--user-data-dir={profile}", "--window-size=400,300",
             "--remote-debugging-port=0", f"http://127.0.0.1:{server.server_address[1]}/front"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        try:
            return server.done.wait(PATIENCE)
        finally:
            browser.terminate()
            browser.wait()


def main():
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not chromium:
        skip("Chromium is not installed")
    try:
        import numpy  # noqa: F401
    except ImportError:
        skip("numpy is not installed (Debian: python3-numpy)")
    import weft

    try:
        server = Server()
    except weft.UnsupportedError as error:
        skip(error)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if not visit(chromium, server):
        sys.exit(f"FAILED: no picture of both sides within {PATIENCE} s, only {server.colours}")
    front, back = server.colours["/front"], server.colours["/back"]
    # the mesh is the same but for the order of its corners, so that a step of rounding is all that may differ
    if max(abs(a - b) for a, b in zip(front, back)) > 2:
        sys.exit(f"FAILED: the front is {front} and the back {back} (red, green, blue)")
    print(f"front {front}, back {back}")


main()
