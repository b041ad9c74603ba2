"""The benchmark: mutants of real repositories, hand-judged findings, and times, for this engine and for its rivals.

Nothing here uses the engine's own readers to find facts: what is measured must not also be the measure.
"""
