"""Which part a file plays, told by its path."""

from __future__ import annotations

import pytest

from docalign_actors.engine.roles import is_own_code, is_test


@pytest.mark.parametrize(
    ("path", "tests"),
    [
        ("nameko/testing/services.py", False),
        ("src/main/java/org/acme/testing/Fakes.java", False),
        ("testing/run.py", True),
        ("tests/testing/helpers.py", True),
        ("src/tool/testing/test_it.py", True),
        ("internal/testing/server.go", True),
        ("lib/testing-data/x.py", False),
    ],
)
def test_a_package_for_those_who_test_with_a_library_is_no_test_of_it(path: str, tests: bool) -> None:
    assert is_test(path) is tests
    assert is_own_code(path) is not tests
