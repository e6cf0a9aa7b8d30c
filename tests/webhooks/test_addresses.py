"""Where a webhook may lead: https and the public internet, however an address is written or a name resolves."""

import socket

import pytest

from api.common.exceptions import Fault
from api.outbound import addresses, posting
from api.outbound.addresses import UnfitAddressError, require_public, resolve

INNER = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "168.63.129.16", "192.0.0.192", "198.18.0.1", "240.0.0.1", "::1", "::", "fe80::1", "fc00::1",
    "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1",
]  # fmt: skip
OUTER = ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]


def found_at(monkeypatch: pytest.MonkeyPatch, *found: str) -> None:
    """Let every name lead there."""
    rows = [
        (socket.AF_INET6 if ":" in each else socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in found
    ]
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *_, **__: rows)


@pytest.mark.parametrize("address", INNER)
def test_no_inner_address_is_taken_neither_written_nor_resolved(address: str, monkeypatch):
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(Fault) as refused:
        require_public(f"https://{host}/hook")
    assert refused.value.code == "webhook.address"
    found_at(monkeypatch, address)
    with pytest.raises(UnfitAddressError, match=r"address\.refused"):
        resolve("https://hooks.example.com/")
    found_at(monkeypatch, "1.1.1.1", address)
    with pytest.raises(UnfitAddressError, match=r"address\.refused"):
        resolve("https://hooks.example.com/")


@pytest.mark.parametrize("address", OUTER)
def test_an_outer_address_is_taken(address: str, monkeypatch):
    require_public(f"https://{f'[{address}]' if ':' in address else address}/hook")
    found_at(monkeypatch, address)
    assert resolve("https://hooks.example.com/") == [address]


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.com/", "ftp://hooks.example.com/", "https://", "https:///x", "hooks.example.com", "",
        "https://user:pw@hooks.example.com/", "https://user@hooks.example.com/", "https://hooks.example.com/#part",
        "https://hooks.example.com\\@127.0.0.1/", "https://hooks.example.com /", "https://hooks.example.com/\n",
        "https://127.1/", "https://2130706433/", "https://0x7f000001/", "https://017700000001/", "https://0x7f.1/",
        "https://127.0.0.1./", "https://localhost/", "https://localhost./", "https://x.localhost/", "https://x.local/",
        "https://metadata.google.internal/", "https://intranet/", "https://１２７.0.0.1/", "https://bücher.example/",
        "https://hooks.example.com:0/", "https://hooks.example.com:99999/", "https://[::1/", "https://-x.example/",
        "https://[fe80::1%25eth0]/", f"https://hooks.example.com/{'x' * 2000}",
    ],
)  # fmt: skip
def test_an_unfit_address_is_refused_with_its_place(url: str):
    with pytest.raises(Fault) as refused:
        require_public(url)
    assert refused.value.code == "webhook.address"
    assert refused.value.errors[0]["pointer"] == "/url"


@pytest.mark.parametrize(
    "url", ["https://hooks.example.com/a?b=c", "https://xn--bcher-kva.example:8443/", "HTTPS://Hooks.Example.COM/"]
)
def test_a_fit_address_is_kept_as_it_is(url: str):
    assert require_public(url) == url


def test_a_name_that_has_moved_inside_is_not_connected_to(monkeypatch):
    found_at(monkeypatch, "127.0.0.1")
    assert posting.post("https://hooks.example.com/", b"{}", {}) == posting.Answer(error="address.refused")


def test_http_that_was_stored_while_it_was_allowed_is_not_posted_to():
    assert posting.post("http://1.1.1.1/", b"{}", {}) == posting.Answer(error="address.refused")


def test_the_connection_goes_to_the_address_that_was_judged(receiver, settings, monkeypatch):
    settings.WEBHOOK_PRIVATE_NETS = True
    port = receiver.server.server_port
    asked = []

    def once(host, *_, **__):
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(addresses.socket, "getaddrinfo", once)
    assert posting.post(f"http://hooks.example.com:{port}/200", b"{}", {}) == posting.Answer(200)
    assert asked == ["hooks.example.com"], "the name is asked for once"
    assert receiver.got[0][1]["host"] == f"hooks.example.com:{port}"


def test_of_several_addresses_the_next_is_tried(receiver, settings, monkeypatch):
    settings.WEBHOOK_PRIVATE_NETS = True
    monkeypatch.setattr(posting, "resolve", lambda _: ["127.255.255.254", "127.0.0.1"])
    assert posting.post(receiver.url(host="hooks.example.com"), b"{}", {}) == posting.Answer(200)
