"""The agent task queue: what code cannot decide, agents claim over HTTP, under a lease.

`admission` decides what becomes of a request for a task, `outcomes` what follows a delivery, `notices` who is told; the
`broker` carries it out, many requests in one transaction.
"""
