"""Addresses of clients as keys: an IPv6 address counts as its network, since one household has 2^64 of them."""

from ipaddress import IPv6Address, ip_address

UNKNOWN = "unknown"


def network_of(address: str) -> str:
    """An IPv4 address as it is, of IPv6 the network (/64); `unknown` where it is none."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped or IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)
