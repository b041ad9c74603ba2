"""The pages of the service: server-made HTML, from views to markup. Nothing here asks the database or an actor."""
