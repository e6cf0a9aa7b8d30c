"""A game that runs: one locked session, the clock, the log and metrics of commands, failpoints, notifications."""
