"""The socket that the service listens on."""

from __future__ import annotations

import socket

from docalign_actors.http.server import make_app
from docalign_actors.http.services import HttpSettings
from docalign_actors.http.serving import Serving
from tests.http.house import House


def test_answers_wait_for_no_acknowledgement(house: House) -> None:
    """asyncio sets TCP_NODELAY on connections of a socket that names its protocol; others cost 40 ms an answer."""
    import dataclasses

    services = dataclasses.replace(house.services, settings=HttpSettings(port=0))
    serving = Serving(make_app(services), services)
    serving.bind()
    try:
        assert serving._socket is not None
        assert serving._socket.proto == socket.IPPROTO_TCP
    finally:
        serving.close()
