"""ORDER: sealed orders, their odds and what they would do."""
