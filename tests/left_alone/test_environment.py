"""What is there all the same, or was never meant, is left alone: environment variables."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_a_variable_of_a_script_is_no_key_of_an_editors_settings(repository: Make) -> None:
    page = '# Editor\n\n```json\n{\n    "go.gopath": "${root}:${root}/vendor",\n    "go.lintTool": "x"\n}\n```\n'
    script = "#!/bin/bash\nexport GOPATH=`pwd`/.gopath\ngb build\n"
    repo = repository({"STYLE.md": page, "jenkins/prepare.sh": script, "main.go": "package main\n"})
    repo.write({"jenkins/prepare.sh": "#!/bin/bash\ngo build\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_variable_that_a_build_file_only_mentioned_is_not_missed(repository: Make) -> None:
    make = "build:\n\tcd $(GOPATH)/src/app && go build\n"
    page = "# App\n\n```sh\nexport GOPATH=~/go\nmkdir $GOPATH\n```\n"
    repo = repository({"README.md": page, "Makefile": make, "app.go": "package app\n"})
    repo.replace("cd $(GOPATH)/src/app && go build", "go build", "Makefile").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_an_optional_argument_of_a_command_is_no_variable(repository: Make) -> None:
    script = '#!/bin/sh\nWORKER_BASEDIR="$1"\nexport WORKER_BASEDIR\nrun "$WORKER_BASEDIR"\n'
    page = "# App\n\n```sh\napp-worker start [ WORKER_BASEDIR ]\n```\n"
    repo = repository({"README.md": page, "init.sh": script, "app.py": "x = 1\n"})
    repo.git("rm", "-q", "init.sh")
    repo.git("commit", "-qm", "no script")
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_variable_that_an_example_declares_is_the_reader_s(repository: Make) -> None:
    code = "package app;\n\npublic class Version {\n    static final String BUILTIN_FORMATS = load();\n    private Config appConfig;\n}\n"
    page = (
        "# App\n\n```java\nList<Format> BUILTIN_FORMATS = new ArrayList<Format>();\nConfig appConfig = new Config();\n"
        "appConfig.addListener(BUILTIN_FORMATS);\n```\n"
    )
    repo = repository({"README.md": page, "src/main/java/app/Version.java": code})
    repo.replace("BUILTIN_FORMATS", "FORMATS", "src/main/java/app/Version.java")
    repo.replace("appConfig", "config", "src/main/java/app/Version.java").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_variable_that_an_example_in_a_script_declares_is_the_reader_s(repository: Make) -> None:
    code = "export interface Options {\n  proxyTable?: object\n  router?: object\n}\n"
    page = (
        "# App\n\n```js\nvar proxyTable = {a: 1}\napp({router: proxyTable})\n```\n\n"
        "What matches in the proxyTable is sent there.\n"
    )
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("  proxyTable?: object\n", "", "src/index.ts").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
