"""What a game of The Gods II is: its records, values, options and what always holds of them."""
