"""Emblems on a page: each that is shown is drawn once in it, and stands wherever a name stands."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from games import registry
from games.engine.insight.event_pages import Face, FaceKind
from games.models import Game
from games.storage.drawing import colours_of
from worlds.drawing.emblems import Shape, emblem_parts

SHAPES = {FaceKind.PEOPLE: Shape.SHIELD, FaceKind.GOD: Shape.DISC, FaceKind.HERO: Shape.HEXAGON}
IN_A_SENTENCE = 2


@dataclass(frozen=True, slots=True)
class Faces:
    """The emblems of a page. faces, ids: of those who have one, and of its symbol, by name. colours: by key."""

    faces: Mapping[str, Face]
    colours: Mapping[UUID, str]
    ids: Mapping[str, str]
    shown: dict[str, None] = field(default_factory=dict)
    """The names whose emblems stand on the page so far."""

    @property
    def sprite(self) -> SafeString:
        """The symbols of those that are shown: they stand once in a page, behind the last emblem."""
        symbols = "".join(map(self._symbol, self.shown))
        # Ids and colours are made here, paths are constants: nothing in it was written by anybody.
        whole = f'<svg class="unseen" aria-hidden="true" id="faces"><defs>{symbols}</defs></svg>' if symbols else ""
        return mark_safe(whole)

    def _symbol(self, name: str) -> str:
        face = self.faces[name]
        drawn = emblem_parts(SHAPES[face.kind], name, face.trait, self.colours.get(face.key, ""))
        return f'<symbol id="{self.ids[name]}" viewBox="0 0 100 100">{drawn}</symbol>'

    def emblem(self, name: str) -> SafeString:
        """The emblem of somebody with a blank behind it; nothing for a name that has none."""
        known = self.ids.get(name)
        if not known:
            return SafeString("")
        self.shown[name] = None
        mark = '<svg class="emblem" viewBox="0 0 100 100" aria-hidden="true"><use href="#{}"/></svg>\u00a0'
        return format_html(mark, known)

    def emblems_in(self, text: str) -> SafeString:
        """The emblems of the first who are named in a sentence."""
        found = list(dict.fromkeys(self._names_in(text)))[:IN_A_SENTENCE]
        return format_html_join("", "{}", ((self.emblem(name),) for name in found))

    def _names_in(self, text: str) -> Iterator[str]:
        if self.ids:
            names = "|".join(re.escape(name) for name in sorted(self.ids, key=len, reverse=True))
            yield from re.findall(rf"(?<!\w)(?:{names})(?!\w)", text)


def faces_of(game: Game, state: Any) -> Faces:
    """The emblems of those whom a state, as somebody may see it, tells of. One query."""
    found: dict[str, Face] = {}
    for face in registry.ruleset(game.ruleset).pages.faces(state):
        found.setdefault(face.name, face)
    ids = {name: f"face-{sha256(name.encode()).hexdigest()[:10]}" for name in found if name}
    return Faces(found, colours_of(game, state) if found else {}, ids)
