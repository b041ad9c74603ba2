from __future__ import annotations

import pickle
import string
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.errors import ConfigurationError
from docalign_actors.settings import Loaded, Secret, SecretUrl, Settings, load
from docalign_actors.settings.kinds import describe
from docalign_actors.settings.loading import keys, read_environment, read_file, variable


def from_file(tmp_path: Path, text: str, environment: dict[str, str] | None = None, **flags: object) -> Loaded:
    (tmp_path / "docalign.toml").write_text(text)
    given_flags = {"data_dir": str(tmp_path), **{key.replace("__", "."): value for key, value in flags.items()}}
    return load(flags=given_flags, environment=environment or {})


def complaint_of(environment: dict[str, str], config: Path) -> str | None:
    """What the loader says against these sources; None if they give settings that can be shown."""
    try:
        assert len(load(environment=environment, config=config).shown()) == len(keys())
    except ConfigurationError as error:
        return str(error)
    return None


def test_without_any_source_everything_is_default(tmp_path: Path) -> None:
    loaded = load(flags={"data_dir": str(tmp_path)}, environment={})
    assert loaded.settings == Settings(data_dir=tmp_path)
    assert loaded.origins["http.port"] == "default"
    assert loaded.settings.http.host == "127.0.0.1"


def test_a_flag_beats_the_environment_beats_the_file(tmp_path: Path) -> None:
    text = "[http]\nhost = '0.0.0.0'\nport = 1\nbody_limit = 1000\n"
    environment = {"DOCALIGN_HTTP_PORT": "2", "DOCALIGN_HTTP_BODY_LIMIT": "2000"}
    loaded = from_file(tmp_path, text, environment, http__port=3)
    assert (loaded.settings.http.host, loaded.settings.http.port) == ("0.0.0.0", 3)
    assert loaded.settings.http.body_limit == 2000
    assert loaded.origins["http.host"] == f"{tmp_path}/docalign.toml, line 2"
    assert loaded.origins["http.body_limit"] == "environment variable DOCALIGN_HTTP_BODY_LIMIT"
    assert loaded.origins["http.port"] == "--port"


def test_a_flag_that_was_not_given_changes_nothing(tmp_path: Path) -> None:
    loaded = load(flags={"data_dir": str(tmp_path), "http.port": None}, environment={})
    assert loaded.settings.http.port == 8080


def test_an_empty_variable_is_one_that_is_not_set(tmp_path: Path) -> None:
    loaded = load(environment={"DOCALIGN_DATA_DIR": str(tmp_path), "DATABASE_URL": "", "DOCALIGN_HTTP_PORT": " "})
    assert loaded.origins["database.url"] == "default"
    assert loaded.settings.http.port == 8080


def test_our_own_name_for_the_database_beats_the_customary_one() -> None:
    both = {"DOCALIGN_DATABASE_URL": "postgresql://ours", "DATABASE_URL": "postgresql://custom"}
    assert read_environment(both)["database.url"].value == "postgresql://ours"
    assert read_environment(dict(reversed(both.items())))["database.url"].value == "postgresql://ours"


