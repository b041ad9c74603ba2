"""What the option collectors of all languages share: the shape of a flag, and flags that merely stand in code as strings."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docalign_actors.engine.code.source import Source, holds_any, matches_from, places
from docalign_actors.engine.facts import Command, FileFacts, Option

FLAG = re.compile(r"--?[A-Za-z0-9][\w.-]*\Z|-[?#@]\Z")
COMMAND_NAME = re.compile(r"[A-Za-z][\w:.-]*\Z")
_WORD_EDGE = re.compile(r"([a-z0-9])([A-Z])|([A-Z]+)([A-Z][a-z])")

PASSTHROUGH = "passthrough"
"""In `FileFacts.opaque`: the parser lets flags through that it does not know."""

UBIQUITOUS_PROGRAMS = frozenset(
    [
        "git", "svn", "hg", "docker", "docker-compose", "podman", "aws", "gcloud", "az", "heroku", "pip", "pip3", "python",
        "python2", "python3", "py", "pypy", "pypy3", "node", "npm", "npx", "yarn", "pnpm", "bun", "bunx", "cargo", "rustc",
        "rustup", "go", "gofmt", "java", "javac", "mvn", "mvnw", "gradle", "gradlew", "ruby", "gem", "bundle", "rake", "php",
        "perl", "dotnet", "apt", "apt-get", "aptitude", "dpkg", "yum", "dnf", "rpm", "zypper", "pacman", "yay", "apk", "brew",
        "port", "choco", "scoop", "winget", "snap", "flatpak", "nix", "nix-env", "nix-shell", "emerge", "pkg", "make", "cmake",
        "ninja", "gcc", "g++", "clang", "cc", "ld", "ar", "configure", "autoconf", "gdb", "valgrind", "strace", "curl", "wget",
        "ssh", "scp", "sftp", "rsync", "nc", "telnet", "ping", "dig", "openssl", "gpg", "cat", "ls", "cp", "mv", "rm", "mkdir",
        "rmdir", "touch", "ln", "chmod", "chown", "find", "grep", "egrep", "fgrep", "sed", "awk", "head", "tail", "sort",
        "uniq", "wc", "cut", "tr", "tee", "xargs", "diff", "patch", "tar", "zip", "unzip", "gzip", "gunzip", "bzip2", "xz",
        "file", "stat", "du", "df", "ps", "top", "kill", "pkill", "killall", "man", "less", "more", "vi", "vim", "nvim", "nano",
        "emacs", "echo", "printf", "export", "source", "set", "unset", "alias", "cd", "pwd", "pushd", "popd", "test", "true",
        "false", "exit", "which", "type", "read", "sleep", "date", "env", "sudo", "su", "bash", "sh", "zsh", "fish", "dash",
        "pwsh", "powershell", "cmd", "systemctl", "service", "journalctl", "crontab", "mount", "umount", "ip", "ifconfig",
        "netstat", "iptables", "ufw", "launchctl", "screen", "psql", "pg_dump", "pg_restore", "createdb", "dropdb", "mysql",
        "mysqldump", "sqlite3", "sysctl", "ulimit", "useradd", "adduser", "usermod", "groupadd", "passwd", "chroot", "install",
        "ldd", "if", "then", "else", "elif", "fi", "for", "while", "do", "done", "case", "esac", "function", "return", "local"
    ]
)  # fmt: skip
"""Programs and shell words that nearly every document uses and that hardly any repository is the home of."""

FOREIGN_PROGRAMS = UBIQUITOUS_PROGRAMS | frozenset(
    [
        "gh", "kubectl", "helm", "minikube", "terraform", "ansible", "ansible-playbook", "vagrant", "pipx", "pip-compile",
        "conda", "mamba", "virtualenv", "ipython", "jupyter", "twine", "deno", "corepack", "nvm", "tsc", "eslint", "prettier",
        "webpack", "vite", "rollup", "jest", "mocha", "pytest", "mypy", "ruff", "black", "flake8", "coverage", "tox", "nox",
        "uv", "poetry", "hatch", "pdm", "composer", "meson", "jq", "yq", "rg", "ffmpeg", "convert", "tmux", "protoc",
        "redis-cli", "redis-server", "nginx", "mongo", "mongosh", "keytool", "certbot", "ab", "wrk", "code", "emacsclient"
    ]
)  # fmt: skip
"""Programs whose arguments in a list of strings are not options of the program at hand."""

_QUOTED_FLAG = re.compile(rb"""(["'`])(--?[A-Za-z][\w.-]{0,60})=?\1""")
_QUOTED_WORD = re.compile(rb"""["'`]([\w.-]{1,30})["'`]""")
_OPENERS = re.compile(rb"[\[({]")
_HANDLED_BEFORE = re.compile(
    rb"(==|!=|\bcase(?:\s{1,4}[\"'][\w=-]{1,40}[\"'],){0,6}|\bin\s*[\[({]|equals\(|HasPrefix\(\w{1,40},|startswith\(|starts_with\(|startsWith\(|strip_prefix\()\s*\Z"
)
_HANDLED_AFTER = re.compile(rb"\s{0,4}(=>|==|\)?\s{0,4}:(?!:)|\|\s*[\"'])")
_TABLE_BEFORE = re.compile(rb"(?<![\w\])>!])\s{0,4}[\[({]\s{0,40}\Z")
_DEALS_WITH_OPTIONS = re.compile(rb"\bclick\b|\btyper\b|argv\b")
_OPTION_WORDS = (
    b"argparse", b"optparse", b"getopt", b"OptionParser", b"ArgumentParser", b"os.Args", b"env::args", b"commander", b"yargs",
    b"minimist", b"String[] args",
)  # fmt: skip


def kebab(name: str) -> str:
    """`dryRun`, `dry_run` and `DryRun` as `dry-run`."""
    return _WORD_EDGE.sub(r"\1\3-\2\4", name).replace("_", "-").lower()


def add_option(
    facts: FileFacts,
    names: Iterable[str],
    line: int,
    *,
    default: str | None = None,
    command: str = "",
    takes_value: bool | None = None,
    env: str = "",
    choices: Iterable[str] = (),
) -> None:
    """Writes an option down if at least one of its names is a flag."""
    flags = tuple(dict.fromkeys(name for name in names if FLAG.match(name)))
    if flags:
        facts.options.append(Option(flags, line, default, command, takes_value, env, tuple(choices)))


def add_command(
    facts: FileFacts, name: str, line: int, *, parent: str = "", aliases: Iterable[str] = (), program: str = ""
) -> None:
    """Writes a sub-command down if its name can be typed."""
    if COMMAND_NAME.match(name):
        others = tuple(dict.fromkeys(a for a in aliases if COMMAND_NAME.match(a) and a != name))
        facts.commands.append(Command(name, line, parent, others, program))


def mark_opaque(facts: FileFacts, *subjects: str) -> None:
    """Says once that such things are defined here in a way that cannot be read."""
    facts.opaque.extend(s for s in subjects if s not in facts.opaque)


def dashed(name: str) -> str:
    """A parser's bare name as it is typed: `p` as `-p`, `port` as `--port`; what has dashes keeps them."""
    if name.startswith("-"):
        return name
    return f"-{name}" if len(name) == 1 else f"--{name}"


def flags_in(text: str) -> list[str]:
    """The flags of a declaration such as `-p, --port <n>` or `--[no-]color`, in order."""
    found: list[str] = []
    for part in re.split(r"[\s,|/;=<>]+", text[:300]):
        plain = part.replace("[no-]", "")
        if FLAG.match(plain):
            found.append(plain)
            if plain != part:
                found.append("--no-" + plain[2:])
        elif not part.startswith("-") and found:
            break
    return found


def collect_quoted_flags(source: Source, facts: FileFacts) -> None:
    """Flags that stand in the file as whole strings and that no parser call accounts for.

    One that is compared with, matched against or the head of a table is an option that is parsed by hand. Any other is only
    kept so that nobody calls it missing.
    """
    data = source.data
    known = {name for option in facts.options for name in option.names}
    deals: bool | None = None
    line, position = 1, 0
    starts = (at for start in (b'"-', b"'-", b"`-") for at in places(data, start))
    for match in matches_from(_QUOTED_FLAG, data, starts):
        name = match[2].decode("ascii", "replace").rstrip(".")
        if name in known or not FLAG.match(name) or _belongs_to_other_program(data, match.start()):
            continue
        known.add(name)
        line, position = line + data.count(b"\n", position, match.start()), match.start()
        if deals is None:
            deals = holds_any(data, _OPTION_WORDS) or (
                holds_any(data, (b"click", b"typer", b"argv")) and bool(_DEALS_WITH_OPTIONS.search(data))
            )
        literal = not (deals and _is_handled(data, match.start(), match.end())) and not _is_compared(data, match)
        facts.options.append(Option((name,), line, literal=literal))
    collect_dispatched_commands(source, facts)
    facts.options.sort(key=lambda option: option.line)
    facts.commands.sort(key=lambda command: command.line)


_READS_ARGUMENTS = re.compile(rb"sys\.argv|process\.argv|os\.Args|env::args|flag\.Args?\(")
_ARGUMENT_WORDS = (b".argv", b"os.Args", b"env::args", b"flag.Arg")
_DISPATCH = re.compile(
    rb"""(?:\b(?:args|argv|Args)(?:\[\d\]|\(\d\))|\b(?:cmd|command|subcommand))(?:\.as_str\(\))?\s{0,2}={2,3}\s{0,2}"""
    rb"""["']([a-z][a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){0,3})["']"""
)
_SWITCH = re.compile(
    rb"(?:switch|match)\s{0,2}\(?\s{0,2}(?:\w{1,20}\.){0,2}(?:(?:args|argv|Args)(?:\[\d\]|\(\d\))|cmd|command|subcommand|Arg\(0\))[\w.()]{0,20}\s{0,2}\)?\s{0,2}[{:]"
)
_CASE = re.compile(
    rb"""^([ \t]*)(?:case\s{1,4})?["']([a-z][a-z0-9]{1,20}(?:-[a-z0-9]{1,20}){0,3})["']\s{0,4}(?::|=>|,|\|)""",
    re.MULTILINE,
)


def collect_dispatched_commands(source: Source, facts: FileFacts) -> None:
    """Sub-commands of a parser written by hand: `case "serve":`, `if args[0] == "serve"`, `"serve" => …`."""
    if facts.commands or not holds_any(source.data, _ARGUMENT_WORDS) or not _READS_ARGUMENTS.search(source.data):
        return
    found = [(match.start(), match[1]) for match in _DISPATCH.finditer(source.data)]
    for head in list(_SWITCH.finditer(source.data))[:10]:
        cases = list(_CASE.finditer(source.data, head.end(), head.end() + 6_000))
        # Cases that stand deeper belong to another switch.
        found += [(case.start(), case[2]) for case in cases if case[1] == cases[0][1]]
    for start, name in found:
        add_command(facts, name.decode(), source.data.count(b"\n", 0, start) + 1)


def _is_compared(data: bytes, match: re.Match[bytes]) -> bool:
    start, end = match.span()
    return bool(_HANDLED_BEFORE.search(data[max(0, start - 160) : start])) or bool(
        re.match(rb"\s{0,4}(=>|==)", data[end : end + 8])
    )


def _is_handled(data: bytes, start: int, end: int) -> bool:
    before = data[max(0, start - 160) : start]
    return bool(
        _TABLE_BEFORE.search(before) or _HANDLED_BEFORE.search(before) or _HANDLED_AFTER.match(data[end : end + 10])
    )


def _belongs_to_other_program(data: bytes, start: int) -> bool:
    """The string is an argument in a list or a call that begins with the name of somebody else's program."""
    before = data[max(0, start - 240) : start]
    openers = [m.end() for m in _OPENERS.finditer(before)]
    segment = before[openers[max(-2, -len(openers))] :] if openers else b""
    return any(word[1].decode("ascii", "replace") in FOREIGN_PROGRAMS for word in _QUOTED_WORD.finditer(segment))
