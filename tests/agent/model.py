"""A small script that stands for a model. It is called with a folder: what stands in `mode` there is what it does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

GOOD = {
    "verdict": "drifted", "confidence": 0.9, "reasoning": "The constant is 30.",
    "evidence": [{"file": "src/client.py", "line": 1, "quote": "TIMEOUT = 30"}],
}  # fmt: skip


def main(folder: Path) -> int:
    prompt = sys.stdin.read()
    number = len(list(folder.glob("prompt-*"))) + 1
    (folder / f"prompt-{number}").write_text(prompt)
    (folder / "environment").write_text(json.dumps(dict(os.environ)))
    (folder / "files").write_text("\n".join(sorted(str(path) for path in Path().rglob("*"))))
    mode = (folder / "mode").read_text()
    if mode == "hang":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        (folder / "pids.new").write_text(f"{os.getpid()} {child.pid}")
        (folder / "pids.new").rename(folder / "pids")
        time.sleep(600)
    if mode == "fail":
        print("no credit left", file=sys.stderr)
        return 3
    if mode == "flood":
        while True:
            print("x" * 100_000)
    if mode == "good" or (mode == "second" and number > 1):
        print(f"I looked at it.\n```json\n{json.dumps(GOOD)}\n```")
    else:
        print("I would rather not say.")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
