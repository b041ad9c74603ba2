import pytest

from tests.symbols_other.reading import collected, defined, shape

C = """#define LIMIT 10
#define SQUARE(x, y) ((x) * (y))
typedef struct point { int x; char *label[3]; int (*callback)(int); } point_t;
typedef struct { int width; } box;
enum color { RED = 1, GREEN };
static const char *name = "hi";
int parse(int argc, char *argv[], ...);
static int *helper(void) { int local = 1; return 0; }
"""
CPP = """namespace a::b {
template <typename T> class Foo : public Bar<T>, private z::Q {
 public:
  explicit Foo(int x);
  virtual int run(const std::string& text, int n = 3) const = 0;
  enum class Mode { On };
  int field_ = 3;
};
using Alias = Foo<int>;
}
int a::b::Foo<int>::run(const std::string& text, int n) const { int local = 1; return 1; }
"""
CSHARP = """namespace A.B {
[Serializable]
public class Foo<T> : Bar, IBaz<T> {
  public const int Max = 10;
  private string _secret = "x";
  public string Name { get; set; } = "d";
  public Foo(int a) {}
  public async Task Run(int a, int b = 2, params string[] rest) { int local = 3; }
  public enum Level { Low = 1 }
}
public record Point(int X, int Y);
}
"""
RUBY = """module A
  class Foo < Bar::Baz
    MAX = 10
    attr_accessor :name, :age
    def initialize(a, b = 1, *rest, k:, o: 2, **kw, &blk); end
    def self.make(x) = x
    class << self
      def build; end
    end
    alias_method :fresh, :make
    define_method(:dynamic) { }
  end
end
class A::C; end
"""
PHP = """<?php
namespace A\\B;
define('FOO', 3);
const BAR = "x";
abstract class Foo extends Base implements I {
  public const MAX = 10;
  protected $name = 'd';
  public function __construct(private int $id, $b = 3, ...$rest) { $local = 1; }
}
enum Suit: string { case Hearts = 'h'; }
function helper(&$a) {}
"""
KOTLIN = """package a.b

data class Foo<T>(val a: Int, c: Int) : Bar(), I {
  companion object {
    const val MAX = 10
  }
  fun run(a: Int, vararg b: String, c: Int = 3) {
    val local = 1
  }
  private val hidden = 3
}

enum class Level {
  LOW, HIGH
}

typealias Alias = Foo<Int>

fun String.shout(times: Int): Int = 3
"""
SWIFT = """public class Foo: Bar, P {
  public static let max = 10
  init(x: Int) {}
  func run(_ a: Int, with b: String = "d", rest: Int...) { let local = 1 }
  enum Mode: String { case fast = "F", slow }
}
protocol P { func draw(a: Int); var size: Int { get } }
extension Foo { func extra() {} }
let limit = 3
"""
SHELL = """#!/bin/bash
PORT=8080
export HOST="localhost"
function start { local inner=1; }
stop() { OTHER=3; LANG=C sort; }
LC_ALL=C sort file
"""


@pytest.mark.parametrize(
    ("path", "source", "names"),
    [
        (
            "a.c",
            C,
            "LIMIT SQUARE point point_t point.label point.callback box box.width color color.RED name parse helper",
        ),
        ("a.cpp", CPP, "a.b a.b.Foo a.b.Foo.Foo a.b.Foo.run a.b.Foo.Mode a.b.Foo.Mode.On a.b.Foo.field_ a.b.Alias"),
        (
            "a.cs",
            CSHARP,
            "A.B Foo Foo.Max Foo._secret Foo.Name Foo.Foo Foo.Run Foo.Level Foo.Level.Low Point Point.X Point.Y",
        ),
        ("a.rb", RUBY, "A A.Foo A.Foo.MAX A.Foo.name A.Foo.age A.Foo.make A.Foo.build A.Foo.fresh A.Foo.dynamic A.C"),
        ("a.php", PHP, "A.B FOO BAR Foo Foo.MAX Foo.name Foo.id Foo.__construct Suit Suit.Hearts helper"),
        ("a.kt", KOTLIN, "a.b Foo Foo.a Foo.MAX Foo.run Foo.hidden Level Level.LOW Level.HIGH Alias shout"),
        (
            "a.swift",
            SWIFT,
            "Foo Foo.max Foo.init Foo.run Foo.Mode Foo.Mode.fast Foo.Mode.slow P P.draw P.size Foo.extra limit",
        ),
        ("a.sh", SHELL, "PORT HOST start stop"),
    ],
)
def test_every_name_is_found_with_its_owner_and_no_local_one(path: str, source: str, names: str) -> None:
    found = defined(path, source)
    assert set(names.split()) <= set(found)
    assert not {"local", "inner", "OTHER", "LANG", "LC_ALL"} & {d.name for d in found.values()}


