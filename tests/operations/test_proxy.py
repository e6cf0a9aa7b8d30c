"""The proxy: what a slow or greedy client meets (S5), what is logged, and where each address leads."""

import re
import shutil
import subprocess
from ipaddress import ip_address
from pathlib import Path

import pytest

from api.door import application as door
from api.streams import sse, websocket
from config.env import VARIABLES
from core.addresses import network_of
from tests.operations.composition import PROXY, ROOT, SERVICES, directives

ALL = directives()
SERVER = {line[1]: line[2:] for line in ALL if line[0] == "server" and not line[1].startswith("location")}
TOP = {line[0]: line[1:] for line in ALL if not line[0].startswith(("server", "map", "upstream"))}


def at(location: str) -> list[tuple[str, ...]]:
    """The directives of a location."""
    return [line[2:] for line in ALL if line[:2] == ("server", f"location {location}")]


def seconds(name: str) -> int:
    return int(re.fullmatch(r"(\d+)s", SERVER[name][0])[1])  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("client_header_timeout", 5, 15),
        ("client_body_timeout", 5, 30),
        ("send_timeout", 10, 60),
        ("keepalive_timeout", 10, 75),
        ("proxy_connect_timeout", 1, 10),
    ],
)
def test_a_client_that_dawdles_is_let_go(name: str, least: int, most: int) -> None:
    assert least <= seconds(name) <= most


def test_connections_and_requests_are_capped_by_address_and_all_together() -> None:
    zones = [line[2] for line in ALL if line[0] == "limit_conn_zone"]
    assert zones == ["zone=connections:10m", "zone=everybody:1m"]
    keys = {line[1] for line in ALL if line[0] in ("limit_conn_zone", "limit_req_zone")}
    assert keys == {"$client_network", "$server_port"}
    caps = {line[2]: int(line[3]) for line in ALL if line[:2] == ("server", "limit_conn")}
    assert caps == {"connections": 60, "everybody": 4096}
    assert (TOP["limit_req_zone"][0], TOP["limit_req_zone"][2]) == ("$client_network", "rate=40r/s")
    assert "limit_req" in SERVER
    assert (TOP["limit_conn_status"], TOP["limit_req_status"]) == (("429",), ("429",))


def test_an_ipv6_address_counts_as_its_network_here_as_in_the_service() -> None:
    lines = {line[1]: line[2] for line in ALL if line[0] == "map $binary_remote_addr $client_network"}
    (pattern,) = lines.keys() - {"default"}
    assert lines == {pattern: "$network", "default": "$binary_remote_addr"}
    network = re.compile(pattern.removeprefix("~").replace("(?<", "(?P<").encode())

    def key_of(text: str) -> bytes:
        packed = ip_address(text).packed
        found = network.search(packed)
        return found["network"] if found else packed

    for one, other in (("2001:db8::1", "2001:db8::a0a:b:c:d"), ("a0a:a0a::1", "a0a:a0a::2")):
        assert key_of(one) == key_of(other)
        assert network_of(one) == network_of(other)
    for one, other in (("2001:db8::1", "2001:db8:0:1::1"), ("10.0.0.1", "10.0.0.2")):
        assert key_of(one) != key_of(other)
        assert network_of(one) != network_of(other)


def test_a_body_may_be_as_large_as_the_service_takes_and_no_larger() -> None:
    assert SERVER["client_max_body_size"] == (str(VARIABLES["MAX_BODY_BYTES"].default),)
    assert "MAX_BODY_BYTES" not in SERVICES["web"]["environment"]  # else the two would differ


def test_no_log_of_the_proxy_holds_a_query_string() -> None:
    formats = [line for line in ALL if line[0] == "log_format"]
    assert [line[1] for line in formats] == [SERVER["access_log"][1]] == ["plain"]
    names = set(re.findall(r"\$\w+", formats[0][2]))
    assert "$logged_uri" in names  # the path alone, without the code of an invitation
    mapped = {line[1]: line[2] for line in ALL if line[0] == "map $uri $logged_uri"}
    assert mapped == {"~^/join/": "/join/...", "default": "$uri"}
    assert not {"$request", "$request_uri", "$args", "$query_string", "$http_referer"} & names
    assert not [name for name in names if name.startswith(("$arg_", "$http_", "$cookie_"))]
    assert SERVER["error_log"][1] == "crit"  # below that nginx quotes whole requests


def test_the_metrics_are_closed_to_the_outside() -> None:
    assert at("= /metrics") == [("return", "404")]


