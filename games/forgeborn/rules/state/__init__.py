"""The state of Forgeborn: records, words, options, what always holds."""
