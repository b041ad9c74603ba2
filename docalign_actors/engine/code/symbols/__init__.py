"""Names that code defines: functions, classes, methods, constants, with parameters and defaults."""
