"""The state of the Die Tower game: records, words, options, what always holds."""
