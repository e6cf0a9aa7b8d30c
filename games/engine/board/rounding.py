"""Whole-number arithmetic: exact, integers only. Fractions go up unless a rule says otherwise."""

from collections.abc import Sequence


def ceil_div(amount: int, by: int) -> int:
    """`amount` / `by`, rounded towards plus infinity. `by` must be positive."""
    if by <= 0:
        raise ValueError(f"division by {by}")
    return -(-amount // by)


def percent_up(amount: int, percent: int) -> int:
    """`percent` hundredths of `amount`, rounded towards plus infinity."""
    return ceil_div(amount * percent, 100)


def split_evenly(total: int, parts: int) -> list[int]:
    """`total` in `parts` equal parts; what is left goes one each to the first. `total` must not be negative."""
    if total < 0 or parts <= 0:
        raise ValueError(f"{total} in {parts} parts")
    each, more = divmod(total, parts)
    return [each + (1 if part < more else 0) for part in range(parts)]


def share_out(total: int, weights: Sequence[int]) -> list[int]:
    """`total` in proportion to the weights, by largest remainder; the parts add up to `total`.

    Ties of remainders go to the earlier weight, so the caller's order decides. Weights must not be negative and must
    not all be 0.
    """
    whole = sum(weights)
    if total < 0 or whole <= 0 or min(weights) < 0:
        raise ValueError(f"{total} shared by {list(weights)}")
    parts = [total * weight // whole for weight in weights]
    rest = [total * weight % whole for weight in weights]
    for i in sorted(range(len(weights)), key=lambda i: (-rest[i], i))[: total - sum(parts)]:
        parts[i] += 1
    return parts
