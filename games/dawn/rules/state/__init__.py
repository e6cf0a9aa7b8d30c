"""What a game of Dawn is: its records, values, options and what always holds of them."""
