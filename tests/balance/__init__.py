"""The balance of every ruleset: thirty whole games of bots against one set of bounds (`make balance`)."""
