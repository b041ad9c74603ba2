from tests.symbols_other.reading import collected, defined, shape

SOURCE = """package server

import (
	"fmt"
	. "strings"
	log "github.com/sirupsen/logrus"
	"github.com/go-chi/chi/v5"
	"gopkg.in/yaml.v3"
)

const DefaultPort, host = 8080, "localhost"

var (
	Timeout = 1.5
	Handler = func(path string) error { return nil }
	Now     = time.Now()
)

// Options are the options.
type Options[T any] struct {
	*Base
	http.Client
	Name, Title string `json:"name,omitempty"`
	Nested      []struct{ Depth int }
	private     bool
}

type Runner interface {
	Run(ctx context.Context, args ...string) error
	fmt.Stringer
}

type Level int
type Alias = Level

func New(name string, size, depth int) *Options[int] {
	const local = 3
	var other = 4
	return nil
}

func (o *Options[T]) Apply(fns ...func(int)) {}
func (Level) String() string { return "" }
func helper(int, string) {}
"""


def test_functions_and_methods_are_found_with_their_parameters() -> None:
    found = defined("a.go", SOURCE)
    assert (found["New"].kind, shape(found["New"])) == ("function", ["name", "size", "depth"])
    assert (found["Options.Apply"].kind, shape(found["Options.Apply"])) == ("method", ["*fns"])
    assert found["Level.String"].params == ()
    assert shape(found["helper"]) == ["_", "_"]


def test_an_upper_case_name_is_public_and_a_lower_case_one_is_not() -> None:
    found = defined("a.go", SOURCE)
    assert found["New"].public
    assert not found["helper"].public
    assert not found["Options.private"].public


def test_struct_fields_belong_to_their_struct_however_deep() -> None:
    found = defined("a.go", SOURCE)
    assert found["Options"].kind == "class"
    assert found["Options"].bases == ("Base", "http.Client")
    assert found["Options.Name"].decorators == ('json:"name,omitempty"',)
    assert {"Options.Title", "Options.Base", "Options.Client", "Options.Nested", "Options.Nested.Depth"} <= set(found)


def test_interface_methods_and_embedded_interfaces_are_found() -> None:
    found = defined("a.go", SOURCE)
    assert shape(found["Runner.Run"]) == ["ctx", "*args"]
    assert found["Runner"].bases == ("fmt.Stringer",)


def test_constants_keep_their_literal_and_calls_are_no_literal() -> None:
    found = defined("a.go", SOURCE)
    assert (found["DefaultPort"].value, found["host"].value, found["Timeout"].value) == ("8080", "localhost", "1.5")
    assert found["Now"].value is None


def test_a_function_kept_in_a_variable_is_a_function() -> None:
    found = defined("a.go", SOURCE)
    assert (found["Handler"].kind, shape(found["Handler"])) == ("function", ["path"])


def test_what_a_function_declares_inside_is_not_a_definition() -> None:
    assert not {"local", "other"} & set(defined("a.go", SOURCE))


def test_named_types_and_aliases_are_types() -> None:
    found = defined("a.go", SOURCE)
    assert (found["Level"].kind, found["Alias"].kind, found["Alias"].bases) == ("type", "type", ("Level",))


def test_imports_are_known_by_the_name_they_are_used_by() -> None:
    imports = {(i.module, i.name, i.alias) for i in collected("a.go", SOURCE).imports}
    assert imports == {
        ("fmt", "", "fmt"),
        ("strings", "*", ""),
        ("github.com/sirupsen/logrus", "", "log"),
        ("github.com/go-chi/chi/v5", "", "chi"),
        ("gopkg.in/yaml.v3", "", "yaml"),
    }


def test_definitions_come_in_source_order_with_the_line_of_their_name() -> None:
    definitions = collected("a.go", SOURCE).definitions
    assert definitions[0].qualname == "server"
    assert [d.line for d in definitions] == sorted(d.line for d in definitions)
    assert defined("a.go", SOURCE)["Options"].line == 20


def test_a_function_after_a_syntax_error_is_still_found() -> None:
    found = defined("a.go", "package p\n\nfunc A( {\n\nfunc B(x int) {}\n")
    assert {"A", "B"} <= {d.name for d in found.values()}