def test_a_file_that_is_named_is_read_instead_of_the_one_in_the_data_directory(tmp_path: Path) -> None:
    (tmp_path / "docalign.toml").write_text("[http]\nport = 1\n")
    other = tmp_path / "other.toml"
    other.write_text(f"data_dir = '{tmp_path}'\n[http]\nport = 2\n")
    by_flag = load(environment={}, config=other)
    by_variable = load(environment={"DOCALIGN_CONFIG": str(other)})
    assert by_flag.settings.http.port == by_variable.settings.http.port == 2
    assert by_flag.settings.data_dir == tmp_path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[http]\n\nprot = 8080\n", "line 3: there is no setting http.prot. Did you mean http.port?"),
        ("port = 8080\n", "line 1: there is no setting port. Did you mean http.port?"),
        ("[htpp]\nport = 8080\n", "line 1: there is no setting htpp. Did you mean http?"),
        ("[http]\nport = 99999\n", "line 2: http.port must be a whole number from 0 to 65,535, not 99999."),
        ("[http]\nport = 'many'\n", "line 2: http.port must be a whole number from 0 to 65,535, not 'many'."),
        ("[http]\nport = true\n", "must be a whole number"),
        ("[http]\nport = 8080.5\n", "must be a whole number"),
        ("http = 8080\n", "line 1: there is no setting http."),
        ("[log]\nlevel = 'loud'\n", "log.level must be one of debug, error, info, trace, warning, not 'loud'."),
        ("[scans]\nclaims_per_pr = 201\n", "from 1 to 200"),
        ("[scans]\nretry_delays = []\n", "scans.retry_delays must name at least one delay"),
        ("[scans]\ndeadline = nan\n", "scans.deadline must be a duration"),
        ("[scans]\ndeadline = inf\n", "scans.deadline must be a duration"),
        ("[scans]\ndeadline = '5 weeks'\n", "such as 90s, 10m, 2h or 7d"),
        ("[scans.deadline]\nhours = 1\n", "scans.deadline must be a duration"),
        ("[http\n", "is not TOML"),
        ("data_dir = '/elsewhere'\n", "data_dir cannot be set in the file that lies in it"),
    ],
)
def test_a_mistake_in_the_file_says_where_and_what_is_right(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        from_file(tmp_path, text)
    assert message in str(caught.value)
    assert str(tmp_path / "docalign.toml") in str(caught.value)


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"DOCALIGN_HTTP_PROT": "1"}, "there is no setting DOCALIGN_HTTP_PROT. Did you mean DOCALIGN_HTTP_PORT?"),
        ({"DOCALIGN_HTTP_PORT": "high"}, "environment variable DOCALIGN_HTTP_PORT: http.port must be a whole number"),
    ],
)
def test_a_mistake_in_the_environment_names_the_variable(environment: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load(environment=environment)
    assert message in str(caught.value)


def test_variables_of_other_parts_are_no_mistake(tmp_path: Path) -> None:
    load(environment={"DOCALIGN_CACHE_DIR": "/x", "DOCALIGN_DATA_DIR": str(tmp_path), "PATH": "/bin"})


def test_an_unknown_flag_is_a_mistake() -> None:
    with pytest.raises(ConfigurationError, match=r"Did you mean http\.port"):
        load(flags={"http.prt": 1}, environment={})


def test_a_file_that_is_not_there_is_a_mistake_when_it_was_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read: No such file"):
        load(environment={}, config=tmp_path / "none.toml")


def test_a_file_that_is_not_text_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "docalign.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        read_file(tmp_path / "docalign.toml")


@pytest.mark.parametrize(
    ("text", "seconds"), [("600", 600), ("10m", 600), ("1.5h", 5400), ("2 d", 172800), ("250ms", 0.25), ("90 S", 90)]
)
def test_durations_have_units(text: str, seconds: float, tmp_path: Path) -> None:
    environment = {"DOCALIGN_DATA_DIR": str(tmp_path), "DOCALIGN_SCANS_DEADLINE": text}
    assert load(environment=environment).settings.scans.deadline == seconds


@pytest.mark.parametrize(("text", "size"), [("1024", 1024), ("2GiB", 2**31), ("500MB", 5 * 10**8), ("1.5kb", 1500)])
def test_sizes_have_units(text: str, size: int, tmp_path: Path) -> None:
    environment = {"DOCALIGN_DATA_DIR": str(tmp_path), "DOCALIGN_MIRRORS_BUDGET_BYTES": text}
    assert load(environment=environment).settings.mirrors.budget_bytes == size


def test_lists_stand_between_commas_in_variables_and_as_lists_in_the_file(tmp_path: Path) -> None:
    environment = {"DOCALIGN_HTTP_ALLOWED_HOSTS": "a.example, b.example,", "DOCALIGN_SCANS_RETRY_DELAYS": "1, 2s, 1m"}
    loaded = from_file(tmp_path, "", environment)
    assert loaded.settings.http.allowed_hosts == ("a.example", "b.example")
    assert loaded.settings.scans.retry_delays == (1, 2, 60)
    loaded = from_file(tmp_path, "[scans]\nretry_delays = [1, 2.5]\n[http]\nallowed_hosts = ['a.example']\n")
    assert loaded.settings.scans.retry_delays == (1, 2.5)
    assert loaded.settings.http.allowed_hosts == ("a.example",)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:hunter2@db.example/docs", "postgresql://me:********@db.example/docs"),
        ("postgresql://me:hunt@er2@db.example/docs", "postgresql://me:********@db.example/docs"),
        ("postgresql://me@db.example/docs", "postgresql://me@db.example/docs"),
        ("postgresql://db.example/docs?password=hunter2&x=1", "postgresql://db.example/docs?password=********&x=1"),
        ("host=db user=me password=hunter2", "host=db user=me password=********"),
        ("host=db password='hunter2 hunter2' user=me", "host=db password=******** user=me"),
        ("", ""),
    ],
)
def test_an_address_is_shown_without_its_password(url: str, shown: str, tmp_path: Path) -> None:
    loaded = load(environment={"DOCALIGN_DATA_DIR": str(tmp_path), "DATABASE_URL": url})
    assert {key: value for key, value, _ in loaded.shown()}["database.url"] == shown
    assert "hunter2" not in repr(loaded)
    assert loaded.settings.database.url.reveal() == url


def test_a_secret_is_never_shown_by_accident() -> None:
    secret = Secret("hunter2")
    assert "hunter2" not in f"{secret} {secret!r} {[secret]} {secret:}"
    assert secret.reveal() == "hunter2"
    assert secret == Secret("hunter2")
    assert secret != SecretUrl("hunter2")
    with pytest.raises(TypeError):
        pickle.dumps(secret)
    with pytest.raises(TypeError):
        msgspec.json.encode(secret)


def test_a_wrong_secret_is_not_repeated_in_the_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        from_file(tmp_path, "[database]\nurl = ['hunter2']\n")
    assert "hunter2" not in str(caught.value)


def test_every_setting_has_its_own_variable_and_words() -> None:
    names = [variable(key) for key in keys()]
    assert len(set(names)) == len(names)
    assert all(describe(kind) for kind in keys().values())


def test_every_setting_is_shown_with_its_origin(tmp_path: Path) -> None:
    shown = load(flags={"data_dir": str(tmp_path)}, environment={}).shown()
    assert [key for key, _, _ in shown] == list(keys())
    assert all(origin for _, _, origin in shown)


@given(
    st.dictionaries(
        st.sampled_from(list(keys())), st.text(st.characters(blacklist_categories=["Cs"]), max_size=30), max_size=4
    )
)
def test_any_text_in_the_environment_gives_settings_or_a_clear_error(values: dict[str, str]) -> None:
    environment = {variable(key): value for key, value in values.items()}
    complaint = complaint_of(environment, Path("/dev/null"))
    assert complaint is None or any(name in complaint for name in environment)


@given(st.text(string.printable, max_size=200))
def test_any_text_as_a_file_gives_settings_or_a_clear_error(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.toml"
    file.write_text(text)
    complaint = complaint_of({}, file)
    assert complaint is None or "any.toml" in complaint
