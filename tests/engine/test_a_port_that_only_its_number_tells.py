"""A port in the text, and nothing beside it that says whose it is."""

from __future__ import annotations

from tests.support.changes import JAVA, Make

_PATH = "src/main/java/org/tool/ClientProperties.java"
_CLIENT = (
    'package org.tool;\n\npublic class ClientProperties {\n    private String endpoint = "http://localhost:8888";\n}\n'
)


def test_a_port_that_nothing_names_is_mended_only_when_that_is_asked_for(repository: Make) -> None:
    repo = repository({**JAVA, _PATH: _CLIENT, "README.md": "The default port of the server is 8888.\n"})
    repo.write({_PATH: _CLIENT.replace("8888", "9999")}).commit("elsewhere")
    (finding,) = repo.drifted(since="HEAD~1")
    assert finding.fix is not None
    assert not finding.fix.safe
