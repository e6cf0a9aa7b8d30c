"""The sidebar: Play, Worlds, one group for each game, People, Log. Shows what this person may see.

With PLACES a bucket of games is chosen there, too.
"""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse, reverse_lazy

from api.common.places import CHOICE, buckets, chosen_bucket
from games import registry

Entry = tuple[str, str, str]
PLAY: tuple[Entry, ...] = (
    ("Games", "games.game", "stadia_controller"),
    ("Seats", "games.seat", "event_seat"),
    ("Prompts", "games.prompt", "contact_support"),
    ("Answers", "games.answer", "how_to_vote"),
    ("Timers", "games.timer", "timer"),
    ("Invitations to games", "games.invitation", "mail"),
    ("Bans", "games.ban", "block"),
    ("Leaves", "games.leave", "event_busy"),
    ("Webhooks", "games.webhook", "webhook"),
    ("Webhook endpoints", "accounts.webhookendpoint", "hub"),
    ("Chat hooks", "games.chathook", "forum"),
    ("Mails about games", "games.notificationmail", "outgoing_mail"),
    ("Mails of a day", "accounts.notificationdigest", "mark_email_unread"),
    ("Pushes", "games.notificationpush", "notifications"),
)
WORLDS: tuple[Entry, ...] = (
    ("Worlds", "worlds.world", "public"),
    ("Races", "worlds.race", "groups"),
    ("Pantheons", "worlds.pantheonshare", "pie_chart"),
    ("Deities", "worlds.deity", "auto_awesome"),
    ("Units on squares", "worlds.presence", "grid_on"),
    ("Squares", "worlds.square", "map"),
    ("Cities", "worlds.city", "location_city"),
    ("Features", "worlds.feature", "landscape"),
    ("Artifacts", "worlds.artifact", "diamond"),
    ("Avatars", "worlds.avatar", "face"),
    ("Persons", "worlds.person", "person_pin"),
    ("Orders", "worlds.order", "shield"),
    ("Armies", "worlds.army", "swords"),
    ("Places", "worlds.place", "place"),
    ("Routes", "worlds.route", "route"),
    ("Chronicles", "worlds.chronicle", "menu_book"),
)
PEOPLE: tuple[Entry, ...] = (
    ("Users", "accounts.user", "person"),
    ("Groups", "auth.group", "group"),
    ("API tokens", "accounts.token", "key"),
    ("Applications", "oauth.application", "apps"),
    ("Invitations to sign up", "accounts.invitation", "mail"),
    ("Log-in attempts", "axes.accessattempt", "lock"),
)
LOG: tuple[Entry, ...] = (
    ("Events", "games.loggedevent", "history"),
    ("Dice", "games.die", "casino"),
    ("Receipts", "games.receipt", "receipt_long"),
    ("Streams", "games.stream", "stream"),
)


def groups(request: HttpRequest) -> list[dict[str, Any]]:
    """The groups of the sidebar, those without anything to see left out."""
    seen = {f"{m._meta.app_label}.{m._meta.model_name}": (m, page) for m, page in admin.site._registry.items()}
    seen = {name: (m, page) for name, (m, page) in seen.items() if page.has_module_permission(request)}
    home = {"title": "Overview", "icon": "dashboard", "link": reverse_lazy("admin:index")}
    sections: list[tuple[str, tuple[Entry, ...]]] = [("Play", PLAY), ("Worlds", WORLDS)]
    for rules in registry.rulesets():
        own = sorted((str(m._meta.verbose_name_plural).capitalize(), n) for n, (m, _) in seen.items() if _of(n, rules))
        sections.append((rules.title, tuple((title, name, "draft") for title, name in own)))
    sections += [("People", PEOPLE), ("Log", LOG)]
    made: list[dict[str, Any]] = [{"items": [home]}, *buckets_to_choose(request)]
    for number, (title, entries) in enumerate(sections):
        items = [
            {"title": word, "icon": icon, "link": reverse_lazy(f"admin:{name.replace('.', '_')}_changelist")}
            for word, name, icon in entries
            if name in seen and seen[name][1].has_view_permission(request)
        ]
        if items:
            made.append({"title": title, "separator": True, "collapsible": number > 0, "items": items})
    return made


def buckets_to_choose(request: HttpRequest) -> list[dict[str, Any]]:
    """With PLACES the group with a link for each bucket of games: lists show the rows of one."""
    if not settings.PLACES:
        return []
    match = request.resolver_match
    is_list = match is not None and (match.url_name or "").endswith("_changelist")
    page, chosen = request.path if is_list else reverse("admin:index"), chosen_bucket(request)
    items = [
        {
            "title": place.schema,
            "icon": "database",
            "link": f"{page}?{CHOICE}={place.number}",
            "active": place == chosen,
        }
        for place in buckets()
    ]
    return [{"title": "Games and worlds in", "separator": True, "items": items}]


def _of(name: str, rules: Any) -> bool:
    """Whether a page is of a ruleset: of its app, or of one beside it (`gods2_packs`)."""
    return name.partition(".")[0].partition("_")[0] == rules.slug
