"""Lines as each kind of channel reads them. Nothing that a player has written is markup, a link or a call there: only
what a hook's owner has mapped to a seat calls anybody.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit
from uuid import UUID
from zoneinfo import ZoneInfo

import orjson

from api.common.markdown import escape_markdown, one_line
from api.webhooks.chat.news import Awaited, News
from games.engine.wording import listing
from games.models import ChatFormat, ChatHook

MAX_CHARACTERS, MAX_NAME_CHARACTERS = 300, 32
"""Of what is quoted; escaped it is twice as long at most, and Discord takes lines of 2,000."""
MAX_NAMES = 10
"""Who is named of those who are waited for; the rest is counted."""
MENTIONS = {
    ChatFormat.DISCORD: re.compile(r"<@&?[0-9]{1,20}>"),
    ChatFormat.SLACK: re.compile(r"<@[UW][0-9A-Z]{1,20}>|<!subteam\^S[0-9A-Z]{1,20}>"),
    ChatFormat.MATTERMOST: re.compile(r"@(?!(?:all|here|channel)$)[a-z0-9][a-z0-9._-]{0,63}"),
}
"""What calls a person or a group, and never a whole channel."""
NOTHING = "\u200b"
"""Has no width: it parts what would be read as one."""
LOOKALIKES = str.maketrans("*_~`", "\u2217\uff3f\u223c\u02cb")
"""Slack knows no way to escape these."""
ENTITY = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
SUPPRESS_EMBEDS = 4
MESSAGE_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")


def plain(format: str, text: str, most: int = MAX_CHARACTERS) -> str:
    """A text in which a channel finds nothing to do: no markup, no link, nobody to call. most: characters."""
    short = one_line(text)
    short = short if len(short) <= most else f"{short[: most - 1]}…"
    parted = re.sub(r"(?<=\w)([.:])(?=[\w/])", rf"\1{NOTHING}", short.replace("@", f"@{NOTHING}"))
    if format == ChatFormat.DISCORD:
        return escape_markdown(parted)
    if format == ChatFormat.SLACK:
        return parted.translate(LOOKALIKES).translate(ENTITY)
    return "".join(f"\\{each}" if each in "\\`*_{}[]#|~!" else each for each in parted).translate(ENTITY)


def beginning_text(hook: ChatHook, news: News) -> str:
    """A chapter has begun."""
    return plain(hook.format, f"{news.name}, {news.beginning}")


def end_text(hook: ChatHook, news: News) -> str:
    """The game is over."""
    return plain(hook.format, news.end)


def check_text(hook: ChatHook, news: News) -> str:
    """A line that was asked for."""
    return plain(hook.format, f"{news.name}: a test. This channel is told when a chapter begins and who is waited for.")


def waiting_text(hook: ChatHook, news: News, now: datetime | None) -> str:
    """Who is waited for, and until when. now: None leaves out how long that is, which changes by itself."""
    mentions: Mapping[str, str] = orjson.loads(hook.mentions)
    parts = []
    for (must, due), group in groupby(news.waiting[:MAX_NAMES], key=lambda each: (each.must, each.due)):
        who = listing(_name(hook, mentions, each) for each in group)
        parts.append(f"waiting for {who}{_until(hook, due, now)}" if must else f"{who} may act{_until(hook, due, now)}")
    if len(news.waiting) > MAX_NAMES:
        parts.append(f"{len(news.waiting) - MAX_NAMES} more")
    where = plain(hook.format, f"{news.name}, {news.caption}")
    return f"{where}: {'; '.join(parts) or 'nobody is waited for'}."


def _name(hook: ChatHook, mentions: Mapping[str, str], each: Awaited) -> str:
    """What calls them, else what they are called."""
    return mentions.get(str(each.seat)) or plain(hook.format, each.name, MAX_NAME_CHARACTERS)


def _until(hook: ChatHook, due: datetime | None, now: datetime | None) -> str:
    """Until when: ` until 18:00 CET (in 5 h)`, with the day where that is another one."""
    if due is None:
        return ""
    if hook.format == ChatFormat.DISCORD:
        stamp = int(due.timestamp())
        return f" until {_clock(hook, due, now or due)} (<t:{stamp}:R>)"  # counted by each reader's own client
    return f" until {_clock(hook, due, now or due)}" + (f" ({time_left(due - now)})" if now is not None else "")


def _clock(hook: ChatHook, due: datetime, now: datetime) -> str:
    zone = ZoneInfo(hook.time_zone)
    there = due.astimezone(zone)
    day = "" if there.date() == now.astimezone(zone).date() else f"{there:%a} {there.day} {there:%b}, "
    return f"{day}{there:%H:%M %Z}"


def time_left(left: timedelta) -> str:
    """A time in words that are right for a while: `in 12 min`, `in 5 h`, `in 3 days`; rounded, a minute at least."""
    minutes = max(1, round(left / timedelta(minutes=1)))
    if minutes < 60:
        return f"in {minutes} min"
    hours = round(minutes / 60)
    return f"in {hours} h" if hours < 48 else f"in {round(hours / 24)} days"


def payload(hook: ChatHook, text: str, called: Iterable[UUID | None] = ()) -> bytes:
    """The body of a request. called: seats whose mentions may call somebody."""
    if hook.format == ChatFormat.DISCORD:
        mentions = orjson.loads(hook.mentions)
        allowed = _allowed([mentions[str(seat)] for seat in called if str(seat) in mentions])
        return orjson.dumps({"content": text, "allowed_mentions": allowed, "flags": SUPPRESS_EMBEDS})
    if hook.format == ChatFormat.SLACK:
        return orjson.dumps({"text": text, "unfurl_links": False, "unfurl_media": False})
    return orjson.dumps({"text": text})


def _allowed(mentions: Collection[str]) -> dict[str, Any]:
    """What of a line may call somebody at Discord, whatever else stands in it."""
    users = [each[2:-1] for each in mentions if not each.startswith("<@&")]
    roles = [each[3:-1] for each in mentions if each.startswith("<@&")]
    return {"parse": [], "users": list(dict.fromkeys(users)), "roles": list(dict.fromkeys(roles))}


def address_of_new(hook: ChatHook) -> str:
    """Where a line is posted whose id is wanted: Discord answers with it when it is asked to wait."""
    if hook.format != ChatFormat.DISCORD:
        return hook.url
    parts = urlsplit(hook.url)
    return urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, urlencode({"wait": "true"}))))))


def address_of_message(hook: ChatHook) -> str:
    """Where the line that stands is edited or deleted: at Discord, a thread stays in the query."""
    parts = urlsplit(hook.url)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/messages/{hook.message}"))


def id_of_message(format: str, body: bytes) -> str:
    """The id in the answer to a line; empty where there is none, and where lines cannot be edited."""
    if format != ChatFormat.DISCORD:
        return ""
    try:
        found = orjson.loads(body)
    except orjson.JSONDecodeError:
        return ""
    identity = found.get("id") if isinstance(found, dict) else None
    return identity if isinstance(identity, str) and MESSAGE_ID.fullmatch(identity) else ""
