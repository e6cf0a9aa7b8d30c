"""The Gods II a second time: the text of the rulebook as plain loops, for comparison with the rules.

Written from `games/gods2/rulebook.md` alone, without NumPy and, `twins` apart, without anything of `games`. It knows
one quiet century (section 6): growth, migration, settling, aggression, wars, turmoil, mana. What gods do in it, and
what features and knowledges do at a century's start or end, are left out here.
"""
