"""Which part a file plays, told by its path."""

from __future__ import annotations

import pytest

from docalign_actors.engine.roles import is_foreign, is_own_code, is_test


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


@pytest.mark.parametrize(
    ("path", "foreign"),
    [
        ("internal/build/image.go", False),
        ("pyocd/target/builtin/chip.py", False),
        ("src/deps/providers.rs", False),
        ("packages/core/src/build/plan.ts", False),
        ("packages/build/src/index.ts", False),
        ("src/main/java/org/acme/build/Plan.java", False),
        ("build/tasks.py", True),
        ("packages/core/build/index.js", True),
        ("packages/core/src/vendor/x.ts", True),
        ("src/core/dist/esm/x.js", True),
        ("src/external/json.hpp", True),
        ("tool/external/six.py", True),
        ("docs/build/html/_sources/index.rst.txt", True),
        ("docs/build/page.txt", True),
        ("doc/build/orm/queries.rst", False),
        ("build/orm/queries.rst", True),
        ("doc/build/vendor/readme.rst", True),
    ],
)
def test_sources_in_a_folder_called_build_are_a_package_unless_it_is_where_tools_write_to(
    path: str, foreign: bool
) -> None:
    assert is_foreign(path) is foreign


@pytest.mark.parametrize(
    ("path", "foreign"),
    [
        ("src/main/webapp/vendors/jquery-ui/ui/effects.js", True),
        ("static/js/jquery-3.6.0.slim.js", True),
        ("web/lib/jquery.ui.datepicker.js", True),
        ("src/jquery.sparkline.js", False),
        ("jquery.js", False),
        ("app/vendors/models.js", False),
    ],
)
def test_a_copy_of_a_library_among_what_a_site_serves_is_somebody_elses(path: str, foreign: bool) -> None:
    assert is_foreign(path) is foreign
