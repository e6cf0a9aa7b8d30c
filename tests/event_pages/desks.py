"""Somebody at a desk: a browser without scripts, which reads the page's forms and sends them as they stand."""

import json
import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote
from uuid import UUID

from django.http import HttpResponse
from django.test import Client

from games.models import Game, Seat

PUT = re.compile(r'hx-(get|post)="([^"]+)"[^>]*>\s*([^<]+?)(?:\s*<kbd|\s*<span|\s*</button)')


@dataclass
class Form(HTMLParser):
    """What a form sends as it stands."""

    text: str
    values: dict[str, list[str]] = field(default_factory=dict)
    area: str = ""
    chosen: str = ""

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take the value of a field."""
        given = dict(attrs)
        name = given.get("name") or ""
        if (tag == "input" and given.get("type") != "checkbox" and name) or (
            tag == "input" and name and "checked" in given
        ):
            self.values.setdefault(name, []).append(given.get("value") or "")
        elif tag in ("select", "textarea"):
            self.area = name
            self.values[name] = [""]
        elif tag == "option" and "selected" in given:
            self.values[self.area] = [given.get("value") or ""]

    def handle_data(self, data: str) -> None:
        """Take the text of a large field."""
        if self.area and self.lasttag == "textarea":
            self.values[self.area] = [data]

    def handle_endtag(self, tag: str) -> None:
        """Leave a field."""
        if tag in ("select", "textarea"):
            self.area = ""


@dataclass
class Desk:
    """The desk of a game in a browser."""

    game: Game
    client: Client

    @classmethod
    def of(cls, game: Game, role: str = "gm") -> "Desk":
        """The desk of the first who holds this role."""
        client = Client(headers={"HX-Request": "true"})
        client.force_login(Seat.objects.filter(game=game, role=role, user__isnull=False)[0].user)
        return cls(game, client)

    @property
    def path(self) -> str:
        """Its address."""
        return f"/games/{self.game.pk}/desk/"

    def body(self) -> str:
        """What stands on it now."""
        answer = self.client.get(self.path + "body/")
        assert answer.status_code == 200, answer.content
        return answer.content.decode()

    def buttons(self) -> list[tuple[str, str, str]]:
        """Its buttons: method, address, label."""
        return [(method, unescape(address), unescape(label)) for method, address, label in PUT.findall(self.body())]

    def button(self, label: str) -> tuple[str, str]:
        """The first button with this label: method and address."""
        return next((method, address) for method, address, found in self.buttons() if found.rstrip("…") == label)

    def form(self, command: str, values: dict[str, Any] | None = None, acting_for: UUID | None = None) -> HttpResponse:
        """The form of a command."""
        return self.client.get(self.address(command, values, acting_for))

    def address(self, command: str, values: dict[str, Any] | None = None, acting_for: UUID | None = None) -> str:
        """Where a command is asked for and sent."""
        more = f"&for={acting_for}" if acting_for else ""
        return f"{self.path}commands/{command}/?values={quote(json.dumps(values or {}, default=str))}{more}"

    def send(self, address: str, **fields: Any) -> HttpResponse:
        """Send a form as it stands, with some fields filled in: `reason__text`."""
        form = self.client.get(address)
        values = Form(form.content.decode()).values
        values |= {name.replace("__", ":"): value for name, value in fields.items()}
        return self.client.post(address, values)
