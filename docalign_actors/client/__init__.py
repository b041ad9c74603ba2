"""A client of the agent task queue, with nothing but the standard library.

from docalign_actors.client import TaskClient, work

client = TaskClient("http://127.0.0.1:8080", token)
task = client.create("VERIFY", {"claim": 7})
print(client.result(task.id, wait=60).result)

work(client, ["VERIFY"], lambda task, lease: {"verdict": "verified"})
"""

from docalign_actors.client.errors import LeaseLostError, QueueError, UnreachableError
from docalign_actors.client.tasks import Result, Task, TaskClient
from docalign_actors.client.working import Lease, work

__all__ = ["Lease", "LeaseLostError", "QueueError", "Result", "Task", "TaskClient", "UnreachableError", "work"]
