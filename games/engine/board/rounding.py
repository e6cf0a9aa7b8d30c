"""Whole-number arithmetic: exact, integers only. Fractions go up unless a rule says otherwise."""


def ceil_div(amount: int, by: int) -> int:
    """`amount` / `by`, rounded towards plus infinity. `by` must be positive."""
    if by <= 0:
        raise ValueError(f"division by {by}")
    return -(-amount // by)


def percent_up(amount: int, percent: int) -> int:
    """`percent` hundredths of `amount`, rounded towards plus infinity."""
    return ceil_div(amount * percent, 100)
