"""Breakdowns as both APIs answer them: exact fractions as two whole numbers."""

from fractions import Fraction
from typing import Any
from uuid import UUID

from api.common.viewer import Viewer
from games.engine.board.board import Square
from games.engine.insight.breakdown import Breakdown, Step
from games.reads import selectors


def breakdowns_json(viewer: Viewer, subject: UUID | None, square: Square | None) -> dict[str, Any]:
    """How the numbers of one subject, or of all, came about for this viewer, and the position for which that holds.

    Raises `race.missing`, `square.off_map`.
    """
    cursor = selectors.cursor_for(viewer.game, viewer.visibility)
    found = selectors.breakdowns(viewer.game, viewer.visibility, subject=subject, square=square)
    return {"cursor": cursor, "results": [breakdown_json(each) for each in found]}


def breakdown_json(found: Breakdown) -> dict[str, Any]:
    """A number, step by step."""
    square = found.square
    return {
        "subject": found.subject,
        "stat": found.stat,
        "role": found.role,
        "member": found.member,
        "square": None if square is None else {"x": square.column, "y": square.row},
        "unit": found.unit,
        **over("value", found.value),
        "steps": [step_json(step) for step in found.steps],
    }


def step_json(step: Step) -> dict[str, Any]:
    """One source and what it does."""
    return {
        "kind": step.kind,
        "key": step.key,
        "name": step.name,
        "rule": step.rule,
        "does": step.does,
        **over("amount", step.amount),
        **over("value", step.value),
    }


def over(name: str, number: Fraction) -> dict[str, int]:
    """A fraction as numerator and denominator."""
    return {name: number.numerator, f"{name}_over": number.denominator}
