"""The image and the composition, read as a careful operator reads them; whether they start: test_entry_points."""

import importlib
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest
import yaml

from config.env import VARIABLES
from tests.operations.composition import COMPOSE, OURS, ROOT, SERVICES, instructions, interpolate, seconds

STORES = ("postgres", "redis")
LIVE = ("door", "door-2", "stream", "stream-2")
LASTING = sorted(set(SERVICES) - {"migrate"})
KEYS = re.compile(r"SECRET|PASSWORD|TOKEN|KEY", re.IGNORECASE)
PINNED = re.compile(r"[\w./-]+:\d+(\.\d+)*-[\w.-]+")


# --- the image -------------------------------------------------------------------------------------------------------
def arguments_of(name: str) -> list[str]:
    return [arguments for instruction, arguments in instructions() if instruction == name]


def test_both_stages_stand_on_the_same_pinned_image() -> None:
    bases = [arguments.split(" AS ")[0] for arguments in arguments_of("FROM")]
    assert len(bases) == 2 and len(set(bases)) == 1
    assert PINNED.fullmatch(bases[0])


def test_what_runs_is_not_root_and_cannot_be_made_it() -> None:
    last = [name for name, _ in instructions()]
    begin = len(last) - 1 - last[::-1].index("FROM")
    stage = instructions()[begin:]
    (user,) = [arguments for name, arguments in stage if name == "USER"]
    assert user not in {"root", "0"}
    assert any(f"--uid 10001 --create-home {user}" in arguments for name, arguments in stage if name == "RUN")
    after = [name for name, _ in stage[stage.index(("USER", user)) :]]
    assert not {"RUN", "COPY"} & set(after)


def test_nothing_is_fetched_by_add_and_no_secret_is_baked_in() -> None:
    assert arguments_of("ADD") == []
    assert arguments_of("ARG") == []
    assert [arguments for arguments in arguments_of("ENV") if KEYS.search(arguments)] == []
    assert [arguments for arguments in arguments_of("COPY") if arguments.split()[0] in {".", "./"}] == []


def test_no_cache_of_a_package_manager_stays_in_the_image() -> None:
    for arguments in arguments_of("RUN"):
        assert "pip install" not in arguments or "--no-cache-dir" in arguments, arguments
        assert "uv sync" not in arguments or ("--mount=type=cache" in arguments and "--locked" in arguments), arguments
        assert "apt-get" not in arguments, arguments
        assert "sudo" not in arguments, arguments


def test_the_command_is_its_own_process_and_gets_the_signal() -> None:
    (command,) = arguments_of("CMD")
    assert command.startswith('["') and yaml.safe_load(command)[0] == "granian"
    assert arguments_of("STOPSIGNAL") == ["SIGTERM"]


def test_all_and_only_what_the_image_needs_is_sent_to_the_builder() -> None:
    lines = (ROOT / ".dockerignore").read_text().split()
    assert lines[0] == "*"  # nothing, but:
    let_in = {line[1:] for line in lines if line.startswith("!")}
    assert not {".git", ".venv", "var", "tests", "docs", "docker", ".env"} & let_in
    copied = {
        path for arguments in arguments_of("COPY") if "--from" not in arguments for path in arguments.split()[:-1]
    }
    assert copied == let_in
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["root_packages"]
    assert set(packages) <= copied
    assert all((ROOT / path).exists() for path in copied)


# --- the composition -------------------------------------------------------------------------------------------------
def test_every_part_is_there_and_only_the_proxy_is_reached_from_outside() -> None:
    assert set(SERVICES) == {"proxy", *OURS, *STORES}
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


