"""Time and memory: this engine cold and warm beside its rivals, interleaved in one run; growth; the cost of a small change."""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from bench.corpus import Source, Workshop
from bench.generate import generate
from bench.tools import PROJECT, docalign_command, docalign_environment

_COMMANDS = {"docproof": ["."], "docrot": ["check", "--format", "json"]}
_LONGEST = 1200.0
_EVERY = 0.02


@dataclass(frozen=True)
class Measure:
    """One run: wall-clock seconds, and the seconds of processor time that the process and its children used, which say
    more where other work goes on."""

    seconds: float
    code: int
    processor: float


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `bench speed`."""
    parser.add_argument("--rivals", type=Path, help="folder with docproof and docrot")
    parser.add_argument("--beside", type=Path, help="an earlier copy of this project, measured in the same rounds")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--sizes", default="1000,3000,10000", help="files of the generated repositories, with commas; empty for none"
    )
    parser.add_argument("--skip-corpus", action="store_true", help="only the generated repositories")


def measure(command: list[str], where: Path, env: dict[str, str] | None = None) -> Measure:
    """Runs a command and waits for its end in the kernel: a wait with a time-out looks every 50 ms only."""
    began, used = time.perf_counter(), _processor()
    process = subprocess.Popen(command, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    guard = threading.Timer(_LONGEST, process.kill)
    guard.start()
    try:
        code = process.wait()
    finally:
        guard.cancel()
    return Measure(time.perf_counter() - began, code, _processor() - used)


def most_memory(command: list[str], where: Path, env: dict[str, str] | None = None) -> float:
    """The most that the process and its children hold together, in MB. In a run of its own, since looking takes time."""
    process = subprocess.Popen(command, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    guard = threading.Timer(_LONGEST, process.kill)
    guard.start()
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, sum(_memory(one) for one in _family(process.pid)) / 1024)
        time.sleep(_EVERY)
    guard.cancel()
    return peak


def _processor() -> float:
    """What all children that have ended used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _family(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        try:
            for task in Path(f"/proc/{one}/task").glob("*/children"):
                found.extend(int(child) for child in task.read_text().split())
        except OSError:  # it ended while we looked
            continue
    return found


def _memory(pid: int) -> int:
    """Kilobytes, shared pages counted in parts where the kernel tells them."""
    for name, key in (("smaps_rollup", "Pss:"), ("status", "VmRSS:")):
        try:
            for line in Path(f"/proc/{pid}/{name}").read_text().splitlines():
                if line.startswith(key):
                    return int(line.split()[1])
        except OSError:
            continue
    return 0


def _docalign(cache: Path, where: Path, *extra: str, engine: Path = PROJECT) -> Measure:
    return measure(_scan(cache, *extra), where, docalign_environment(engine))


def _scan(cache: Path, *extra: str) -> list[str]:
    return docalign_command("--format", "json", "--cache-dir", str(cache), *extra, ".")


def _held(where: Path) -> float:
    """The most memory of a cold scan, in MB."""
    with tempfile.TemporaryDirectory(prefix="docalign-speed-") as cache:
        return most_memory(_scan(Path(cache)), where, docalign_environment(PROJECT))


def main(options: argparse.Namespace, shop: Workshop, sources: list[Source]) -> int:
    """Prints the tables."""
    print(
        f"{os.cpu_count()} cores, load {', '.join(f'{load:.1f}' for load in os.getloadavg())}, {options.rounds} rounds, medians\n"
    )
    if not options.skip_corpus:
        _side_by_side(options, shop, sources)
    sizes = [int(size) for size in options.sizes.split(",") if size]
    if sizes:
        _growth(options, shop, sizes)
    return 0


def _side_by_side(options: argparse.Namespace, shop: Workshop, sources: list[Source]) -> None:
    rivals = {
        name: options.rivals.resolve() / name
        for name in _COMMANDS
        if options.rivals and (options.rivals / name).exists()
    }
    columns = ["docalign cold", "docalign warm", *(["earlier cold"] if options.beside else []), *rivals]
    print(
        "| repository | files | "
        + " | ".join(f"{c}, s" for c in columns)
        + " | cold / warm | memory, MB |\n"
        + "|---" * (len(columns) + 4)
        + "|"
    )
    medians: dict[str, list[float]] = defaultdict(list)
    used: dict[str, list[float]] = defaultdict(list)
    for source in sources:
        checkout = shop.checkout(source, source.commit, f"speed-{source.folder}")
        files = sum(1 for p in checkout.rglob("*") if p.is_file() and ".git" not in p.parts)
        times, processor, memory = _rounds(options, checkout, rivals)
        row = {column: statistics.median(times[column]) for column in columns}
        for column in columns:
            medians[column].append(row[column])
            used[column].append(statistics.median(processor[column]))
        cells = " | ".join(f"{row[c]:.2f}" for c in columns)
        print(
            f"| {source.name} | {files} | {cells} | {row['docalign cold'] / row['docalign warm']:.1f} | {memory:.0f} |",
            flush=True,
        )
        shutil.rmtree(checkout, ignore_errors=True)
    total = {column: statistics.median(medians[column]) for column in columns}
    print(
        "| median | | "
        + " | ".join(f"{total[c]:.2f}" for c in columns)
        + f" | {total['docalign cold'] / total['docalign warm']:.1f} | |"
    )
    print("| all together | | " + " | ".join(f"{sum(medians[c]):.1f}" for c in columns) + " | | |")
    print("| processor time | | " + " | ".join(f"{statistics.median(used[c]):.2f}" for c in columns) + " | | |")
    for name in columns[2:]:
        for what, taken in (("time", medians), ("processor time", used)):
            ratios = sorted(a / b for a, b in zip(taken["docalign cold"], taken[name], strict=True))
            print(
                f"\ndocalign cold against {name}, {what}: median ratio {statistics.median(ratios):.2f}, from "
                f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
            )
    print(f"\nload at the end {', '.join(f'{load:.1f}' for load in os.getloadavg())}\n")


def _rounds(
    options: argparse.Namespace, checkout: Path, rivals: dict[str, Path]
) -> tuple[dict[str, list[float]], dict[str, list[float]], float]:
    """Seconds and processor seconds of each column, and the most memory of a cold scan."""
    times: dict[str, list[float]] = defaultdict(list)
    processor: dict[str, list[float]] = defaultdict(list)

    def note(column: str, taken: Measure) -> None:
        times[column].append(taken.seconds)
        processor[column].append(taken.processor)

    for _ in range(options.rounds):
        cache, other = (Path(tempfile.mkdtemp(prefix="docalign-speed-")) for _ in range(2))
        note("docalign cold", _docalign(cache, checkout))
        note("docalign warm", _docalign(cache, checkout))
        if options.beside:
            note("earlier cold", _docalign(other, checkout, engine=options.beside.resolve()))
        for name, binary in rivals.items():
            note(name, measure([str(binary), *_COMMANDS[name]], checkout))
        shutil.rmtree(cache, ignore_errors=True)
        shutil.rmtree(other, ignore_errors=True)
    return times, processor, _held(checkout)


def _growth(options: argparse.Namespace, shop: Workshop, sizes: list[int]) -> None:
    print("| files | cold, s | warm, s | memory, MB | one file changed: cold, s | warm, s |\n|---|---|---|---|---|---|")
    for size in sizes:
        where = generate(shop.work / "generated" / str(size), size)
        rows: list[list[float]] = []
        for _ in range(options.rounds):
            cache, other = (Path(tempfile.mkdtemp(prefix="docalign-speed-")) for _ in range(2))
            cold, warm = _docalign(cache, where), _docalign(cache, where)
            first = _docalign(other, where, "--changed-since", "HEAD~1")
            again = _docalign(cache, where, "--changed-since", "HEAD~1")
            rows.append([cold.seconds, warm.seconds, first.seconds, again.seconds])
            shutil.rmtree(cache, ignore_errors=True)
            shutil.rmtree(other, ignore_errors=True)
        cold_s, warm_s, first_s, again_s = (statistics.median(column) for column in zip(*rows, strict=True))
        print(
            f"| {size} | {cold_s:.2f} | {warm_s:.2f} | {_held(where):.0f} | {first_s:.2f} | {again_s:.2f} |", flush=True
        )
