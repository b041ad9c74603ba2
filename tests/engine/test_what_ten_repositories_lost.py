"""Facts that a mutator took away from ten repositories, and that were not missed."""

from __future__ import annotations

import pytest

from tests.support.changes import NODE, Make

WASM = '{"name": "wasm", "scripts": {"pack": "wasm-pack"}}\n'
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"], ids=["whole", "change"])


@BOTH
def test_two_manifests_that_write_one_version_in_two_ways_agree(repository: Make, since: str) -> None:
    project = '[project]\nname = "tool"\nversion = "1"\nrequires-python = ">=3.10"\n'
    setup = "from setuptools import setup\n\nsetup(name='tool', python_requires='>=3.10.0')\n"
    repo = repository(
        {"README.md": "# Tool\n\nTool requires Python 3.10 or later.\n", "pyproject.toml": project, "setup.py": setup}
    )
    repo.replace("3.10", "3.12", "pyproject.toml").replace("3.10", "3.12", "setup.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize(("entered", "reported"), [("cd crates/napi", True), ("cd crates/other", False)])
def test_a_script_is_that_of_the_folder_that_its_section_enters(
    repository: Make, since: str, entered: str, *, reported: bool
) -> None:
    page = f"# Tool\n\n## Bindings\n\n- Go to it: `{entered}`\n- Install: `yarn install`\n- Debug build: `yarn build:debug`\n"
    manifest = '{"name": "napi", "scripts": {"build": "napi build", "build:debug": "napi build --debug"}}\n'
    repo = repository(
        {
            ".github/instructions.md": page,
            "crates/napi/package.json": manifest,
            "crates/wasm/package.json": WASM,
        }
    )
    repo.replace("build:debug", "build:debug-new", "crates/napi/package.json").commit()
    assert repo.stale_lines(since=since) == ({(".github/instructions.md", 7)} if reported else set())


@BOTH
@pytest.mark.parametrize("srcset", ["img/dark.png", "img/dark.png 1x, img/dark2.png 2x"])
def test_the_picture_of_a_source_is_an_image(repository: Make, since: str, srcset: str) -> None:
    page = f'<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="{srcset}">\n  <img src="img/plain.png">\n</picture>\n'
    images: dict[str, str | bytes] = {"img/dark.png": "one", "img/plain.png": "two", "img/dark2.png": "three"}
    repo = repository({**NODE, "README.md": page, **images})
    repo.move("img/dark.png", "img/night.png").commit()
    assert repo.stale_lines(since=since) == {("README.md", 2)}


@BOTH
def test_a_default_after_a_word_in_bold_with_underscores_is_one(repository: Make, since: str) -> None:
    page = "# Tool\n\n- `queueLimit` `<number>` how many wait. __Default__: `42`\n- `topicLevels` how deep. __Default__: `100`\n"
    code = "const defaultOptions = {\n  queueLimit: 42,\n  topicLevels: 100\n}\nmodule.exports = { defaultOptions }\n"
    repo = repository({**NODE, "README.md": page, "tool.js": code})
    repo.replace("queueLimit: 42", "queueLimit: 84", "tool.js").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize(("said", "reported"), [("3.6+", True), ("3.5+", False)])
def test_the_oldest_version_that_is_tested_is_the_one_that_the_manifest_demanded(
    repository: Make, since: str, said: str, *, reported: bool
) -> None:
    page = f"# Tool\n\nIt’s rigorously tested on Python {said}, and officially supports\nDjango 3.0 and 4.0.\n"
    setup = "from setuptools import setup\n\nsetup(name='tool', python_requires='>=3.6,<4')\n"
    repo = repository({"README.md": page, "setup.py": setup})
    repo.replace("3.6", "3.8", "setup.py").commit()
    assert repo.stale_lines(since=since) == ({("README.md", 3)} if reported else set())


CLI = (
    "import argparse\n\n\ndef main():\n    parser = argparse.ArgumentParser('tool')\n    parser.add_argument('--style')\n"
    "    parser.add_argument('--title')\n    return parser.parse_args()\n"
)
PROJECT = '[project]\nname = "tool"\nversion = "1"\n\n[project.scripts]\ntool = "tool.cli:main"\n'


@BOTH
@pytest.mark.parametrize(
    "session",
    [
        '$ ls | while read -r style; do\n    cat log | tool a.dbc --style "$style" --title "--style \'$style\'"\n  done\n',
        '$ cat log |\n    tool a.dbc --style x --title "--style x"\n',
    ],
    ids=["loop", "pipe"],
)
def test_a_loop_or_a_pipe_that_was_typed_goes_on_without_a_prompt(repository: Make, since: str, session: str) -> None:
    page = f"# Tool\n\n```console\n$ tool --style x\n{session}```\n"
    repo = repository({"README.md": page, "tool/cli.py": CLI, "pyproject.toml": PROJECT})
    repo.replace("'--title'", "'--title-next', dest='title'", "tool/cli.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}


GROUP = (
    "import argparse\n\n\ndef main():\n    parser = argparse.ArgumentParser('tool')\n"
    "    commands = parser.add_subparsers()\n    commands.add_parser('apply')\n    commands.add_parser('run')\n"
    "    return parser.parse_args()\n"
)


@BOTH
@pytest.mark.parametrize(("settings", "reported"), [('"""Of (\'run\', \'apply\')."""\n', True), ("X = 'run'\n", False)])
def test_a_command_that_only_a_docstring_quotes_has_gone_with_every_place_of_it(
    repository: Make, since: str, settings: str, *, reported: bool
) -> None:
    page = (
        "Tool\n====\n\n.. program:: tool run\n\ntool run\n~~~~~~~~\n\nUse ``tool run x.py``, then ``tool apply x``.\n"
    )
    repo = repository(
        {"doc/tool.rst": page, "tool/cli.py": GROUP, "tool/settings.py": settings, "pyproject.toml": PROJECT}
    )
    repo.replace("    commands.add_parser('run')\n", "", "tool/cli.py").commit()
    found = {("doc/tool.rst", line) for line in (4, 6, 9)}
    assert repo.stale_lines(since=since) == (found if reported else set())


@BOTH
def test_a_parameter_of_a_signature_with_types_and_defaults_is_one(repository: Make, since: str) -> None:
    page = (
        "Tool\n====\n\n.. class:: CallTrace(func: Callable, arg_types: Dict[str, type], "
        "return_type: Optional[type] = None, yield_type: Optional[type] = None)\n\n  One call.\n"
    )
    code = (
        "class CallTrace:\n    def __init__(self, func: Callable, arg_types: dict, return_type: type = None, yield_type: type = None):\n"
        "        self.return_type = return_type\n        self.yield_type = yield_type\n"
    )
    repo = repository({"doc/tool.rst": page, "tool/trace.py": code, "pyproject.toml": PROJECT})
    repo.replace("return_type: type = None, ", "", "tool/trace.py")
    repo.replace("self.return_type = return_type", "self.return_type = None", "tool/trace.py").commit()
    assert repo.stale_lines(since=since) == {("doc/tool.rst", 4)}


COBRA = (
    'package {name}\n\nfunc NewCmd() *cobra.Command {{\n\tcmd := &cobra.Command{{\n\t\tUse: "{name} <id>",\n'
    '\t\tShort: "Does it",\n\t}}\n\tconfirm("{name} this note?")\n\treturn cmd\n}}\n'
)


@BOTH
@pytest.mark.parametrize(
    ("beside", "reported"),
    [("", True), ('\tif args[0] == "remove" {\n\t\treturn\n\t}\n', False)],
    ids=["told", "taken"],
)
def test_a_command_that_is_only_completed_taken_in_and_asked_about_has_gone(
    repository: Make, since: str, beside: str, *, reported: bool
) -> None:
    root = 'package main\n\nimport (\n\t"own/tool/cmd/add"\n\t"own/tool/cmd/remove"\n)\n\nfunc main() {\n'
    files = {f"cmd/{name}/{name}.go": COBRA.format(name=name) for name in ("add", "remove")}
    repo = repository(
        {
            **files,
            "go.mod": "module own/tool\n",
            "main.go": f'{root}\troot := &cobra.Command{{Use: "tool"}}\n{beside}\troot.AddCommand(add.NewCmd())\n}}\n',
            "tool-completion.bash": 'commands=("add" "remove")\n',
            "COMMANDS.md": "# Commands\n\n```bash\ntool add 1\n\ntool remove 1\n```\n",
        }
    )
    gone = '\tcmd := &cobra.Command{\n\t\tUse: "remove <id>",\n\t\tShort: "Does it",\n\t}\n'
    repo.replace(gone, "\tvar cmd *cobra.Command\n", "cmd/remove/remove.go").commit()
    assert repo.stale_lines(since=since) == ({("COMMANDS.md", 6)} if reported else set())


@BOTH
def test_an_option_of_which_the_letter_is_left_was_dropped_by_its_parser(repository: Make, since: str) -> None:
    page = "# Tool\n\nMake it:\n\n    $ tool announce --input data.iso\n"
    code = (
        "use structopt::StructOpt;\n\n#[derive(StructOpt)]\npub struct Announce {\n"
        '  #[structopt(\n    long = "input",\n    short = "i",\n    help = "Read it"\n  )]\n  input: String,\n}\n'
    )
    manifest = '[package]\nname = "tool"\nversion = "1.0.0"\n'
    repo = repository(
        {"README.md": page, "src/announce.rs": code, "src/main.rs": "mod announce;\n", "Cargo.toml": manifest}
    )
    repo.replace('    long = "input",\n', "", "src/announce.rs").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


FOUR = "".join(f"    commands.add_parser('{name}')\n" for name in ("email", "phone", "birthdays", "merge"))
ACTIONS = GROUP.replace("    commands.add_parser('apply')\n    commands.add_parser('run')\n", FOUR)


@BOTH
@pytest.mark.parametrize(
    ("dispatch", "reported"),
    [("ACTIONS = {'email': 1, 'phone': 2, 'birthdays': 3, 'merge': 4}\n", True), ("REGISTRY = ['merge']\n", False)],
    ids=["acts", "registers"],
)
def test_code_that_acts_on_all_commands_does_not_take_the_one_that_its_parser_dropped(
    repository: Make, since: str, dispatch: str, *, reported: bool
) -> None:
    page = "Tool\n====\n\n.. code-block:: shell\n\n   tool email x\n   tool merge [-a source] [terms]\n"
    repo = repository(
        {"doc/tool.rst": page, "tool/cli.py": ACTIONS, "tool/actions.py": dispatch, "pyproject.toml": PROJECT}
    )
    repo.replace("    commands.add_parser('merge')\n", "", "tool/cli.py").commit()
    assert repo.stale_lines(since=since) == ({("doc/tool.rst", 7)} if reported else set())


@BOTH
def test_a_command_that_is_named_alone_is_gone_wherever_the_only_program_is_called_with_it(
    repository: Make, since: str
) -> None:
    page = (
        "Tool\n====\n\nUse the subcommands ``email``, ``phone`` and ``birthdays``.\n\n.. code-block::\n\n"
        '   set query_command = "tool email --parsable %s"\n   bind editor <Tab> complete-query\n'
    )
    news = "v1\n- Mutt: set query_command= 'tool email --parsable'\n"
    repo = repository(
        {
            "doc/tool.rst": page,
            "tool/cli.py": ACTIONS,
            "CHANGES": news,
            "tool/f.py": "FIELDS = ['email']\n",
            "pyproject.toml": PROJECT,
        }
    )
    repo.replace("'email'", "'email-next'", "tool/cli.py").replace("tool email", "tool email-next", "CHANGES").commit()
    found = {(finding.rule, place.line) for finding in repo.drifted(since=since) for place in finding.mentions}
    assert found == {("unknown-command", 4), ("unknown-command", 8)}


@BOTH
def test_a_method_of_go_has_gone_although_a_field_of_its_own_is_called_like_it(repository: Make, since: str) -> None:
    page = "# Lines\n\n- **Line** interface — `ID()`, `DisplayString`, `Buffer()`\n"
    method = "\nfunc (l *Line) DisplayString() string {\n\treturn l.displayString\n}\n"
    code = f'package line\n\ntype Line struct {{\n\tid int\n\tdisplayString string\n}}\n{method}\nfunc (l *Line) Buffer() string {{\n\treturn ""\n}}\n'
    repo = repository({"docs/lines.md": page, "line/line.go": code, "go.mod": "module own/tool\n"})
    repo.replace(method, "", "line/line.go").commit()
    assert repo.stale_lines(since=since) == {("docs/lines.md", 3)}
