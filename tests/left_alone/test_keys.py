"""What is there all the same, or was never meant, is left alone: configuration keys."""

from __future__ import annotations

from tests.support.changes import BOTH, GO, Make
from tests.support.renames import readme

NODE_2 = {"package.json": '{"name": "tool", "version": "1.0.0", "main": "index.js", "bin": {"tool": "cli.js"}}\n'}

_CONFIG = (
    'package config\n\ntype Root struct {\n\tLogLevel string `required:"true" default:"info" desc:"What to say"`\n\tSMTP SMTP\n}\n\n'
    'type SMTP struct {\n\tAddr string `default:"0.0.0.0:2500"`\n\tMaxRecipients int `required:"true" default:"200" desc:"How many"`\n'
    '\tTimeout time.Duration `default:"300s"`\n\tOne int\n\tTwo int\n\tThree int\n\tFour int\n\tFive int\n\tSix int\n'
    '\tMaxMessages int `default:"10240"`\n}\n'
)


def test_what_code_only_read_is_no_key_in_the_midst_of_a_sentence(repository: Make) -> None:
    repo = repository({
        **readme("Express gives `response.headersSent` to handlers.", "", "```js", "if (response.headersSent) next()", "```"), **NODE_2,
        "index.js": "module.exports = (response) => {\n  if (response.headersSent) return\n}\n",
    })  # fmt: skip
    repo.replace("headersSent", "writableEnded", "index.js").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_settings_of_a_tool_beside_the_manifest_are_the_tools(repository: Make) -> None:
    repo = repository({
        **readme("| option | default |", "|---|---|", "| `chunkLimit` | 40 |"), **NODE_2,
        "vite.config.ts": "export default { chunkLimit: 40 };\n", "index.js": "module.exports = 1\n",
    })  # fmt: skip
    repo.replace("40", "20", "vite.config.ts").commit()
    assert repo.stale_lines() == set()


@BOTH
def test_a_section_that_names_two_settings_tells_of_neither(repository: Make, since: str) -> None:
    lines = (
        "# Tool",
        "",
        "## Limits",
        "",
        "`MAIL_SMTP_MAXRECIPIENTS`",
        "",
        "`MAIL_SMTP_OTHERS`",
        "",
        "- Default: `200`",
    )
    repo = repository({**GO, "config.go": _CONFIG, "README.md": "\n".join(lines) + "\n"})
    repo.replace('"200"', '"100"', "config.go").commit()
    assert repo.stale_lines(since=since) == set()


def test_a_key_below_another_is_not_the_parameter_of_its_name_that_went(repository: Make) -> None:
    page = """# Configuration

Settings of the engine:

- `search.languages` or `search.language`
- `server.limiter`
"""
    code = "def choose(fetcher, languages):\n    return fetcher(languages)\n"
    repo = repository({"services/search/README.md": page, "services/guard/choose.py": code})
    repo.write({"services/guard/choose.py": "def choose(fetcher, codes):\n    return fetcher(codes)\n"}).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_the_words_of_a_comment_that_all_settings_have_name_none_of_them(repository: Make) -> None:
    def settings(package: str, name: str, minutes: int) -> str:
        note = f"\t// {name} tells how long.\n\t//\n\t// Optional. Default: {minutes} * time.Minute\n\t{name} time.Duration\n"
        given = f"\t{name}: {minutes} * time.Minute,\n"
        return f'package {package}\n\nimport "time"\n\ntype Config struct {{\n{note}}}\n\nvar Default = Config{{\n{given}}}\n'

    def page(name: str) -> str:
        return f"# {name}\n\n```go\ntype Config struct {{\n    // Optional. Default: 1 * time.Minute\n    {name} time.Duration\n}}\n```\n"

    files: dict[str, str | bytes] = {"go.mod": "module example.com/tool\n\ngo 1.21\n"}
    for package, name in (("cache", "Expiration"), ("retry", "Interval")):
        files |= {f"{package}/config.go": settings(package, name, 1), f"docs/{package}.md": page(name)}
    repo = repository(files)
    repo.write({"cache/config.go": settings("cache", "Expiration", 5)}).commit()
    assert "docs/retry.md" not in {path for path, _ in repo.stale_lines(since="HEAD~1")}


def test_the_sample_of_a_file_is_no_key(repository: Make) -> None:
    page = "# Proxy settings\n\nRename `app.subdomain.conf.sample` in the folder of the proxy.\n"
    code = "class Word:\n    text: str\n    conf: float = 0.0\n"
    repo = repository({"docs/proxy.md": page, "tool/ocr.py": code, "tool/__init__.py": ""})
    repo.replace("    conf: float = 0.0\n", "", "tool/ocr.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_key_in_another_spelling_is_that_of_the_class_which_still_has_it(repository: Make) -> None:
    task = 'public class HttpTask {\n    private String contentType = "application/json";\n}\n'
    queue = 'public class QueueSettings {\n    @ConfigurationProperties\n    private String contentType = "text";\n}\n'
    page = '# Settings\n\n```json\n{\n  "uri": "x",\n  "method": "GET",\n  "content-Type": "application/json"\n}\n```\n'
    repo = repository({"docs/task.md": page, "src/HttpTask.java": task, "src/QueueSettings.java": queue})
    repo.delete("src/QueueSettings.java").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_key_that_is_struck_out_is_said_to_be_gone(repository: Make) -> None:
    code = "export interface Options {\n  refSugar?: boolean\n  customElement?: boolean\n}\n"
    page = (
        "# App\n\n## Options\n\n- ~~`refSugar: boolean`: use `customElement` instead.~~\n- `customElement: boolean`\n"
    )
    repo = repository({"README.md": page, "package.json": '{"name": "app"}\n', "src/index.ts": code})
    repo.replace("  refSugar?: boolean\n", "", "src/index.ts").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


def test_a_key_of_a_service_s_hidden_settings_is_the_service_s(repository: Make) -> None:
    page = "# App\n\nAdd to your `.travis.yml`:\n\n```yaml\nafter_success:\n- app publish\n```\n"
    repo = repository({"README.md": page, "app.py": "x = 1\n", ".frigg.yml": "tasks:\n- test\nafter_success:\n- app\n"})
    repo.git("rm", "-q", ".frigg.yml")
    repo.git("commit", "-qm", "another service")
    assert repo.stale_lines(since="HEAD~1") == set()


def test_names_of_arguments_classes_services_and_other_tools_keys_are_not_the_code_s(repository: Make) -> None:
    page = """# Tool

```sh
tool add [class_name] [attribute_name]
```

Give the link a class: `<a class="page-link" href="#">`. Keys of the ZoomEye API are read.

```yaml
images:
  - newTag: "1"
```

Older versions run on:

- Ruby 1.9+
"""
    code = """# Talks to ZoomEye.
class Maker
  def add(class_name, attribute_name)
    link('page-link')
  end
end
"""
    files: dict[str, str | bytes] = {
        "README.md": page,
        "lib/maker.rb": code,
        "deploy/kustomization.yaml": "images:\n  - newTag: '{{.Tag}}'\n",
        "tool.gemspec": "Gem::Specification.new do |s|\n  s.name = 'tool'\n  s.required_ruby_version = '>= 1.9'\nend\n",
    }
    repo = repository(files)
    repo.write(
        {"lib/maker.rb": "class Maker\n  def add(kind)\n  end\nend\n", "deploy/kustomization.yaml": "images: []\n"}
    )
    repo.replace(">= 1.9", ">= 2.5", "tool.gemspec").commit()
    assert repo.stale_lines(since="HEAD~1") == set()
