"""Licences in documentation, judged by licence files and manifests."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from docalign_actors.engine.kinds.licence.names import NAMES, families, identify
from docalign_actors.engine.settings import ScanSettings
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
ONLY = ScanSettings(jobs=1, claim_types=("licence",))
MIT = "MIT License\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this software\n"
APACHE = "Apache License\nVersion 2.0, January 2004\n"


@pytest.mark.parametrize(
    "text",
    [
        "Acme is licensed under the MIT License.",
        "Released under the [MIT license](LICENSE).",
        "License: MIT",
        "![licence](https://img.shields.io/badge/license-MIT-blue)",
        "## License\n\nMIT",
    ],
)
def test_a_licence_that_was_exchanged_is_drifted(repository: Make, text: str) -> None:
    repo = repository({"README.md": f"# Acme\n\n{text}\n", "LICENSE": MIT})
    report = repo.scan(settings=ONLY)
    assert (report.summary.verified, report.summary.drifted) == (1, 0)
    repo.write({"LICENSE": APACHE}).commit("exchange")
    (finding,) = repo.drifted(settings=ONLY)
    assert finding.evidence[0].file == "LICENSE"
    assert repo.drifted(since="HEAD~1", settings=ONLY)


@pytest.mark.parametrize(
    "text",
    [
        "The fonts are licensed under the MIT License.",
        "Portions are licensed under the MIT license.",
        "It uses a library that is released under the MIT license.",
        "## License\n\n- MIT\n- ISC",
        "See the MIT Media Lab.",
    ],
)
def test_the_licence_of_something_else_is_not_reported(repository: Make, text: str) -> None:
    assert repository({"README.md": f"# Acme\n\n{text}\n", "LICENSE": APACHE}).drifted(settings=ONLY) == []


def test_either_of_two_licences_is_right(repository: Make) -> None:
    repo = repository(
        {"README.md": "# A\n\nLicensed under MIT or Apache-2.0.\n", "LICENSE-MIT": MIT, "LICENSE-APACHE": APACHE}
    )
    assert repo.drifted(settings=ONLY) == []


def test_either_licence_of_a_manifests_expression_is_right(repository: Make) -> None:
    cargo = '[package]\nname = "a"\nlicense = "MIT OR Apache-2.0"\n'
    assert (
        repository({"README.md": "Licensed under the MIT license.\n", "Cargo.toml": cargo}).drifted(settings=ONLY) == []
    )


def test_an_unknown_licence_text_decides_nothing(repository: Make) -> None:
    repo = repository(
        {
            "README.md": "# A\n\nLicensed under the MIT License.\n",
            "LICENSE": "All yours.\n",
            "package.json": '{"license": "ISC"}',
        }
    )
    assert repo.drifted(settings=ONLY) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MIT License", "MIT"),
        ("Apache License, Version 2.0", "Apache-2.0"),
        ("Apache 2.0", "Apache-2.0"),
        ("GPLv3", "GPL-3.0"),
        ("GNU General Public License v3.0", "GPL-3.0"),
        ("GNU GPL", "GPL"),
        ("LGPL-2.1", "LGPL-2.1"),
        ("BSD 3-Clause License", "BSD-3-Clause"),
        ("New BSD", "BSD-3-Clause"),
        ("BSD", "BSD"),
        ("Mozilla Public License 2.0", "MPL-2.0"),
    ],
)
def test_names_of_licences_are_known(text: str, expected: str) -> None:
    assert identify(NAMES.search(text)) == expected


def test_a_family_answers_for_its_members() -> None:
    assert "GPL" in families("GPL-3.0-or-later")
    assert "BSD" in families("BSD-3-Clause")
    assert families("(MIT OR Apache-2.0)") == {"MIT", "Apache-2.0"}
    assert families("Unlicense/MIT") == {"Unlicense", "MIT"}
    assert families("Proprietary") == frozenset()
