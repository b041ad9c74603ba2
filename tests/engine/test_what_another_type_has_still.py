"""A type loses a key or a method, and a document shows that of another type, which has it still."""

from __future__ import annotations

from collections.abc import Callable

from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]

EVENTS = """export interface StockLowEvent {
  productId: number;
  quantity: number;
  eventVersion: string;
  occurredAt: string;
}
"""
CREATED = """export interface VariantCreatedEvent {
  productId: number;
  variantId: number;
  eventVersion: string;
  occurredAt: string;
}
"""


def lines(repo: Repository) -> set[tuple[str, int]]:
    return {(mention.file, mention.line) for finding in repo.drifted(since="HEAD~1") for mention in finding.mentions}


def test_a_key_that_another_type_has_beside_the_same_others_is_that_types(repository: Make) -> None:
    page = "# Events\n\n```ts\n{\n  productId: 7,\n  eventVersion: 'v1',\n  occurredAt: 'now',\n}\n```\n"
    low = "# Low\n\n```ts\n{\n  productId: 7,\n  quantity: 3,\n  eventVersion: 'v1',\n  occurredAt: 'now',\n}\n```\n"
    repo = repository({"docs/created.md": page, "docs/low.md": low, "src/low.ts": EVENTS, "src/created.ts": CREATED})
    repo.replace("productId", "itemId", "src/low.ts").commit()
    assert lines(repo) == {("docs/low.md", 5)}


def test_a_method_that_a_type_has_beside_the_others_went_nowhere_when_one_line_calls_another(repository: Make) -> None:
    page = """# Registries

```go
type Registry interface {
    Create(ctx context.Context) error
    Get(ctx context.Context) error
    List(ctx context.Context) error
}
```
"""
    registry = """package memory

type Registry struct{}

func (r *Registry) Create() error { return nil }

func (r *Registry) Get() error { return nil }

func (r *Registry) List() error { return nil }
"""
    calls = """package memory

func all(r *Registry) {
	r.Create()
	r.Get()
	r.List()
}
"""
    repo = repository(
        {"docs/a.md": page, "memory/registry.go": registry, "memory/calls.go": calls, "go.mod": "module x\n"}
    )
    repo.replace("r.Create()", "r.CreateWithUser()", "memory/calls.go").commit()
    assert lines(repo) == set()


def test_a_word_that_went_from_a_list_and_that_other_files_have_still_is_not_called_gone(repository: Make) -> None:
    listed = 'package reference\n\nvar Names = []string{\n\t"departments",\n\t"brands",\n\t"cities",\n\t"floors",\n}\n'
    page = "# Tables\n\n#### `departments`\n\nx\n\n#### `brands`\n\nx\n\n#### `cities`\n\nx\n"
    code: dict[str, str | bytes] = {"go.mod": "module x\n", "reference/names.go": listed, "docs/tables.md": page}
    used = 'package department\n\nfunc Scope() string { return "departments" }\n'
    repo = repository({**code, "department/scope.go": used, "audit/record.go": used.replace("Scope", "Record")})
    repo.replace('"departments"', '"companies"', "reference/names.go").commit()
    assert lines(repo) == set()


def test_a_word_that_went_from_a_list_is_gone_where_one_file_alone_has_it_by_chance(repository: Make) -> None:
    listed = 'package reference\n\nvar Names = []string{\n\t"departments",\n\t"brands",\n\t"cities",\n\t"floors",\n}\n'
    page = "# Tables\n\n#### `departments`\n\nx\n\n#### `brands`\n\nx\n\n#### `cities`\n\nx\n"
    code: dict[str, str | bytes] = {"go.mod": "module x\n", "reference/names.go": listed, "docs/tables.md": page}
    used = 'package department\n\nfunc Scope() string { return "departments" }\n'
    repo = repository({**code, "department/scope.go": used})
    repo.replace('"departments"', '"companies"', "reference/names.go").commit()
    assert lines(repo) == {("docs/tables.md", 3)}


def test_of_lines_that_were_alike_and_went_only_the_likest_has_the_new_one_for_its_successor(repository: Make) -> None:
    keys = 'KEYS = [\n    "ris:inventory:stock:42:all",\n    "ris:inventory:stock:42:west",\n    "ris:retail:order:7",\n]\n'
    page = "# Cache\n\n```sh\nredis-cli GET 'ris:inventory:stock:42:all'\nredis-cli GET 'ris:retail:order:7'\n```\n"
    repo = repository({"docs/cache.md": page, "src/keys.py": keys})
    repo.write({"src/keys.py": 'KEYS = [\n    "ris:retail:order:v1:7",\n]\n'}).commit()
    found = {f.claim: f.fix.replacement if f.fix else "" for f in repo.drifted(since="HEAD~1")}
    assert found == {"ris:inventory:stock:42:all": "", "ris:retail:order:7": "ris:retail:order:v1:7"}


def test_a_constant_that_became_a_field_of_settings_is_a_variable_now(repository: Make) -> None:
    page = "# Bot\n\nPut into `.env`:\n\n- `TELEGRAM_TOKEN`: the token\n- `JIRA_PASS`: the password\n"
    settings = (
        "from pydantic_settings import BaseSettings, SettingsConfigDict\n\n\n"
        "class Telegram(BaseSettings):\n    TOKEN: str\n\n"
        '    model_config = SettingsConfigDict(env_file=".env", env_prefix="TELEGRAM_")\n'
    )
    main = 'TELEGRAM_TOKEN = "x"\nJIRA_PASS = "y"\n\n\ndef run():\n    return TELEGRAM_TOKEN, JIRA_PASS\n'
    repo = repository({"README.md": page, "bot/__init__.py": "", "bot/main.py": main})
    repo.write({"bot/main.py": "def run():\n    return 1\n", "bot/settings.py": settings}).commit()
    assert ("README.md", 5) not in lines(repo)
