"""What went and is named by documents yet is missed: ports."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.changes import BOTH
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

DOCKERFILE = 'FROM scratch\nEXPOSE 9106\nENTRYPOINT ["/tool", "9106"]\n'

PORTS = 'class Properties(\n  @param:DefaultValue("9092") val httpPort: Int,\n)\n'


def test_a_port_in_the_row_of_another_setting_is_another_programs(repository: Make) -> None:
    text = (
        "# Tool\n\nThe `tool` listens on port 8080 and passes requests on.\n\n```\n2024/04/25 17:29:06 Listening on port: 8080\n```\n\n"
        "| Option | Usage |\n|---|---|\n| `auth_local` | Ask the gateway at `http://127.0.0.1:8080` instead |\n| `port` | Default: `8080` |\n"
    )
    code = 'package main\n\nfunc New() Config {\n\tc := Config{\n\t\tTCPPort: getInt(env, "port", 8080),\n\t\tMax: getInt(env, "max", 0),\n\t}\n\tc.Auth = getBool(env, "auth_local")\n\treturn c\n}\n'
    repo = repository({"README.md": text, "main.go": code})
    repo.replace('"port", 8080', '"port", 8090', "main.go").commit()
    assert repo.stale_lines(since="HEAD~1") >= {("README.md", 3), ("README.md", 12)}
    assert ("README.md", 11) not in repo.stale_lines(since="HEAD~1")


@BOTH
@pytest.mark.parametrize(
    "told", ["```sh\ndocker run -p 9106 -v /etc/a:/b tool\n```\n", "The\n`9106` port is exposed.\n"]
)
def test_a_port_that_a_container_opens_is_the_programs(repository: Make, since: str, told: str) -> None:
    repo = repository({"README.md": told, "Dockerfile": DOCKERFILE})
    repo.replace("9106", "9206", "Dockerfile").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}


@BOTH
def test_a_port_that_a_compose_file_maps_is_told_without_a_language(repository: Make, since: str) -> None:
    text = "# Tool\n\n```\nservices:\n  tool:\n    image: acme/tool\n    ports:\n      - 8082:8082\n  db:\n    ports:\n      - 5432:5432\n```\n"
    repo = repository(
        {"README.md": text, "Dockerfile": "FROM scratch\nEXPOSE 8082\n", "main.c": "int main(void) { return 0; }\n"}
    )
    repo.replace("8082", "8181", "Dockerfile").commit()
    assert repo.stale_lines(since=since) == {("README.md", 8)}


@BOTH
@pytest.mark.parametrize(("published", "found"), [("9092:9092", {4, 5}), ("9092:80", set())])
def test_a_port_that_is_published_under_its_own_number_is_not_chosen(
    repository: Make, since: str, published: str, found: set[int]
) -> None:
    text = f"# Tool\n\n```shell\ndocker run -p 9090:9090 -p {published} acme/tool\ncurl http://localhost:9092/\n```\n"
    repo = repository({"README.md": text, "src/main/kotlin/Properties.kt": PORTS})
    repo.replace("9092", "9094", "src/main/kotlin/Properties.kt").commit()
    assert repo.stale_lines(since=since) == {("README.md", line) for line in found}


@BOTH
def test_the_first_of_several_ports_in_brackets_is_one(repository: Make, since: str) -> None:
    text = "# Tool\n\nThe API runs on dedicated ports (9092 HTTP, 9193 HTTPS).\n"
    repo = repository({"README.md": text, "src/main/kotlin/Properties.kt": PORTS})
    repo.replace("9092", "9094", "src/main/kotlin/Properties.kt").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_port_in_a_default_that_is_told_whole_is_not_told_once_more(repository: Make, since: str) -> None:
    code = 'package main\n\nimport "flag"\n\nvar addr = flag.String("addr", ":8080", "where to listen")\n\nfunc main() { flag.Parse() }\n'
    text = "# lamp\n\n| Flag | Default | |\n|---|---|---|\n| `-addr` | `:8080` | where to listen |\n"
    repo = repository({"README.md": text, "go.mod": "module example.org/lamp\n\ngo 1.21\n", "main.go": code})
    repo.replace(":8080", ":7070", "main.go").commit()
    (finding,) = repo.drifted(since=since)
    assert (finding.rule, finding.line, finding.claim) == ("wrong-default", 5, ":8080")


@BOTH
@pytest.mark.parametrize(
    "line", ["docker run -dp 9898:9898 me/tool", "curl -s tool:9898/token", "telnet tool.local 9898", "nc -v ::1 9898"]
)
def test_a_port_is_missed_in_the_command_of_a_client(repository: Make, line: str, since: str) -> None:
    repo = repository({"README.md": f"```sh\n{line}\n```\n", "Dockerfile": "FROM scratch\nEXPOSE 9898\n"})
    repo.replace("9898", "9797", "Dockerfile").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}
