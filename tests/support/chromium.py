"""A real browser for tests: Chromium without a window, spoken to in its own protocol over a pipe. Nothing to install."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
)  # fmt: skip
# The browser reads from 3 and writes to 4; which numbers the pipes have here is chance.
LAUNCH = (
    "import os, sys; r, w = os.dup(int(sys.argv[1])), os.dup(int(sys.argv[2])); r, w = os.dup(r), os.dup(w); "
    "os.dup2(r, 3); os.dup2(w, 4); os.execv(sys.argv[3], sys.argv[3:])"
)
PATIENCE = 30.0


def find() -> str:
    """Where Chromium is; "" if it is not installed."""
    return next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
    )


class Browser:
    """A browser with an empty profile. One thread hears it, whoever asks waits for the answer with that number."""

    def __init__(self, program: str, profile: Path) -> None:
        to_browser, ours_out = os.pipe()
        ours_in, from_browser = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-c", LAUNCH, str(to_browser), str(from_browser), program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self._out = os.fdopen(ours_out, "wb", buffering=0)
        self._in = os.fdopen(ours_in, "rb", buffering=0)
        self._lock = threading.Lock()
        self._number = 0
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self._pages: dict[str, Page] = {}
        self._contexts: list[str] = []
        self._reader = threading.Thread(target=self._hear, daemon=True)
        self._reader.start()

    def call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """Asks, and waits for the answer."""
        with self._lock:
            self._number += 1
            number = self._number
            answer: queue.Queue[dict[str, Any]] = queue.Queue(1)
            self._answers[number] = answer
            message = {"id": number, "method": method, "params": params, **({"sessionId": session} if session else {})}
            self._out.write(json.dumps(message).encode() + b"\0")
        got = answer.get(timeout=PATIENCE)
        if "error" in got:
            raise RuntimeError(f"{method}: {got['error']}")
        result: dict[str, Any] = got["result"]
        return result

    def page(self, *, width: int = 1280, height: int = 900, dark: bool = False, script: bool = True) -> Page:
        """A new page in a context of its own: no cookie is shared."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        self._pages[session] = page
        self._contexts.append(context)
        page.prepare(width, height, dark, script)
        return page

    def close_pages(self) -> None:
        """All pages, with their cookies."""
        while self._contexts:
            self.call("Target.disposeBrowserContext", browserContextId=self._contexts.pop())
        self._pages.clear()

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.call("Browser.close")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._out.close()
        self._reader.join(PATIENCE)
        self._in.close()

    def _hear(self) -> None:
        rest = b""
        while piece := self._in.read(1 << 16):
            *whole, rest = (rest + piece).split(b"\0")
            for text in whole:
                message = json.loads(text)
                if "id" in message:
                    self._answers.pop(message["id"]).put(message)
                elif (page := self._pages.get(message.get("sessionId", ""))) is not None:
                    page.heard(message["method"], message["params"])


class Page:
    """One tab. `complaints` holds whatever the browser did not like: errors of script, violations of the policy."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser = browser
        self._session = session
        self._loaded: queue.Queue[str] = queue.Queue()
        self.complaints: list[str] = []

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **params)

    def prepare(self, width: int, height: int, dark: bool, script: bool) -> None:
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )
        self.call("Emulation.setScriptExecutionDisabled", value=not script)

    def heard(self, method: str, params: dict[str, Any]) -> None:
        if method == "Page.loadEventFired":
            self._loaded.put(method)
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"a dialog: {params['message']}")
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")

    def goto(self, url: str) -> None:
        with self.loading():
            self.call("Page.navigate", url=url)

    @contextlib.contextmanager
    def loading(self) -> Iterator[None]:
        """What happens inside leads to another page; ends when that one is there."""
        while not self._loaded.empty():
            self._loaded.get_nowait()
        yield
        self._loaded.get(timeout=PATIENCE)

    def eval(self, expression: str) -> Any:
        """The value of an expression of script in the page."""
        got = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(json.dumps(got["exceptionDetails"]))
        return got["result"].get("value")

    def until(self, condition: str, seconds: float = 10) -> None:
        """Waits inside the page until a condition holds."""
        held = self.eval(
            f"new Promise(done => {{ const end = Date.now() + {seconds * 1000}; const look = () => "
            f"({condition}) ? done(true) : Date.now() > end ? done(false) : setTimeout(look, 20); look(); }})"
        )
        if not held:
            raise AssertionError(f"never came true: {condition}\n{self.eval('document.body.innerText')[:2000]}")

    def click(self, selector: str) -> None:
        """With the mouse, in the middle of an element: works without script in the page."""
        spot = self.eval(
            f"(e => {{ e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect(); "
            f"return [r.x + r.width / 2, r.y + r.height / 2]; }})(document.querySelector({json.dumps(selector)}))"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1)

    def press(self, key: str, code: int) -> None:
        for kind in ("rawKeyDown", "char", "keyUp") if key == "Enter" else ("rawKeyDown", "keyUp"):
            text = {"text": "\r"} if kind == "char" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)

    def type(self, text: str) -> None:
        self.call("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        """The whole page, not only what would fit on the screen."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 12_000), "scale": 1}
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(shot["data"]))
