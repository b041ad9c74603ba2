"""What is there all the same, or was never meant, is left alone: imports and modules."""

from __future__ import annotations

from tests.support.changes import NODE, Make


def test_a_test_of_a_package_does_not_define_what_its_readme_names(repository: Make) -> None:
    page = "# Sts\n\n```js\nsts({\n  fetchData: {\n    assumeRole: {}\n  }\n})\n```\n"
    code = "import { STS } from 'aws'\n\nexport const sts = (client, role) => client.assumeRole(role)\n"
    stub = "import { STS } from 'aws'\n\nSTS.prototype.assumeRole = () => {}\n"
    files: dict[str, str | bytes] = {"packages/sts/README.md": page, "packages/sts/package.json": '{"name": "sts"}\n'}
    repo = repository({
        **NODE, **files, "packages/sts/index.js": code,
        "packages/sts/__tests__/index.js": stub,
    })  # fmt: skip
    repo.replace("assumeRole", "send", "packages/sts/index.js")
    repo.replace("assumeRole", "send", "packages/sts/__tests__/index.js").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_what_is_imported_from_another_place_is_that_one_s(repository: Make) -> None:
    page = '# App\n\n```ts\nimport { createStreaming } from "https://deno.land/x/other@x.x.x/mod.ts";\n```\n'
    code = "export function createStreaming(response: Response) {\n  return response;\n}\n"
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "site/formatter.ts": code})
    repo.git("rm", "-q", "site/formatter.ts")
    repo.git("commit", "-qm", "no copy")
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_module_that_once_was_written_and_is_built_today_can_be_imported(repository: Make) -> None:
    page = "# App\n\n```ts\nimport { Project } from 'app/lib/typescript';\n```\n"
    files: dict[str, str | bytes] = {
        "package.json": '{"name": "app"}\n',
        "lib/typescript.ts": "export class Project {}\n",
    }
    repo = repository(files)
    repo.write({"src/typescript/index.ts": "export class Project {}\n", ".gitignore": "/lib\n"})
    repo.git("rm", "-q", "lib/typescript.ts")
    repo.git("add", "-A")
    repo.git("commit", "-qm", "sources")
    repo.write({"README.md": page}).commit()
