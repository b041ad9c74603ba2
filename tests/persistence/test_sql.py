from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from psycopg._queries import PostgresQuery
from psycopg.adapt import Transformer

from docalign_actors.persistence import sql


def test_a_file_holds_many_named_statements() -> None:
    text = "-- About runs.\n\n-- name: first\n-- Does this.\nSELECT 1;\n\n-- name: second\n-- Does that.\n-- At length.\nSELECT\n    2\n"
    assert sql.parse(text) == {"first": "SELECT 1", "second": "SELECT\n    2"}


def test_comments_are_not_sent() -> None:
    text = "-- name: half\n-- Takes 50 % of them.\nSELECT 1\n-- a remark with 100 %\nWHERE true"
    assert sql.parse(text) == {"half": "SELECT 1\nWHERE true"}


@pytest.mark.parametrize(
    "text",
    [
        "-- name: silent\nSELECT 1",
        "-- name: empty\n-- Does nothing.\n",
        "-- name: two words\n-- Does this.\nSELECT 1",
        "-- name: twice\n-- Does this.\nSELECT 1\n-- name: twice\n-- Does that.\nSELECT 2",
    ],
    ids=["no sentence", "no statement", "no name", "taken name"],
)
def test_a_mistake_in_a_file_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"name|sentence"):
        sql.parse(text)


def test_a_name_stands_once_in_all_files(tmp_path: Path) -> None:
    for name in ("a.sql", "b.sql"):
        (tmp_path / name).write_text("-- name: same\n-- Does this.\nSELECT 1\n")
    with pytest.raises(ValueError, match=r"b\.sql: the name same is taken"):
        sql.read(tmp_path)


def test_a_statement_is_found_by_its_name() -> None:
    assert sql.query("server_version").startswith("SELECT")
    with pytest.raises(KeyError):
        sql.query("nothing_of_that_name")


def parameters(text: str) -> dict[str, None] | list[None] | None:
    """Any values will do: the server is only asked to understand the statement."""
    names = [part.split(")", 1)[0] for part in text.split("%(")[1:]]
    return dict.fromkeys(names) if names else [None] * (text.count("%s") + text.count("%b")) or None


# Errors about the type of a value that no type was given for: only real values show whether they are mistakes.
TYPE_UNKNOWN = {b"42883", b"42P18", b"42804", b"42P08"}


def test_the_schema_has_what_every_statement_names(database_url: str) -> None:
    failures: dict[str, str] = {}
    with psycopg.connect(database_url, autocommit=True) as connection:
        for name, text in sql.statements().items():
            query = PostgresQuery(Transformer(connection))
            query.convert(text, parameters(text))
            result = connection.pgconn.prepare(name.encode(), query.query)
            state = result.error_field(psycopg.pq.DiagnosticField.SQLSTATE)
            if state is not None and state not in TYPE_UNKNOWN:
                failures[name] = result.error_message.decode()
    assert failures == {}
