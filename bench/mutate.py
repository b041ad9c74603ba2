"""Proposes mutants of a repository and makes them: deterministic for a seed."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator

from bench.mutants import KINDS, Mutant, Proposal, Repo
from bench.mutate_cli import options, subcommands, targets
from bench.mutate_docs import config_keys, headings
from bench.mutate_http import prefixes, routes
from bench.mutate_numbers import ports, versions
from bench.mutate_parameters import parameters
from bench.mutate_paths import directories, files, modules
from bench.mutate_symbols import environment, symbols
from bench.mutate_values import defaults

_PROPOSERS = (
    files, directories, symbols, parameters, options, subcommands, environment, targets, routes, prefixes,
    defaults, ports, versions, config_keys, headings, modules,
)  # fmt: skip
_TRIES = 40


def proposals(repo: Repo) -> dict[str, list[Proposal]]:
    """Every proposal, by kind."""
    found: dict[str, list[Proposal]] = defaultdict(list)
    for propose in _PROPOSERS:
        for proposal in propose(repo):
            found[proposal.kind].append(proposal)
    return found


def mutants(repo: Repo, seed: int, most: int, kinds: frozenset[str] = frozenset()) -> Iterator[Mutant]:
    """At most `most` mutants of each kind, chosen by the seed; no fact is used twice."""
    found = proposals(repo)
    used: set[object] = set()
    for kind in KINDS:
        if kinds and kind not in kinds:
            continue
        order = list(found[kind])
        random.Random(f"{seed}|{repo.name}|{kind}").shuffle(order)
        order.sort(key=lambda proposal: proposal.rank)
        made = 0
        for proposal in order[:_TRIES]:
            if made == most:
                break
            mutant = proposal.make() if proposal.old not in used else None
            if mutant is not None and (kind, mutant.stale) not in used:
                used.update([proposal.old, (kind, mutant.stale)])
                made += 1
                yield mutant
