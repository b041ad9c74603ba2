"""Facts that a fifth reader refactored away: told in other lists, in samples, by a constant's name, under a prefix that all routes got."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]
BOTH = pytest.mark.parametrize("since", ["", "HEAD~1"])

PROTO = (
    'syntax = "proto3";\n\nservice Index {\n  rpc Live (Empty) returns (Answer) {\n    option (google.api.http) = {\n'
    '      get: "/v1/live"\n    };\n  }\n  rpc Node (Empty) returns (Answer) {\n    option (google.api.http) = {\n'
    '      get: "/v1/node"\n    };\n  }\n  rpc Get (Empty) returns (Answer) {\n    option (google.api.http) = {\n'
    '      get: "/v1/documents/{id=**}"\n    };\n  }\n}\n'
)
SERVER = (
    'import os\n\nport = int(os.getenv("APP_PORT", "8675"))\ntimeout = int(os.getenv("APP_TIMEOUT", "5"))\n'
    'limit = int(os.getenv("APP_LIMIT", "15"))\n'
)
GO_CONFIG = (
    "package config\n\ntype Config struct {\n\tOperationalMode int\n}\n\n"
    'func New() Config {\n\tc := Config{\n\t\tOperationalMode: ModeStreaming,\n\t}\n\tif val := os.Getenv("mode"); val != "" {\n'
    "\t\tc.OperationalMode = Parse(val)\n\t}\n\treturn c\n}\n"
)
GO_MODES = "package config\n\nconst (\n\tModeStreaming = 1\n\tModeHTTP = 2\n\tModeStatic = 3\n)\n"
RAKE = "namespace :shop do\n  task clear_old: :environment do\n    Shop.clear\n  end\n\n  task seed: :environment do\n    Shop.seed\n  end\nend\n"
PICOCLI = (
    'import picocli.CommandLine.Command;\n\n@Command(description = "Runs")\npublic class App implements Runnable {\n'
    '    @Command(description = "Deletes all topics")\n    public void clean() {\n        work();\n    }\n\n'
    '    @Command(description = "Clears the state")\n    public void reset() {\n        work();\n    }\n}\n'
)
CONFIG_TS = (
    "export type Config = { cache: string | null; timeout: number; port: string; host: string; width: number };\n\n"
    "export class ConfigManager {\n  public static config: Config = {\n    cache: null,\n    timeout: 10000,\n    port: '3000',\n"
    "    host: '0.0.0.0',\n    width: 1000,\n  };\n}\n"
)
SHOWN_TS = (
    "# Reference\n\n## `Config`\n\nIt can be overridden.\n\n```javascript\npublic static config: Config = {\n    cache: null,\n"
    "    timeout: 10000,\n    port: '3000',\n    host: '0.0.0.0',\n    width: 1000,\n};\n```\n"
)
KOA = (
    "import Koa from 'koa';\nimport route from 'koa-route';\n\nexport const app = new Koa();\n"
    "app.use(route.get('/render/:url(.*)', render));\napp.use(route.get('/invalidate/:url(.*)', invalidate));\n"
)


@BOTH
def test_routes_that_all_get_a_prefix_are_each_missed(repository: Make, since: str) -> None:
    text = "# Tool\n\n```sh\ncurl http://localhost:8000/v1/live\ncurl http://localhost:8000/v1/node\ncurl http://localhost:8000/v1/documents/1\n```\n"
    repo = repository({"README.md": text, "api/index.proto": PROTO, "main.go": "package main\n"})
    repo.replace('"/v1/', '"/api/v1/', "api/index.proto").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4), ("README.md", 5), ("README.md", 6)}


@BOTH
@pytest.mark.parametrize(
    "line",
    [
        "curl -X PUT http://localhost:1/x --data-binary @./examples/bulk.json",
        "curl -F file=@examples/bulk.json http://localhost:1/x",
        "docker run -v $(pwd)/examples/bulk.json:/etc/bulk.json tool",
        "docker run -v $PWD/examples/bulk.json:/etc/bulk.json tool",
        'docker run -v "${PWD}/examples/bulk.json:/etc/bulk.json" tool',
    ],
)
def test_a_file_that_a_command_sends_or_mounts_is_missed(repository: Make, since: str, line: str) -> None:
    repo = repository({"README.md": f"# Tool\n\n```sh\n{line}\n```\n", "examples/bulk.json": '{"a": 1}\n'})
    repo.move("examples/bulk.json", "examples/many.json").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_default_of_a_list_of_definitions_in_html_belongs_to_its_term(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\n<dl>\n<dt>APP_USE_AVATAR\n<dd>Show faces\n<dd>defaults to true\n<dt>APP_USE_NAME\n<dd>Show names\n<dd>defaults to true\n"
        "<dt>APP_LEVELS</dt>\n<dd>When to send</dd>\n<dd>defaults to [1,10,100]</dd>\n</dl>\n"
    )
    env = "APP_USE_AVATAR=true\nAPP_USE_NAME=true\nAPP_LEVELS='[1,10,100]'\n"
    code = 'CONFIG = run(avatar: ["APP_USE_AVATAR"], name: ["APP_USE_NAME"], levels: ["APP_LEVELS"])\n'
    repo = repository({"README.md": text, ".env.default": env, "config/load.rb": code})
    repo.replace("AVATAR=true", "AVATAR=false", ".env.default").commit()
    assert repo.stale_lines(since=since) == {("README.md", 6)}
    repo.replace("[1,10,100]", "[1,5,50]", ".env.default").commit()
    assert ("README.md", 12) in repo.stale_lines(since=since)


@BOTH
def test_a_default_in_brackets_below_a_sentence_that_promises_defaults_is_held_to_the_code(
    repository: Make, since: str
) -> None:
    text = (
        '# Tool\n\nIt reacts to the following variables with (defaults):\n\nServer\n\n* APP_PORT - The port ("8675")\n'
        '* APP_TIMEOUT - How long it waits in sec ("5")\n* APP_LIMIT - Connections ("15") - at once\n'
    )
    repo = repository({"README.md": text, "server.py": SERVER})
    repo.replace('TIMEOUT", "5"', 'TIMEOUT", "8"', "server.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 8)}


def test_what_stands_in_brackets_need_be_no_default(repository: Make) -> None:
    text = '# Tool\n\nIt reacts to these variables:\n\n* APP_TIMEOUT - How long it waits ("5" is a good choice)\n* APP_LIMIT - Connections ("5")\n'
    repo = repository({"README.md": text, "server.py": SERVER})
    repo.replace('TIMEOUT", "5"', 'TIMEOUT", "8"', "server.py").commit()
    assert repo.stale_lines(since="HEAD~1") == set()


@BOTH
@pytest.mark.parametrize("mark", [";", "#", "//"])
def test_a_comment_tells_the_default_of_the_key_below_it(repository: Make, since: str, mark: str) -> None:
    text = (
        f"# Tool\n\n```ini\n[defaults]\nhost = x\n\n{mark} optionally set the level for what is left out, defaults to INFO\n"
        f"{mark} filteredloglevel = DEBUG\n```\n"
    )
    code = 'class Config:\n    def __init__(self):\n        self.host = "x"\n        self.filteredloglevel = "INFO"\n'
    repo = repository({"README.md": text, "tool/config.py": code})
    repo.replace('"INFO"', '"WARN"', "tool/config.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 7)}


def test_a_default_that_is_a_constant_is_told_by_the_end_of_its_name(repository: Make) -> None:
    text = (
        "# Tool\n\n| Option | Usage |\n|---|---|\n| `mode` | The mode in which it operates. Default: `streaming` |\n"
        "| `port` | Default `streaming` of nothing |\n"
    )
    repo = repository({"README.md": text, "config/config.go": GO_CONFIG, "config/modes.go": GO_MODES})
    repo.replace("OperationalMode: ModeStreaming", "OperationalMode: ModeHTTP", "config/config.go").commit()
    assert repo.stale_lines() == {("README.md", 5)}


@BOTH
def test_what_an_object_starts_with_is_no_default_of_a_key_that_is_looked_up(repository: Make, since: str) -> None:
    code = (
        "class Watch:\n    def __init__(self):\n        self._fail_on_loss = True\n\n    def load(self, config):\n"
        '        self._fail_on_loss = config.get("fail_on_loss", True)\n        self.level = config.get("level", "INFO")\n'
    )
    text = "# Tool\n\n``fail_on_loss`` (default ``true``)\n\nWhether it fails.\n\n``level`` (default ``INFO``)\n\nHow much it says.\n"
    repo = repository({"README.md": text, "tool/watch.py": code})
    repo.replace('"fail_on_loss", True', '"fail_on_loss", False', "tool/watch.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
@pytest.mark.parametrize(
    "told", ["bundle exec rails shop:clear_old", "bin/rails shop:clear_old", "rails shop:clear_old"]
)
def test_a_task_of_rake_that_rails_runs_is_missed(repository: Make, since: str, told: str) -> None:
    repo = repository(
        {
            "README.md": f"# Tool\n\nThen run `{told}`.\n\nThen run `rails shop:seed` and `rails server`.\n",
            "lib/tasks/shop.rake": RAKE,
            "Gemfile": 'source "https://rubygems.org"\ngem "rails"\n',
        }
    )
    repo.replace("clear_old", "purge", "lib/tasks/shop.rake").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_method_that_is_a_command_is_missed_under_its_old_name(repository: Make, since: str) -> None:
    text = "# Tool\n\nThe following commands are available:\n\n- `clean`: Delete all topics.\n\n- `reset`: Clear the state.\n"
    pom = "<project><artifactId>tool</artifactId></project>\n"
    repo = repository({"README.md": text, "src/main/java/App.java": PICOCLI, "pom.xml": pom})
    repo.replace("void reset()", "void rewind()", "src/main/java/App.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 7)}


@BOTH
def test_a_sample_that_is_a_copy_of_the_code_is_held_to_it(repository: Make, since: str) -> None:
    repo = repository({"docs/reference.md": SHOWN_TS, "src/config.ts": CONFIG_TS})
    repo.replace("timeout: 10000", "timeout: 20000", "src/config.ts").commit()
    assert repo.stale_lines(since=since) == {("docs/reference.md", 10)}


@BOTH
def test_an_endpoint_that_is_told_by_its_last_part_goes_with_its_route(repository: Make, since: str) -> None:
    text = (
        "# Tool\n\n```\nGET /invalidate/<url>\n```\n\nThe `invalidate` endpoint takes it out of the cache.\n\n"
        "```\nGET /render/<url>\n```\n\nThe `render` endpoint draws it; to `invalidate` is to forget.\n"
    )
    repo = repository({"README.md": text, "src/app.ts": KOA})
    repo.replace("/invalidate/", "/purge/", "src/app.ts").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4), ("README.md", 7)}


@BOTH
def test_a_variable_that_a_sentence_reads_out_of_the_environment_is_missed(repository: Make, since: str) -> None:
    repo = repository(
        {
            "README.md": "# Tool\n\n- `port` is the port. Note if process.env.PORT is set, it is used instead.\n",
            "src/app.ts": "class App {\n  private port = process.env.PORT || null;\n  private host = process.env.HOST || null;\n}\n",
        }
    )
    repo.replace("process.env.PORT", "process.env.TOOL_PORT", "src/app.ts").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}


@BOTH
def test_a_method_of_two_words_behind_a_dot_is_missed_in_a_sentence(repository: Make, since: str) -> None:
    code = "public class App {\n    public Map<String, Object> createKafkaProperties() {\n        return Map.of();\n    }\n}\n"
    repo = repository(
        {
            "README.md": "# Tool\n\nOverride `createKafkaProperties()`.\n\n1. The base\n2. What comes from .createKafkaProperties()\n",
            "src/main/java/App.java": code,
        }
    )
    repo.replace("createKafkaProperties", "createKafkaConfig", "src/main/java/App.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 6)}


def test_an_item_that_begins_with_another_setting_says_nothing_of_the_changed_one(repository: Make) -> None:
    code = (
        "pub fn dns_tcp_timeout() -> u64 {\n    2\n}\n\npub fn redis_connection_timeout_seconds() -> u64 {\n    2\n}\n"
    )
    config = (
        'pub struct Dns {\n    #[serde(default = "defaults::dns_tcp_timeout")]\n    pub tcp_timeout: u64,\n}\n\npub struct Redis {\n'
        '    #[serde(default = "defaults::redis_connection_timeout_seconds")]\n    pub connection_timeout_seconds: u64,\n}\n'
    )
    text = (
        "# Tool\n\n* `tcp_timeout` (type: _integer_, default: `2`) — Timeout of DNS over TCP connections\n"
        "* `connection_timeout_seconds` (type: _integer_, default: `2`) — Timeout to consider it dead and reject DNS queries\n"
    )
    repo = repository(
        {
            "README.md": text,
            "src/defaults.rs": code,
            "src/config.rs": config,
            "Cargo.toml": '[package]\nname = "tool"\n',
            "config.cfg": "[dns]\ntcp_timeout = 2\n\n[redis]\nconnection_timeout_seconds = 2\n",
        }
    )
    repo.replace("dns_tcp_timeout() -> u64 {\n    2", "dns_tcp_timeout() -> u64 {\n    5", "src/defaults.rs")
    repo.replace("tcp_timeout = 2", "tcp_timeout = 5", "config.cfg").commit()
    assert repo.stale_lines(since="HEAD~1") == {("README.md", 3)}


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
def test_an_import_of_a_class_that_got_another_name_is_missed_although_its_module_sets_attributes(
    repository: Make, since: str
) -> None:
    code = (
        "class Struct:\n    def __init__(self, **entries):\n        self.__dict__.update(entries)\n\n\nclass Service:\n"
        '    """What plugins are given."""\n\n    def __init__(self, name):\n        self.name = name\n'
    )
    main = 'from tool.model import Service\n\nlabel = "Service"\n\n\ndef run():\n    return Service("x")\n'
    text = "# Tool\n\n```python\nfrom tool.model import Service\n\ndef pinger(srv: Service):\n    srv.name\n```\n"
    project = '[project]\nname = "tool"\n'
    repo = repository(
        {
            "README.md": text,
            "tool/__init__.py": "",
            "tool/model.py": code,
            "tool/main.py": main,
            "pyproject.toml": project,
        }
    )
    repo.replace("class Service", "class PluginService", "tool/model.py")
    repo.replace("import Service", "import PluginService", "tool/main.py").replace(
        'Service("x', 'PluginService("x', "tool/main.py"
    ).commit()
    assert ("README.md", 4) in repo.stale_lines(since=since)


@BOTH
def test_a_route_that_only_another_programs_catch_all_would_take_is_missed(repository: Make, since: str) -> None:
    server = (
        'class Handler:\n    def do_GET(self):\n        path = self.path\n        if path.startswith("/control/reserve"):\n            return 1\n'
        '        elif path.startswith("/control/mode"):\n            return 2\n'
    )
    other = 'from fastapi import APIRouter\n\nrouter = APIRouter()\n\n\n@router.post("/control/{path:path}")\ndef control(path):\n    return path\n'
    main = "from fastapi import FastAPI\n\nfrom server.legacy import router\n\napp = FastAPI()\napp.include_router(router)\n"
    text = "# Tool\n\n| Path | What |\n|---|---|\n| `/control/reserve` | Sets it |\n| `/control/mode` | Sets it |\n"
    repo = repository({"README.md": text, "proxy/server.py": server, "server/legacy.py": other, "server/main.py": main})
    repo.replace("/control/reserve", "/control/backup", "proxy/server.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5)}


RAILS = (
    "Rails.application.routes.draw do\n  namespace :api do\n    namespace :v1 do\n      resources :stats, only: [] do\n        collection do\n"
    "          get :app\n        end\n      end\n    end\n  end\nend\n"
)


@BOTH
def test_a_part_of_a_path_that_went_from_among_the_others_is_missed(repository: Make, since: str) -> None:
    text = "# Tool\n\n```sh\ncurl 'https://tool.example.com/api/v1/stats/app?key=1'\ncurl 'https://tool.example.com/api/v1/notes/app?key=1'\n```\n"
    repo = repository({"README.md": text, "config/routes.rb": RAILS})
    repo.replace("namespace :v1", "namespace :v2", "config/routes.rb").commit()
    assert repo.stale_lines(since=since) == {("README.md", 4)}


@BOTH
def test_a_parameter_of_one_word_that_is_nowhere_any_more_is_missed_as_an_argument(
    repository: Make, since: str
) -> None:
    code = "class Wall:\n    def strings(self, jsonformat=False, verbose=False):\n        return jsonformat\n\n    def poll(self, api, jsonformat=False):\n        return api\n"
    text = (
        "# Tool\n\n* pw.strings(jsonformat=True)\n\nIt is a string if `jsonformat=True`, and jsonformat is a word.\n\n```\nFunctions\n"
        "    poll(api, jsonformat)   # Returns data\n    other(jsonformat)\n```\n"
    )
    repo = repository({"README.md": text, "tool/__init__.py": "", "tool/wall.py": code})
    repo.replace("jsonformat", "as_json", "tool/wall.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3), ("README.md", 5), ("README.md", 9)}


def test_an_argument_whose_word_the_code_has_still_is_not_missed(repository: Make) -> None:
    code = 'class Wall:\n    def strings(self, jsonformat=False):\n        return {"jsonformat": jsonformat}\n'
    repo = repository(
        {"README.md": "# Tool\n\n* pw.other(jsonformat=True)\n", "tool/__init__.py": "", "tool/wall.py": code}
    )
    repo.replace("self, jsonformat=False", "self, as_json=False", "tool/wall.py").replace(
        ": jsonformat}", ": as_json}", "tool/wall.py"
    ).commit()
    assert repo.stale_lines(since="HEAD~1") == set()


@BOTH
def test_a_prefix_of_two_letters_that_the_code_calls_one_takes_its_variables_along(
    repository: Make, since: str
) -> None:
    code = 'class Script(Base):\n    """Exports."""\n\n    name = "tool"\n    envvar_prefix = "QE"\n\n    def run(self):\n        return 1\n'
    text = "# Tool\n\n| Option | Environment variable |\n|---|---|\n| `--port` | `QE_PORT` |\n| `--log-level` | `QE_LOG_LEVEL` |\n"
    repo = repository({"README.md": text, "tool/__init__.py": "", "tool/main.py": code})
    repo.replace('"QE"', '"TOOL"', "tool/main.py").commit()
    assert repo.stale_lines(since=since) == {("README.md", 5), ("README.md", 6)}


@BOTH
def test_a_constant_with_default_in_its_midst_gives_what_the_one_without_it_names(repository: Make, since: str) -> None:
    code = (
        'public class Writer {\n    public final static String SETTING_BUFFER_SIZE = "bufferSize";\n    private final static int SETTING_DEFAULT_BUFFER_SIZE = 1024;\n\n'
        "    void start() {\n        int size = getInt(settings, SETTING_BUFFER_SIZE, SETTING_DEFAULT_BUFFER_SIZE);\n    }\n}\n"
    )
    text = "# Tool\n\n* `bufferSize`: max buffer size. Optional, default value is 1024.\n"
    repo = repository({"README.md": text, "src/main/java/Writer.java": code})
    repo.replace("SIZE = 1024", "SIZE = 4096", "src/main/java/Writer.java").commit()
    assert repo.stale_lines(since=since) == {("README.md", 3)}
