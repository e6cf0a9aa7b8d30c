"""Where artifacts have been: a row for each time that one of them had a holder, or none."""

from datetime import datetime

from worlds.models import HOLDERS, Artifact, Holding, World

KEYS = tuple(f"{holder}_id" for holder in HOLDERS)


def record_holdings(world: World, at: datetime, heading: str = "") -> None:
    """Begin a holding for each artifact of a world whose holder has changed, and end the one before.

    at: when it changed. heading: the same in the words of a game. Two queries where nothing has changed.
    """
    open_ones = {each.artifact_id: each for each in Holding.objects.filter(artifact__world=world, until__isnull=True)}
    ended, begun = list[Holding](), list[Holding]()
    for artifact in Artifact.objects.filter(world=world).order_by("pk"):
        former, now = open_ones.get(artifact.pk), {key: getattr(artifact, key) for key in KEYS}
        if former is not None and {key: getattr(former, key) for key in KEYS} == now:
            continue
        number = former.number + 1 if former is not None else 1
        begun.append(Holding(artifact=artifact, number=number, since=at, heading=heading, **now))
        if former is not None:
            former.until = at
            ended.append(former)
    if ended:
        Holding.objects.bulk_update(ended, ["until"])
    if begun:
        Holding.objects.bulk_create(begun)


def undo_holdings(world: World, moment: datetime) -> None:
    """Take back what has happened since a moment: holdings that began later go, those that ended later are open."""
    Holding.objects.filter(artifact__world=world, since__gt=moment).delete()
    Holding.objects.filter(artifact__world=world, until__gt=moment).update(until=None)
