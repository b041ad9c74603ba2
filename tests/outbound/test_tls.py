"""Letters over TLS: a server must show a certificate for its name, from an authority that is trusted."""

from __future__ import annotations

import ipaddress
import ssl
import threading
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from docalign_actors.ids import new_id
from docalign_actors.outbound.addresses import BoundedLookUp, UnknownAddressError, target_of
from docalign_actors.outbound.model import Letter
from docalign_actors.outbound.sending import HttpSender
from tests.outbound.receiver import Receiver

NOW = datetime(2030, 1, 1, tzinfo=UTC)
Key = ec.EllipticCurvePrivateKey


def certificate(name: str, key: Key, issuer: str, signer: Key, *, authority: bool = False) -> x509.Certificate:
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
    )  # fmt: skip
    if authority:
        usage = x509.KeyUsage(
            digital_signature=True, key_cert_sign=True, crl_sign=True, content_commitment=False, key_encipherment=False,
            data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
        )  # fmt: skip
        made = made.add_extension(usage, critical=True)
    else:
        names = [x509.DNSName(name), x509.IPAddress(ipaddress.ip_address("127.0.0.9"))]
        made = made.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return made.sign(signer, hashes.SHA256())


def pem(path: Path, *parts: x509.Certificate | Key) -> str:
    text = b""
    for part in parts:
        if isinstance(part, x509.Certificate):
            text += part.public_bytes(serialization.Encoding.PEM)
        else:
            text += part.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
    path.write_bytes(text)
    return str(path)


class Authority:
    """One that signs certificates for hosts."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.file = pem(folder / f"{name}.pem", certificate(name, self._key, name, self._key, authority=True))

    def server(self, host: str) -> ssl.SSLContext:
        key = ec.generate_private_key(ec.SECP256R1())
        chain = pem(self._folder / f"{host}.pem", key, certificate(host, key, self._name, self._key))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain)
        return context


@pytest.fixture
def own(tmp_path: Path) -> Authority:
    return Authority(tmp_path, "own-authority")


def here(host: str, port: int) -> Sequence[str]:
    return ["127.0.0.1"]


def send(receiver: Receiver, host: str, ca_file: str = "") -> str:
    url = receiver.url.replace("http://127.0.0.1", f"https://{host}")
    letter = Letter(new_id(), "lane", "", "test", url, "{}", NOW)
    return HttpSender("s", allow_private=True, look_up=here, ca_file=ca_file, seconds=60).send(letter, NOW).error


def test_a_letter_arrives_at_a_server_that_a_trusted_authority_vouches_for(own: Authority) -> None:
    with Receiver(tls=own.server("hooks.example.org")) as receiver:
        assert send(receiver, "hooks.example.org", own.file) == ""
        assert receiver.wait_for(1)[0][0]["host"].startswith("hooks.example.org:")


def test_a_certificate_for_another_name_is_refused(own: Authority) -> None:
    with Receiver(tls=own.server("other.example.org")) as receiver:
        assert "the certificate is not trusted (Hostname mismatch" in send(receiver, "hooks.example.org", own.file)
        assert receiver.got == []


def test_an_authority_that_nobody_trusts_is_refused(own: Authority, tmp_path: Path) -> None:
    (tmp_path / "strangers").mkdir()
    stranger = Authority(tmp_path / "strangers", "stranger")
    with Receiver(tls=own.server("hooks.example.org")) as receiver:
        for trusted in ("", stranger.file):
            assert "the certificate is not trusted" in send(receiver, "hooks.example.org", trusted)
        assert receiver.got == []


def test_a_name_whose_look_up_hangs_costs_a_bounded_time() -> None:
    let_go = threading.Event()

    def hangs(host: str, port: int) -> Sequence[str]:
        let_go.wait(100)
        return ["8.8.8.8"]

    looking = BoundedLookUp(0.05, hangs)
    with pytest.raises(UnknownAddressError, match="was not looked up in time"):
        target_of("https://slow.example.org/", allow_private=False, look_up=looking)
    for _ in range(31):
        with pytest.raises(TimeoutError):
            BoundedLookUp.__call__(looking, "slow.example.org", 443)
    with pytest.raises(OSError, match="too many look-ups hang"):
        looking("slow.example.org", 443)
    let_go.set()
