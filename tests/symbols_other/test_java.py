from tests.symbols_other.reading import collected, defined, shape

SOURCE = """package com.acme.tool;

import java.util.List;
import static com.acme.Base.helper;
import java.io.*;

@Command(name = "tool")
public class Tool<T> extends Base<T> implements Runnable, io.Closeable {
    public static final int MAX = 10, MIN = -1;
    private String greeting = "hi";
    @Deprecated
    public <X> void go(final int count, String... rest) throws Exception {
        int local = 1;
        new Thread(new Runnable() { public void inside() {} });
    }
    protected Tool(String name) {}
    static class Inner { void deep() {} }
}

public record Point(int x, int... ys) implements Shape { }

public interface Shape extends A, B {
    int SIDES = 4;
    void draw(Canvas canvas);
}

public enum Level implements Shape { LOW(1), HIGH { void extra() {} }; Level(int i) {} }

public @interface Option { String value() default "none"; }
"""


def test_classes_have_bases_and_annotations() -> None:
    found = defined("Tool.java", SOURCE)
    assert found["Tool"].bases == ("Base", "Runnable", "io.Closeable")
    assert found["Tool"].decorators == ('Command(name = "tool")',)
    assert found["Shape"].bases == ("A", "B")


def test_methods_and_constructors_have_parameters() -> None:
    found = defined("Tool.java", SOURCE)
    assert (found["Tool.go"].kind, shape(found["Tool.go"])) == ("method", ["count", "*rest"])
    assert found["Tool.go"].decorators == ("Deprecated",)
    assert (found["Tool.Tool"].kind, shape(found["Tool.Tool"])) == ("method", ["name"])
    assert "Tool.Inner.deep" in found


def test_fields_keep_their_literal_and_locals_are_no_fields() -> None:
    found = defined("Tool.java", SOURCE)
    assert (found["Tool.MAX"].kind, found["Tool.MAX"].value, found["Tool.MIN"].value) == ("constant", "10", "-1")
    assert (found["Tool.greeting"].kind, found["Tool.greeting"].value) == ("field", "hi")
    assert "local" not in {d.name for d in found.values()}


def test_record_components_are_parameters_and_fields() -> None:
    found = defined("Tool.java", SOURCE)
    assert shape(found["Point"]) == ["x", "*ys"]
    assert found["Point.x"].kind == "field"


def test_interfaces_and_enums_have_public_members() -> None:
    found = defined("Tool.java", SOURCE)
    assert (found["Shape.SIDES"].value, found["Shape.draw"].public) == ("4", True)
    assert (found["Level.LOW"].kind, found["Level.HIGH"].kind) == ("member", "member")
    assert found["Option.value"].value == "none"


def test_visibility_is_as_written() -> None:
    found = defined("Tool.java", SOURCE)
    assert found["Tool.Tool"].public
    assert not found["Tool.greeting"].public
    assert not found["Tool.Inner"].public


def test_the_package_is_a_module_and_imports_are_read() -> None:
    facts = collected("Tool.java", SOURCE)
    assert (facts.definitions[0].kind, facts.definitions[0].qualname) == ("module", "com.acme.tool")
    assert {(i.module, i.name) for i in facts.imports} == {
        ("java.util", "List"),
        ("com.acme.Base", "helper"),
        ("java.io", "*"),
    }


LOMBOK = """import lombok.*;
@Data @Builder(toBuilder = true)
public class User {
    private final String name;
    private boolean active;
    private static int count;
}
class Other { @Getter private int size; @Setter private final int fixed; private int plain; }
"""


def test_lombok_adds_getters_setters_and_builders() -> None:
    found = defined("User.java", LOMBOK)
    assert {"User.getName", "User.isActive", "User.builder", "User.toBuilder", "User.UserBuilder.build"} <= set(found)
    assert shape(found["User.setActive"]) == ["active"]
    assert shape(found["User.UserBuilder.name"]) == ["name"]
    assert found["User.getName"].line == 4


def test_lombok_adds_nothing_where_its_rules_say_so() -> None:
    found = defined("User.java", LOMBOK)
    assert not {"User.setName", "User.getCount", "Other.getPlain"} & set(found)
    assert "Other.getSize" in found


def test_the_same_annotations_without_lombok_add_nothing() -> None:
    assert "User.getName" not in defined("User.java", LOMBOK.replace("import lombok.*;", ""))