@pytest.mark.parametrize("name", LASTING)
def test_every_part_reports_its_health_stops_gracefully_and_comes_back(name: str) -> None:
    service = SERVICES[name]
    assert service["healthcheck"]["test"][0] in {"CMD", "CMD-SHELL"}
    assert {"interval", "timeout", "retries"} <= set(service["healthcheck"])
    assert 10 <= seconds(service["stop_grace_period"]) <= 60
    assert service["restart"] == "unless-stopped"


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_part_has_the_rights_it_needs_and_no_more(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not {"privileged", "network_mode", "pid", "ipc", "devices"} & set(service)
    allowed = set() if name in {*OURS, "redis"} else {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"}
    assert set(service.get("cap_add", ())) <= allowed
    assert not [volume for volume in service.get("volumes", ()) if "docker.sock" in volume or volume.startswith("/")]
    assert all(volume.endswith(":ro") for volume in service.get("volumes", ()) if volume.startswith("."))


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_image_is_pinned(name: str) -> None:
    image = SERVICES[name]["image"]
    assert image == "theogony:local" if name in OURS else PINNED.fullmatch(image)


def test_secrets_come_from_the_environment_and_have_no_default() -> None:
    demanded = {"SECRET_KEY", "POSTGRES_PASSWORD", "HOST_NAME"}
    text = (ROOT / "docker/compose.yaml").read_text()
    assert set(re.findall(r"\$\{(\w+):\?", text)) == demanded
    assert {name for name in re.findall(r"\$\{(\w+):-", text) if KEYS.search(name)} == set()
    for name in SERVICES:
        for variable, value in SERVICES[name].get("environment", {}).items():
            assert not KEYS.search(variable) or value.startswith("${"), f"{name}: {variable}"
    with pytest.raises(KeyError):
        interpolate(SERVICES["web"]["environment"]["SECRET_KEY"], {})


@pytest.mark.parametrize("name", OURS)
def test_a_part_of_ours_gets_only_the_variables_it_knows_and_never_debugs(name: str) -> None:
    environment = SERVICES[name]["environment"]
    assert set(environment) <= set(VARIABLES)
    assert (environment["DEBUG"], environment["PROXIES"]) == ("0", "1")
    assert "DEMO" not in environment
    if folder := environment.get("PROMETHEUS_MULTIPROC_DIR"):
        assert any(mount.startswith(folder) for mount in SERVICES[name]["tmpfs"])


@pytest.mark.parametrize("name", OURS)
def test_a_command_starts_a_module_that_exists(name: str) -> None:
    command = SERVICES[name]["command"]
    assert importlib.util.find_spec({"python": "django"}.get(command[0], command[0])), command[0]
    for word in command:
        if re.fullmatch(r"config\.\w+:\w+", word):
            module, attribute = word.split(":")
            assert hasattr(importlib.import_module(module), attribute)


def test_a_part_waits_for_the_parts_it_needs() -> None:
    for name in ("web", *LIVE, "worker", "beat"):
        needed = {other: wish["condition"] for other, wish in SERVICES[name]["depends_on"].items()}
        assert needed == {
            "postgres": "service_healthy", "redis": "service_healthy", "migrate": "service_completed_successfully",
        }  # fmt: skip
    assert set(SERVICES["proxy"]["depends_on"]) == {"web", *LIVE}
    assert SERVICES["migrate"]["restart"] == "no"  # compose waits for its end


def test_what_must_last_lies_in_a_volume_and_nothing_else_does() -> None:
    assert set(COMPOSE["volumes"]) == {"postgres"}
    named = {v.split(":")[0] for s in SERVICES.values() for v in s.get("volumes", ()) if not v.startswith(".")}
    assert named == {"postgres"}
    redis = SERVICES["redis"]["command"]
    assert redis[redis.index("--save") + 1] == "" and redis[redis.index("--appendonly") + 1] == "no"


def test_a_stop_is_granted_longer_than_a_part_takes_for_itself() -> None:
    def option_of(name: str, option: str) -> float:
        command = SERVICES[name]["command"]
        return float(command[command.index(option) + 1].rstrip("s"))

    assert option_of("web", "--workers-kill-timeout") < seconds(SERVICES["web"]["stop_grace_period"])
    for name in LIVE:
        assert option_of(name, "--timeout-graceful-shutdown") < seconds(SERVICES[name]["stop_grace_period"])


def test_the_files_that_compose_mounts_are_there() -> None:
    for volume in (v for s in SERVICES.values() for v in s.get("volumes", ()) if v.startswith(".")):
        assert (Path(ROOT) / "docker" / volume.split(":")[0]).is_file()
