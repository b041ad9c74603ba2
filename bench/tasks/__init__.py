"""How fast the agent task queue is."""
