"""A callback's address comes from a client: it must not lead into our own network."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docalign_actors.outbound.addresses import RefusedAddressError, UnknownAddressError, is_public, target_of

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
    "255.255.255.255", "192.0.2.1", "198.18.0.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
    "::ffff:169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::", "fe80::1%eth0", "nonsense",
    "fec0::1", "64:ff9b:1::7f00:1", "::127.0.0.1", "::ffff:0:127.0.0.1", "fd00:ec2::254", "5f00::1", "2001:db8::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_public_is_not_called(address: str) -> None:
    assert not is_public(address)
    with pytest.raises(RefusedAddressError):
        target_of("http://innocent.example.org/", allow_private=False, look_up=lambda host, port: [address])


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "64:ff9b::808:808"])
def test_what_is_public_is_called(address: str) -> None:
    target = target_of("https://x.org:8443/a?b=1", allow_private=False, look_up=lambda host, port: [address])
    assert (target.secure, target.host, target.port, target.path, target.address) == (
        True,
        "x.org",
        8443,
        "/a?b=1",
        address,
    )


def test_one_address_that_is_not_public_spoils_the_name() -> None:
    with pytest.raises(RefusedAddressError):
        target_of("http://x.org", allow_private=False, look_up=lambda host, port: ["8.8.8.8", "127.0.0.1"])


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    answers = iter([["8.8.8.8"], ["127.0.0.1"]])
    target = target_of("http://rebinding.org", allow_private=False, look_up=lambda host, port: next(answers))
    assert target.address == "8.8.8.8"
    assert next(answers) == ["127.0.0.1"]  # the name was looked up once


@pytest.mark.parametrize(
    "url",
    [
        "http://2130706433/",
        "http://0x7f000001/",
        "http://017700000001/",
        "http://127.1/",
        "http://[::1]/",
        "http://localhost./",
        "http://[::ffff:127.0.0.1]/",
        "http://0/",
        "http://0177.0.0.1/",
        "http://[fe80::1%25lo]/",
    ],
)
def test_other_spellings_of_this_machine_are_refused(url: str) -> None:
    with pytest.raises((RefusedAddressError, UnknownAddressError)):
        target_of(url, allow_private=False)


@pytest.mark.parametrize(
    "url", ["ftp://x.org", "file:///etc/passwd", "http://", "http://u:p@x.org", "http://x.org:0", "http://x org"]
)
def test_only_plain_web_addresses_are_called(url: str) -> None:
    with pytest.raises(RefusedAddressError):
        target_of(url, allow_private=True, look_up=lambda host, port: ["8.8.8.8"])


@given(st.ip_addresses())
def test_no_private_address_passes(address: object) -> None:
    if not address.is_global:  # type: ignore[attr-defined]
        assert not is_public(str(address)) or ":" in str(address)


def test_a_name_that_leads_nowhere_may_lead_somewhere_later() -> None:
    def fail(host: str, port: int) -> list[str]:
        raise OSError

    with pytest.raises(UnknownAddressError):
        target_of("http://x.org", allow_private=False, look_up=fail)