def test_the_address_of_a_client_is_the_one_the_proxy_saw() -> None:
    headers = {line[2]: line[3] for line in ALL if line[:2] == ("server", "proxy_set_header")}
    assert headers["X-Forwarded-For"] == "$remote_addr"  # not $proxy_add_...: a client may not add to it
    assert headers["X-Request-ID"] == "$request_id"
    # One header set in a location would drop all of these there.
    assert [line for line in ALL if line[1].startswith("location") and "proxy_set_header" in line] == []


GAME = "0d0f6a52-3b0e-4d67-9f3e-6f7a4f1c2b11"


def place_for(path: str) -> str:
    """The location that takes a path, of those that are regular expressions; empty where none does."""
    places = [line[1] for line in ALL if line[1].startswith("location ~")]
    return next((place for place in places if re.search(place.removeprefix("location ~ "), path)), "")


def test_streams_go_to_a_stream_process_unbuffered_commands_to_a_door_and_everything_else_to_web() -> None:
    path = f"/api/v1/games/{GAME}/stream/"
    assert re.fullmatch(sse.PATH, path)
    assert dict(line[:2] for line in at(place_for(path).removeprefix("location "))) == {
        "proxy_pass": "http://stream", "proxy_buffering": "off", "proxy_read_timeout": "90s",
    }  # fmt: skip
    for rest in ("commands/declare-war/", "join/"):
        path = f"/api/v1/games/{GAME}/{rest}"
        assert re.fullmatch(door.PATH, path)
        assert at(place_for(path).removeprefix("location ")) == [("proxy_pass", "http://door")]
    assert not place_for(f"/api/v1/games/{GAME}/events/") and not place_for(f"/api/v1/games/{GAME}/commands/")
    assert sse.BEAT_SECONDS * 3 < 90  # three beats may be lost before the proxy gives up
    assert websocket.PATH == "/graphql/"
    assert ("proxy_pass", "http://web") in at("= /graphql/") and ("proxy_pass", "http://door") in at("@subscriptions")
    assert at("/") == [("proxy_pass", "http://web")]


def test_a_game_goes_to_the_same_process_each_time() -> None:
    ids = [line[1:] for line in ALL if line[0] == "map $uri $game"]
    assert ids == [("~^/api/v1/games/(?<id>[0-9a-f-]+)/", "$id"), ("default", "$request_id")]
    for name in ("door", "stream"):
        assert ("hash", "$game", "consistent") in [line[1:] for line in ALL if line[0] == f"upstream {name}"]


def test_the_proxy_stands_before_the_ports_that_the_parts_listen_at() -> None:
    for upstream, names in (("web", ["web"]), ("door", ["door", "door-2"]), ("stream", ["stream", "stream-2"])):
        servers = [line[2] for line in ALL if line[:2] == (f"upstream {upstream}", "server")]
        commands = [SERVICES[name]["command"] for name in names]
        assert servers == [
            f"{name}:{command[command.index('--port') + 1]}" for name, command in zip(names, commands, strict=True)
        ]
    assert SERVICES["proxy"]["ports"][0].endswith(f":{SERVER['listen'][0]}")


def test_nginx_accepts_the_file(tmp_path: Path) -> None:
    targets = {word for line in ALL if line[0].startswith("map ") for word in line[0].split()[2:]}
    assert not targets & {"$connection", "$request", "$host", "$uri"}, "nginx has these already"
    nginx = shutil.which("nginx")
    if nginx is None:
        pytest.skip("nginx is not installed")
    text = re.sub(r"\b(web|door(-2)?|stream(-2)?):8000", "127.0.0.1:8000", PROXY)
    text = text.replace("/dev/stdout", f"{tmp_path}/access.log").replace("/dev/stderr", f"{tmp_path}/error.log")
    file = tmp_path / "nginx.conf"
    file.write_text(f"pid {tmp_path}/nginx.pid; events {{}} http {{ {text} }}")
    done = subprocess.run([nginx, "-t", "-c", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_handbook_states_the_limits_as_they_are() -> None:
    page = (ROOT / "docs/operations.md").read_text()
    values = dict(re.findall(r"^\| `([a-z_ ]+)` \| `([^`]+)` \|", page, re.M))
    assert values == {
        "client_header_timeout": SERVER["client_header_timeout"][0],
        "client_body_timeout": SERVER["client_body_timeout"][0],
        "client_max_body_size": SERVER["client_max_body_size"][0],
        "keepalive_timeout": SERVER["keepalive_timeout"][0],
        "send_timeout": SERVER["send_timeout"][0],
        "limit_conn connections": "60",
        "limit_conn everybody": "4096",
        "limit_req": "40r/s",
    }