@pytest.mark.parametrize(
    ("path", "source", "qualname", "expected"),
    [
        ("a.c", C, "parse", ["argc", "argv", "*..."]),
        ("a.c", C, "helper", []),
        ("a.c", C, "SQUARE", ["x", "y"]),
        ("a.cpp", CPP, "a.b.Foo.run", ["text", "n=3"]),
        ("a.cs", CSHARP, "Foo.Run", ["a", "b=2", "*rest"]),
        ("a.rb", RUBY, "A.Foo.initialize", ["a", "b=1", "*rest", "k", "o=2", "**kw"]),
        ("a.php", PHP, "Foo.__construct", ["id", "b=3", "*rest"]),
        ("a.kt", KOTLIN, "Foo.run", ["a", "*b", "c=3"]),
        ("a.swift", SWIFT, "Foo.run", ["a", "with=d", "*rest"]),
    ],
)
def test_parameters_are_read_with_their_defaults(path: str, source: str, qualname: str, expected: list[str]) -> None:
    assert shape(defined(path, source)[qualname]) == expected


@pytest.mark.parametrize(
    ("path", "source", "qualname", "value"),
    [
        ("a.c", C, "LIMIT", "10"),
        ("a.c", C, "name", "hi"),
        ("a.c", C, "color.RED", "1"),
        ("a.cpp", CPP, "a.b.Foo.field_", "3"),
        ("a.cs", CSHARP, "Foo.Name", "d"),
        ("a.rb", RUBY, "A.Foo.MAX", "10"),
        ("a.php", PHP, "FOO", "3"),
        ("a.php", PHP, "Suit.Hearts", "h"),
        ("a.kt", KOTLIN, "Foo.MAX", "10"),
        ("a.swift", SWIFT, "Foo.Mode.fast", "F"),
        ("a.sh", SHELL, "HOST", "localhost"),
    ],
)
def test_literals_are_kept_without_quotes(path: str, source: str, qualname: str, value: str) -> None:
    assert defined(path, source)[qualname].value == value


def test_bases_are_told_in_every_language_that_has_them() -> None:
    assert defined("a.cpp", CPP)["a.b.Foo"].bases == ("Bar", "z.Q")
    assert defined("a.cs", CSHARP)["Foo"].bases == ("Bar", "IBaz")
    assert defined("a.rb", RUBY)["A.Foo"].bases == ("Bar.Baz",)
    assert defined("a.php", PHP)["Foo"].bases == ("Base", "I")
    assert defined("a.kt", KOTLIN)["Foo"].bases == ("Bar", "I")
    assert defined("a.swift", SWIFT)["Foo"].bases == ("Bar", "P")


def test_private_things_are_not_public() -> None:
    assert not defined("a.c", C)["helper"].public
    assert not defined("a.cs", CSHARP)["Foo._secret"].public
    assert not defined("a.kt", KOTLIN)["Foo.hidden"].public
    assert defined("a.cs", CSHARP)["Foo.Run"].public


def test_an_extension_does_not_define_the_type_it_extends() -> None:
    assert "Foo" not in defined("a.swift", "extension Foo { func extra() {} }\n")


def test_a_header_with_classes_is_read_as_cpp() -> None:
    found = defined("a.h", "#pragma once\nclass Widget {\n public:\n  void draw(int depth);\n};\n")
    assert shape(found["Widget.draw"]) == ["depth"]


def test_a_header_in_c_stays_c() -> None:
    assert shape(defined("a.h", 'extern "C" {\nint open_file(const char *path);\n}\n')["open_file"]) == ["path"]


def test_a_function_cut_in_two_by_the_preprocessor_is_still_found() -> None:
    halves = "int first(int a) {\n#ifdef X\n  if (a) {\n#else\n  while (a) {\n#endif\n    int local = 1;\n  }\n}\n"
    broken = halves + "int second(void)\n{\n  return 0;\n}\n"
    assert {"first", "second"} <= {d.name for d in collected("a.c", broken).definitions}


def test_kotlin_that_the_grammar_does_not_parse_is_read_line_by_line() -> None:
    source = "package a\n\nobject One { val q = 1 }\n\ninterface Two { fun m() }\n\nfun three(a: Int) = 1\n"
    assert {"One", "Two", "three"} <= {d.name for d in collected("a.kt", source).definitions}
