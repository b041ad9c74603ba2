from docalign_actors.clock import SystemClock
from docalign_actors.supervision import Actor, ActorSystem
from docalign_actors.telemetry import EventStream


class Echo(Actor):
    def receive(self, message: object) -> object:
        return message


def test_an_actor_answers_a_question() -> None:
    system = ActorSystem(EventStream(), clock=SystemClock(), escalate=lambda name, reason: None)
    system.supervise("echo", Echo)
    assert system.ask("echo", "hello", timeout=5) == "hello"
    assert system.healthy() == []
    assert system.stop(5) == []
