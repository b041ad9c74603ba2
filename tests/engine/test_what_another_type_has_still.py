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
