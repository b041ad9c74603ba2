"""What went and is named by documents yet is missed: examples."""

from __future__ import annotations

from tests.support.changes import NODE, Make


def test_an_example_that_did_not_parse_before_is_not_broken_by_who_rewrites_a_line_of_it(repository: Make) -> None:
    example = '# Tool\n\n## Options\n\n```json\n{\n  "case": "camel" "kebab",\n  "other": {}\n}\n```\n'
    repo = repository({**NODE, "README.md": example})
    repo.replace('"camel" "kebab"', '"kebab" "camel"', "README.md").commit()
    assert repo.stale_lines(since="HEAD~1") == set()

    repo.write({"README.md": example.replace('"camel" "kebab"', '"kebab"')}).commit()
    repo.write({"README.md": example}).commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 7)}
