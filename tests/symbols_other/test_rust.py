from tests.symbols_other.reading import collected, defined, shape

SOURCE = """use std::{fs, io::{self, Read as R}, path::*};
pub use crate::parser::Parser;
pub(crate) use super::inner;
extern crate serde as s;

pub mod flags {
    pub fn parse(args: &[String]) {}
}

#[derive(Debug, Clone)]
#[command(name = "tool")]
pub struct Config<T> {
    #[arg(long)]
    pub port: u16,
    name: String,
}

pub enum Mode { Fast = 1, Slow { delay: u8 }, Other(u8) }

pub trait Run: Send + fmt::Display {
    const LIMIT: usize = 10;
    fn run(&self, times: u32);
    fn twice(&self) { }
}

impl<'a, T> Run for &'a Config<T> {
    fn run(&self, mut times: u32) {}
}

impl<T> Config<T> {
    pub fn new(name: &str, (a, b): (u8, u8), _: u8) -> Self { const LOCAL: u8 = 1; loop {} }
    fn hidden(self) {}
}

pub const MAX: usize = 1_000;
pub static NAME: &str = "hello";
const RAW: &str = r#"raw"#;
type Alias = u8;

#[macro_export]
macro_rules! check { ($x:expr) => { fn made_by_check() {} } }

cfg_rt! {
    /// Spawns.
    pub fn spawn(task: u8) {}
    impl Config<u8> { pub fn late(&self) {} }
}
lazy_static! { static ref TABLE: u8 = 1; }

#[cfg(test)]
mod tests {
    fn only_for_tests() {}
}
#[test]
fn also_for_tests() {}
"""


def test_functions_have_parameters_without_self() -> None:
    found = defined("a.rs", SOURCE)
    assert (found["flags.parse"].kind, shape(found["flags.parse"])) == ("function", ["args"])
    assert shape(found["Config.new"]) == ["name", "(a, b)", "_"]
    assert found["Config.hidden"].params == ()


def test_methods_belong_to_the_type_of_their_impl_block() -> None:
    found = defined("a.rs", SOURCE)
    assert (found["Config.run"].kind, shape(found["Config.run"])) == ("method", ["times"])
    assert found["Config.run"].public
    assert not found["Config.hidden"].public


def test_a_type_has_the_traits_it_implements_as_bases() -> None:
    assert defined("a.rs", SOURCE)["Config"].bases == ("Run",)


def test_traits_have_methods_constants_and_bounds() -> None:
    found = defined("a.rs", SOURCE)
    assert found["Run"].bases == ("Send", "fmt::Display")
    assert {"Run.run", "Run.twice"} <= set(found)
    assert found["Run.LIMIT"].value == "10"


def test_attributes_go_to_the_item_that_follows_them() -> None:
    found = defined("a.rs", SOURCE)
    assert found["Config"].decorators == ("derive(Debug, Clone)", 'command(name = "tool")')
    assert found["Config.port"].decorators == ("arg(long)",)
    assert found["Config.name"].decorators == ()


def test_fields_and_variants_are_public_as_written() -> None:
    found = defined("a.rs", SOURCE)
    assert found["Config.port"].public
    assert not found["Config.name"].public
    assert (found["Mode.Fast"].kind, found["Mode.Fast"].value, found["Mode.Fast"].public) == ("member", "1", True)
    assert found["Mode.Slow.delay"].kind == "field"


def test_constants_keep_their_literal() -> None:
    found = defined("a.rs", SOURCE)
    assert (found["MAX"].value, found["NAME"].value, found["RAW"].value) == ("1_000", "hello", "raw")
    assert not found["RAW"].public


def test_an_exported_macro_is_public() -> None:
    found = defined("a.rs", SOURCE)
    assert (found["check"].kind, found["check"].public) == ("macro", True)


def test_items_inside_a_macro_call_are_read_where_they_stand() -> None:
    found = defined("a.rs", SOURCE)
    assert shape(found["spawn"]) == ["task"]
    assert SOURCE.splitlines()[found["spawn"].line - 1].strip() == "pub fn spawn(task: u8) {}"
    assert found["Config.late"].kind == "method"
    assert "TABLE" in {d.name for d in found.values()}


def test_names_that_a_macro_writes_are_known() -> None:
    assert "made_by_check" in defined("a.rs", SOURCE)


def test_what_is_compiled_for_tests_only_is_left_out() -> None:
    names = {d.name for d in collected("a.rs", SOURCE).definitions}
    assert not names & {"tests", "only_for_tests", "also_for_tests"}


def test_use_trees_are_flattened_and_pub_use_is_an_export() -> None:
    imports = {(i.module, i.name, i.alias, i.exported) for i in collected("a.rs", SOURCE).imports}
    assert imports == {
        ("std", "fs", "fs", False),
        ("std", "io", "io", False),
        ("std::io", "Read", "R", False),
        ("std::path", "*", "", False),
        ("crate::parser", "Parser", "Parser", True),
        ("super", "inner", "inner", False),
        ("serde", "", "s", False),
    }
