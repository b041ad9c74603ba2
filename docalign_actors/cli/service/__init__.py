"""The commands of the service: serve, and everything that an operator says to one, running or not."""
