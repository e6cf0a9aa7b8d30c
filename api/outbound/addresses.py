"""Where a webhook may lead: an https address on the public internet, in whatever spelling.

An address is judged twice: its text when it is stored, without a question to the network; and whatever its name
resolves to each time before a message is posted. The connection goes to the very addresses that were judged.
"""

import ipaddress
import re
import socket
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from api.common.exceptions import Fault
from games.models.webhooks import MAX_URL_CHARACTERS

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
TEXT = re.compile(r"[!-~]+")
"""Printable ASCII without spaces: a name of other letters is written as `xn--`."""
NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*\.?")
LOCAL_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home.arpa", "onion")
"""Ends of names that are of no public network."""
INNER = tuple(
    map(ipaddress.ip_network, ("168.63.129.16/32", "192.0.0.0/24", "100.64.0.0/10", "198.18.0.0/15", "64:ff9b:1::/48"))
)
"""Not of the public internet, whatever this Python knows of it; the first two have metadata of machines in clouds."""
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
COMPATIBLE = ipaddress.IPv6Network("::/96")


class UnfitAddressError(Exception):
    """A name that leads nowhere, or to where no message is sent. code: why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def require_public(url: str) -> str:
    """The address, if a webhook may lead there. Raises Fault (webhook.address, 422)."""
    parts = _parts(url)
    schemes = ("https", "http") if settings.WEBHOOK_PRIVATE_NETS else ("https",)
    if parts is None or parts.scheme not in schemes:
        raise _refusal(f"An address begins with https:// and has {MAX_URL_CHARACTERS} characters of ASCII at most.")
    if "@" in parts.netloc or "#" in url or "\\" in url:
        raise _refusal("An address holds no user name, no password, no fragment and no backslash.")
    host = parts.hostname or ""
    literal = _literal(host)
    if literal is None and not NAME.fullmatch(host):
        raise _refusal("This is no name of a host.")
    if settings.WEBHOOK_PRIVATE_NETS:
        return url
    if literal is not None and not is_public(literal):
        raise _refusal("This address is not one of the public internet.")
    if literal is None and _is_local(host):
        raise _refusal("This name is not one of the public internet.")
    return url


def resolve(url: str) -> list[str]:
    """The addresses behind the name in a url, each of them judged. Raises UnfitAddressError.

    One that is not public spoils all: a name that leads to both is none of a receiver's.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and not settings.WEBHOOK_PRIVATE_NETS:
        raise UnfitAddressError("address.refused")  # stored while the setting was on
    try:
        found = socket.getaddrinfo(parts.hostname, parts.port or parts.scheme, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as fault:
        raise UnfitAddressError("name.unknown") from fault
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not settings.WEBHOOK_PRIVATE_NETS and not all(is_public(ipaddress.ip_address(each)) for each in addresses):
        raise UnfitAddressError("address.refused")
    return addresses


def is_public(address: IPAddress) -> bool:
    """Whether an address is one of the public internet, and so is the one that it may hold within."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return False
        if any(not is_public(inner) for inner in _inner_addresses(address)):
            return False
        if address in NAT64 or address.ipv4_mapped is not None:
            return True  # judged by the address within
    return (
        address.is_global
        and not any(address in each for each in INNER)
        and not (address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback)
    )


def _inner_addresses(address: ipaddress.IPv6Address) -> list[IPAddress]:
    """The IPv4 addresses that an IPv6 address stands for: mapped, 6to4, Teredo, NAT64, compatible."""
    inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in NAT64 or address in COMPATIBLE:
        inner.append(ipaddress.IPv4Address(address.packed[-4:]))
    return [each for each in inner if each is not None]


def _literal(host: str) -> IPAddress | None:
    """The address that a host is, also as 127.1, 0x7f000001 or 017700000001; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass  # by the older rules below
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host.rstrip(".")))
    except (OSError, ValueError):
        return None


def _is_local(host: str) -> bool:
    labels = host.rstrip(".")
    return "." not in labels or any(labels == end or labels.endswith(f".{end}") for end in LOCAL_NAMES)


def _parts(url: str) -> SplitResult | None:
    """The parts of an address; None for what is none."""
    if len(url) > MAX_URL_CHARACTERS or not TEXT.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        return parts if parts.hostname and parts.port != 0 else None
    except ValueError:
        return None


def _refusal(message: str) -> Any:
    return Fault("webhook.address", message, pointer="/url")
