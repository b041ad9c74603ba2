"""Proposes mutants of a repository and makes them: deterministic for a seed."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from bench.mutants import KINDS, VARIANTS, Mutant, Proposal, Repo
from bench.mutate_cli import options, subcommands, targets
from bench.mutate_docs import config_keys, headings
from bench.mutate_http import prefixes, routes
from bench.mutate_numbers import ports, versions
from bench.mutate_parameters import parameters
from bench.mutate_paths import directories, files, modules
from bench.mutate_symbols import environment, symbols
from bench.mutate_values import defaults
from bench.removal import is_removable, removed

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


def mutants(
    repo: Repo, seed: int, most: int, kinds: frozenset[str] = frozenset(), variants: tuple[str, ...] = VARIANTS[:1]
) -> Iterator[Mutant]:
    """At most `most` renames of each kind, and half as many of each other variant, chosen by the seed.

    No fact is used twice in a variant, nor in two as long as there are others."""
    found = proposals(repo)
    used: set[object] = set()
    for kind in KINDS:
        if kinds and kind not in kinds:
            continue
        order = list(found[kind])
        random.Random(f"{seed}|{repo.name}|{kind}").shuffle(order)
        order.sort(key=lambda proposal: proposal.rank)
        for variant in variants:
            yield from _some(repo, order, variant, most if variant == "rename" else (most + 1) // 2, used)


def _some(repo: Repo, order: list[Proposal], variant: str, most: int, used: set[object]) -> Iterator[Mutant]:
    made = 0
    for proposal in sorted(order[:_TRIES], key=lambda one: one.old in used):
        if made == most:
            return
        mutant = _made(repo, proposal, variant) if (variant, proposal.old) not in used else None
        if mutant is not None and (variant, mutant.kind, mutant.stale) not in used:
            used.update([proposal.old, (variant, proposal.old), (variant, mutant.kind, mutant.stale)])
            made += 1
            yield mutant


def _made(repo: Repo, proposal: Proposal, variant: str) -> Mutant | None:
    repo.variant = variant
    try:
        mutant = proposal.make()
    finally:
        repo.variant = "rename"
    if mutant is None or mutant.variant == variant:
        return mutant
    if variant == "removal":
        return removed(mutant, repo) if is_removable(mutant) else None
    return replace(mutant, variant=variant) if variant == "affix" else None
