"""The HTTP side: the API, what the service says of itself, live streams, and who may see what."""
