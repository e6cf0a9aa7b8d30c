"""What a game of Albraxas is: its records, values, options and what always holds of them."""
