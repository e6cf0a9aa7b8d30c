"""Packs in rows and in this process: handed to the rules, copied, checked, published.

A published version never changes, so its pack is cached by its digest. The packs of the files come into the rows by
migration; until they are there, they are read from their files.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from core.process_cache import ProcessCache
from games.engine.errors import Refused
from games.gods2.pack import entries, pack_files
from games.gods2.packs.models import DRAFT, ENTRIES, PUBLISHED, PackKnowledge, PackVersion
from games.gods2.rules.pack.pack import Finding, Pack, build, digest_of, findings, invalid

Plain = dict[str, list[dict[str, Any]]]
_built: ProcessCache[str, Pack] = ProcessCache(32)


class Library(Mapping[int, Pack]):
    """The published packs by number, for one state of a game: what the rules get handed in.

    A pack that this process has built is not read again; the first look at another costs the queries of its rows. What
    is published may be looked for anew each time, as it only grows.
    """

    def __init__(self) -> None:
        self._here: dict[int, Pack] = {}
        self._wanted: dict[int, str] = {}

    def expect(self, number: int, digest: str) -> None:
        """The pack that a game has pinned. Another one under this number is refused (`pack.other`) when it is read."""
        self._wanted[number] = digest
        known = _built.get(digest)
        if known is not None and known.version == number:
            self._here[number] = known

    def __getitem__(self, number: int) -> Pack:
        if number not in self._here:
            self._here[number] = self._checked_pack(load_published(number))
        return self._here[number]

    def __iter__(self) -> Iterator[int]:
        return iter(numbers())

    def __len__(self) -> int:
        return len(numbers())

    def __contains__(self, number: object) -> bool:
        return number in self._here or number in numbers()

    def __deepcopy__(self, memo: Any) -> "Library":
        return self

    def _checked_pack(self, pack: Pack) -> Pack:
        wanted = self._wanted.get(pack.version, pack.digest)
        if pack.digest != wanted:
            raise Refused(
                "pack.other",
                f"Pack {pack.version} is not the one that this game was played with; restore it from a backup.",
                rules=("G2-PACK-1",),
                wanted=wanted,
                found=pack.digest,
            )
        return pack


def numbers() -> list[int]:
    """The numbers of all published packs, the newest last."""
    rows = PackVersion.objects.filter(number__isnull=False).values_list("number", flat=True)
    return sorted({*pack_files(), *(number for number in rows if number)})


def load_published(number: int) -> Pack:
    """The pack of a published version. Raises KeyError, or `pack.damaged` where its rows were changed by hand."""
    version = PackVersion.objects.filter(number=number, state=PUBLISHED).first()
    if version is None:
        return pack_files()[number]
    known = _built.get(version.digest)
    return known or _cached_pack(version)


def _cached_pack(version: PackVersion) -> Pack:
    raw, number = raw_of(version), version.number or 0
    if digest_of(number, raw) != version.digest:
        raise Refused(
            "pack.damaged",
            f"The rows of {version} are not those that were published; restore them from a backup.",
            number=number,
        )
    pack = build(number, raw)
    _built.put(pack.digest, pack)
    return pack


def raw_of(version: PackVersion) -> Plain:
    """The plain data of a version from its rows: a query for each part."""
    return {
        model.part: [row.plain() for row in model._default_manager.filter(pack=version).order_by("position", "id")]
        for model in ENTRIES
    }


def findings_of(version: PackVersion) -> list[Finding]:
    """What stands in the way of publishing a draft."""
    return findings(raw_of(version))


def fill_rows(version: PackVersion, raw: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    """Give a version without entries the rows of plain data."""
    for model in ENTRIES:
        model._default_manager.bulk_create(
            model(pack=version, position=at, **model.columns(given))
            for at, given in enumerate(raw[model.part], start=1)
        )


@transaction.atomic
def import_packs() -> list[PackVersion]:
    """Copy the packs of the files into rows, those that are there already left alone; the new ones."""
    known = set(PackVersion.objects.filter(state=PUBLISHED).values_list("number", flat=True))
    made = []
    for number in sorted(set(pack_files()) - known):
        now = timezone.now()
        raw = entries(number)[0]
        version = PackVersion.objects.create(
            name="Era Centrum", number=number, state=PUBLISHED, digest=pack_files()[number].digest, created_at=now,
            published_at=now, note="The pack of the files.",
        )  # fmt: skip
        fill_rows(version, raw)
        made.append(version)
    return made


@transaction.atomic
def copy_version(version: PackVersion, *, name: str = "", by: UUID | None = None) -> PackVersion:
    """A new draft with the same entries."""
    draft = PackVersion.objects.create(name=name or version.name, parent=version, created_by_id=by, state=DRAFT)
    fill_rows(draft, raw_of(version))
    return draft


@transaction.atomic
def publish(draft: PackVersion, *, now: datetime | None = None) -> PackVersion:
    """Check a draft as a whole and publish it under the next number; from now on nothing in it changes.

    Raises `pack.published`, or `pack.invalid` with everything that does not fit; then it stays a draft.
    """
    import_packs()
    # The lowest number is everybody's gate: two who publish at once come one after the other.
    PackVersion.objects.select_for_update().filter(state=PUBLISHED).order_by("number").first()
    draft = PackVersion.objects.select_for_update().get(pk=draft.pk)
    if draft.is_published:
        raise draft.refusal_of_change()
    raw = raw_of(draft)
    if wrong := findings(raw):
        raise invalid(*wrong)
    draft.number = (PackVersion.objects.aggregate(last=Max("number"))["last"] or 0) + 1
    draft.state, draft.digest = PUBLISHED, digest_of(draft.number, raw)
    draft.published_at = now or timezone.now()
    draft.save()
    return draft


def recompute_tiers(version: PackVersion) -> None:
    """Work out the tiers of a draft's knowledges anew: 1 more than the highest of what comes before (section 4.4)."""
    rows = {row.key: row for row in PackKnowledge.objects.filter(pack=version)}
    before = {key: [p for p in json.loads(row.prereqs) if p in rows] for key, row in rows.items()}
    tiers: dict[str, int] = {}
    while more := {
        key: 1 + max((tiers[p] for p in needed), default=0)
        for key, needed in before.items()
        if key not in tiers and all(p in tiers for p in needed)
    }:
        tiers |= more
    for key, tier in tiers.items():
        if rows[key].tier != tier:
            rows[key].tier = tier
            rows[key].save(update_fields=["tier"])
