"""`python -m bench`: makes mutants, runs the tools on them, judges precision and changes, counts dates, measures time."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench import changes, dates, precision, recipes, speed
from bench.corpus import Source, Workshop, corpus
from bench.mutants import VARIANTS
from bench.recall import CHANGE, WHOLE, Results, Runner
from bench.score import misses, scores, table, totals
from bench.truth import Truth, build, load, save

_HERE = Path(__file__).parent


def main(arguments: list[str] | None = None) -> int:
    """Parses the command line and does what it says."""
    options = _parser().parse_args(arguments)
    shop = Workshop(options.work.resolve(), options.repos.resolve())
    sources = [s for s in corpus() if options.part in ("all", s.part) and _wanted(options.only, s.name)]
    done: int = options.do(options, shop, sources)
    return done


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bench", description="The benchmark of the engine.")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--work", type=Path, default=_HERE / "work", help="where clones, mutants and results go (default: bench/work)"
    )
    common.add_argument(
        "--repos",
        type=Path,
        default=_HERE / "work" / "repos",
        help="where clones or bare repositories lie, named owner+name",
    )
    common.add_argument(
        "--part",
        choices=("tuning", "heldout", "judged", "changes", "all"),
        default="tuning",
        help="which part of the corpus",
    )
    common.add_argument("--only", default="", metavar="WORDS", help="kinds, repositories or parts of ids, with commas")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    command = commands.add_parser("mutants", parents=[common], help="make the mutants")
    command.add_argument("--seed", type=int, default=1)
    command.add_argument("--most", type=int, default=2, help="mutants of one kind in one repository")
    command.add_argument(
        "--variants", default=",".join(VARIANTS), help="how facts go, with commas (default: %(default)s)"
    )
    command.set_defaults(do=_mutants)

    command = commands.add_parser("recall", parents=[common], help="run the tools on the mutants and print the tables")
    _running(command)
    command.set_defaults(do=_recall)

    command = commands.add_parser("handwritten", parents=[common], help="the same on mutants that were written by hand")
    command.add_argument("--list", default="*", metavar="NAME", help="a list of bench/handwritten (default: all)")
    _running(command)
    command.set_defaults(do=_handwritten)

    command = commands.add_parser(
        "precision", parents=[common], help="list unjudged findings, print the share of true ones"
    )
    command.add_argument("--verbose", action="store_true", help="print the judged findings too")
    command.set_defaults(do=precision.main)

    command = commands.add_parser(
        "changes", parents=[common], help="scan changes of the histories and list what is unjudged"
    )
    changes.arguments(command)
    command.set_defaults(do=changes.main)

    command = commands.add_parser(
        "dates", parents=[common], help="count judged findings by the days between a document and what it lost"
    )
    command.set_defaults(do=dates.main)

    command = commands.add_parser("speed", parents=[common], help="measure time and memory")
    speed.arguments(command)
    command.set_defaults(do=speed.main)
    return parser


def _running(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--rivals", type=Path, help="folder with the rivals' programs; without it only this engine runs"
    )
    command.add_argument("--jobs", type=int, default=1)
    command.add_argument("--limit", type=int, default=0, help="only so many mutants")
    command.add_argument("--fresh", action="store_true", help="run this engine again on what it has already seen")
    command.add_argument("--tables-only", action="store_true", help="run nothing, print what the results say")


def _wanted(only: str, *names: str) -> bool:
    """Words that name repositories choose among repositories; the others are left to the mutants."""
    words = [word for word in only.split(",") if "/" in word]
    return not words or any(word in name for word in words for name in names)


def _chosen(truth: Truth, only: str) -> bool:
    kinds = [word for word in only.split(",") if word and "/" not in word]
    return not kinds or truth.kind in kinds or truth.language in kinds or any(word in truth.id for word in kinds)


def _path(shop: Workshop, source: Source) -> Path:
    return shop.work / "mutants" / f"{source.folder}.json"


def _mutants(options: argparse.Namespace, shop: Workshop, sources: list[Source]) -> int:
    (shop.work / "mutants").mkdir(exist_ok=True)
    for source in sources:
        found = build(shop, source, options.seed, options.most, tuple(options.variants.split(",")))
        save(_path(shop, source), found)
        print(f"{source.name}: {len(found)} mutants")
    return 0


def _recall(options: argparse.Namespace, shop: Workshop, sources: list[Source]) -> int:
    truths = [t for source in sources for t in load(_path(shop, source)) if _chosen(t, options.only)]
    if not truths:
        print("no mutants: run `bench mutants` first", file=sys.stderr)
        return 2
    return _measure(options, shop, sources, truths)


def _handwritten(options: argparse.Namespace, shop: Workshop, _: list[Source]) -> int:
    """Makes the mutants of the recipes and runs the tools on them. 1 if a recipe is wrong: it is left out and named."""
    made: list[Truth] = []
    wrong: list[str] = []
    sources: list[Source] = []
    for path in sorted(recipes.LISTS.glob(f"{options.list}.json")):
        for source, written in recipes.read(path):
            if _wanted(options.only, source.name):
                sources.append(source)
                for one in recipes.build(shop, source, written):
                    wrong.append(one) if isinstance(one, str) else made.append(one)
    for one in wrong:
        print(f"WRONG    {one}", file=sys.stderr)
    truths = [truth for truth in made if _chosen(truth, options.only)]
    if not truths:
        print(f"no mutants in {recipes.LISTS}/{options.list}.json", file=sys.stderr)
        return 2
    return _measure(options, shop, sources, truths) or int(bool(wrong))


def _measure(options: argparse.Namespace, shop: Workshop, sources: list[Source], truths: list[Truth]) -> int:
    truths = truths[: options.limit] if options.limit else truths
    results = Results(shop.work / "results.jsonl")
    names = frozenset({t.key for t in truths} | {t.repository for t in truths})
    if options.fresh:
        results.forget(frozenset({WHOLE, CHANGE}), names)
    runner = Runner(shop, results, options.rivals.resolve() if options.rivals else None)
    if not options.tables_only:
        runner.run({s.name: s for s in sources}, truths, options.jobs)
    if len(results.versions(names)) > 1:
        print(f"NOT ONE MEASUREMENT: results of {len(results.versions(names))} versions of the engine; use --fresh\n")
    columns = {tool: scores(results, tool, truths) for tool in runner.tools}
    print(
        table("kind", columns, lambda t: t.kind),
        table("language", columns, lambda t: t.language),
        table("variant", columns, lambda t: t.variant),
        totals(columns),
        sep="\n\n",
    )
    for tool in (WHOLE, CHANGE):
        print(f"\n{tool}:\n{misses(columns[tool])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
