"""The same cycle by procrastinate, a queue on PostgreSQL: a library, so without HTTP. It is installed for this alone."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import time
from typing import Any

import psycopg

from bench.tasks.asking import Figures

QUEUE = "bench"
_FILL = """INSERT INTO procrastinate_jobs (queue_name, task_name, priority, args)
SELECT %s, 'bench', n %% 10, '{"n": 1}' FROM generate_series(1, %s) n"""


def available() -> bool:
    return importlib.util.find_spec("procrastinate") is not None


def by_procrastinate(url: str, waiting: int, workers: int, seconds: float) -> Figures:
    """Defer, fetch and finish, with a connection for each worker, in one process."""
    return asyncio.run(_measure(url, waiting, workers, seconds))


async def _measure(url: str, waiting: int, workers: int, seconds: float) -> Figures:
    library: Any = importlib.import_module("procrastinate")
    jobs: Any = importlib.import_module("procrastinate.jobs")
    connector = library.PsycopgConnector(conninfo=url, min_size=workers, max_size=workers)
    app = library.App(connector=connector)
    async with app.open_async():
        if not await app.check_connection_async():
            await app.schema_manager.apply_schema_async()
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("DELETE FROM procrastinate_jobs WHERE status <> 'todo'")
            have = connection.execute("SELECT count(*) FROM procrastinate_jobs").fetchone()
            connection.execute(_FILL, (QUEUE, max(0, waiting - (have[0] if have else 0))))
            connection.execute("VACUUM ANALYZE procrastinate_jobs")
        claims: list[float] = []
        manager = app.job_manager
        began = time.perf_counter()

        async def work() -> int:
            done = 0
            worker = await manager.register_worker()
            while time.perf_counter() < began + seconds:
                job = jobs.Job(queue=QUEUE, lock=None, queueing_lock=None, task_name="bench", task_kwargs={"n": 1})
                await manager.defer_job_async(job)
                asked = time.perf_counter()
                found = await manager.fetch_job([QUEUE], worker)
                claims.append(time.perf_counter() - asked)
                if found is not None:
                    await manager.finish_job(found, jobs.Status.SUCCEEDED, delete_job=False)
                    done += 1
            return done

        counts = await asyncio.gather(*(work() for _ in range(workers)))
        return Figures.of(sum(counts), time.perf_counter() - began, claims)
