"""Everything that this service sends to others of its own accord: rows in an outbox, delivered by one actor."""
