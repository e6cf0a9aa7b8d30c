"""Every environment variable the service reads: name, kind, default, bounds, one line of meaning.

Nothing else in the tree looks at the environment. A value of the wrong kind ends the process at start with one
sentence, instead of showing itself later as something odd. `docs/operations.md` prints this table; a test compares.
A variable that is empty counts as unset.
"""

from typing import Annotated, Any, Literal, NoReturn, get_args, get_origin

from pydantic import BeforeValidator, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

MAX_NUMBER = 2**31 - 1


def _split(value: Any) -> Any:
    return value.replace(",", " ").split() if isinstance(value, str) else value


Words = Annotated[list[str], NoDecode, BeforeValidator(_split)]
"""A list, its items separated by spaces or commas."""


def _split_addresses(value: Any) -> Any:
    return value.replace(";", " ").split() if isinstance(value, str) else value


Addresses = Annotated[list[str], NoDecode, BeforeValidator(_split_addresses)]
"""A list of `name=address`, separated by spaces or semicolons: an address may hold a comma."""


class Environment(BaseSettings):
    """The variables as they are set when it is made. Raises pydantic.ValidationError; `faults` says it in sentences."""

    model_config = SettingsConfigDict(
        case_sensitive=True, env_ignore_empty=True, extra="ignore", frozen=True, str_strip_whitespace=True
    )

    PORT: int = Field(8000, ge=1, le=65535, description="port of the single-machine service, on 127.0.0.1")
    DATA_DIR: str = Field("", description="folder for everything the service writes; `var/` when empty")
    DATABASE_URL: str = Field("", description="database address; a SQLite file in DATA_DIR when empty")
    DATABASE_POOL: bool = Field(False, description="1: a connection pool in each process (for ASGI); PostgreSQL alone")
    PLACES: int = Field(
        0, ge=0, le=64, description="schemas of one PostgreSQL over which games are spread, 2 to 64; 0: they are not"
    )
    PLACE_SERVERS: Addresses = Field(
        [],
        description="other PostgreSQL servers that may have places: `name=postgres://...`, separated by spaces or `;`",
    )
    REDIS_URL: str = Field("", description="broker, notifications and cache; folders in DATA_DIR when empty")
    SECRET_KEY: str = Field(
        "", description="signs sessions; made once in DATA_DIR with DEBUG, demanded without: 50 characters or more"
    )
    DEBUG: bool = Field(False, description="1 for development: error pages, http, a SECRET_KEY made for you")
    HTTPS: bool = Field(True, description="without DEBUG: 1 sends http to https and marks cookies secure")
    ALLOWED_HOSTS: Words = Field(["localhost", "127.0.0.1", "[::1]"], description="host names the service answers to")
    PROXIES: int = Field(0, ge=0, le=9, description="reverse proxies in front, whose X-Forwarded-* are trusted")
    CSRF_TRUSTED_ORIGINS: Words = Field([], description="origins (scheme://host) whose forms the admin accepts")
    CORS_ORIGINS: Words = Field([], description="origins of browser frontends; `*` for any (tokens only, no cookies)")
    COMPRESS: bool = Field(True, description="1: answers of the APIs are compressed here; 0: by a proxy, or not")
    MAX_BODY_BYTES: int = Field(
        2621440, ge=1024, le=MAX_NUMBER, description="largest request body, bytes; above it 413"
    )
    SIGN_UP: Literal["open", "invitation", "closed"] = Field("invitation", description="who may sign up")
    EMAIL_HOST: str = Field("", description="server that takes mail about passwords and addresses; empty: none is sent")
    EMAIL_PORT: int = Field(587, ge=1, le=65535, description="its port")
    EMAIL_TLS: Literal["starttls", "tls", "none"] = Field("starttls", description="how the way to it is kept secret")
    EMAIL_USER: str = Field("", description="user name at that server; empty: it asks for none")
    EMAIL_PASSWORD: str = Field("", description="password at that server")
    EMAIL_FROM: str = Field("theogony@localhost", description="sender of the mail")
    PUBLIC_URL: str = Field("", description="address of this service, for links in mail; empty: no news is mailed")
    VAPID_PRIVATE_KEY: str = Field("", description="signs pushes: 32 bytes as base64url; empty: none is sent")
    VAPID_SUBJECT: str = Field("", description="`mailto:` or https address at which push services reach the operator")
    OAUTH_ACCESS_SECONDS: int = Field(
        900, ge=60, le=86_400, description="how long an access token of an application is valid"
    )
    OAUTH_REFRESH_SECONDS: int = Field(
        2_592_000, ge=3600, le=MAX_NUMBER, description="how long an application may rest before people sign in anew"
    )
    ANONYMOUS_READ: bool = Field(True, description="1: public games and worlds may be read without a token")
    DEMO: bool = Field(False, description="1: demo users and a live demo event are prepared at start")
    DEMO_STEP_SECONDS: int = Field(
        60,
        ge=5,
        le=MAX_NUMBER,
        description="length of a step of a demo game (a century, a window, a turn), seconds; 1800 with DEMO_PREVIEWS",
    )
    DEMO_PREVIEWS: bool = Field(
        False, description="1: the demo event shows its game-master each growth and each war before it happens"
    )
    CLOCK_SLIP_SECONDS: int = Field(
        60,
        ge=5,
        le=MAX_NUMBER,
        description="a timer later, or a wall clock set back further, than this moves a game's clock",
    )
    WORKER_PROCESSES: int = Field(1, ge=1, le=64, description="processes of the timer worker; SQLite has one writer")
    KEPT_GAMES: int = Field(128, ge=0, le=10_000, description="games whose state a process keeps in memory; 0: none")
    MAX_LOBBIES: int = Field(
        20, ge=1, le=MAX_NUMBER, description="games of one host that wait for their start; above it 409"
    )
    MAX_BATCH: int = Field(
        20, ge=1, le=200, description="commands of one request that are done together; they hold their game meanwhile"
    )
    WEBHOOK_PRIVATE_NETS: bool = Field(
        False,
        description="1 for development: webhooks and pushes may go over http, and to addresses of private networks",
    )
    GRAPHQL_EARLY: bool = Field(
        True, description="1: made ready for GraphQL before a process listens, 3 s; 0, and with DEBUG: when it is asked"
    )
    METRICS_PORT: int = Field(0, ge=0, le=65535, description="port at which the worker serves its metrics; 0: none")
    PROMETHEUS_MULTIPROC_DIR: str = Field("", description="folder where processes put their metrics together")
    LOG_LEVEL: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="least level logged")
    LOG_FORMAT: Literal["json", "console"] = Field("json", description="form of log lines")
    THEOGONY_PROCESS: Literal["web", "clock", "stream", "supervisor"] = Field(
        "web",
        description="what a process loads: web all, clock no APIs, stream event streams alone, supervisor no tables",
    )
    THEOGONY_FAILPOINT: str = Field("", description="for fault tests: the point at which a process kills itself")

    def is_default(self, name: str) -> bool:
        """Whether a variable is not set."""
        return name not in self.model_fields_set


VARIABLES = Environment.model_fields
"""The declaration of each variable by its name."""


def kind(variable: FieldInfo) -> str:
    """What a variable may hold, in one word of the handbook: text, number, flag or words."""
    plain = {bool: "flag", int: "number", list[str]: "words"}
    return plain.get(variable.annotation, "text")  # type: ignore[arg-type]


def faults() -> list[str]:
    """One sentence for each variable that holds a wrong value now."""
    try:
        Environment()
    except ValidationError as wrong:
        return [_sentence(str(error["loc"][0]), error["input"]) for error in wrong.errors()]
    return []


def _sentence(name: str, value: object) -> str:
    return f"{name} is {value!r}; it must be {_expectation(VARIABLES[name])}."


def _expectation(variable: FieldInfo) -> str:
    """What would do."""
    if get_origin(variable.annotation) is Literal:
        return f"one of {', '.join(get_args(variable.annotation))}"
    if kind(variable) == "number":
        bounds = {key: getattr(each, key) for each in variable.metadata for key in ("ge", "le") if hasattr(each, key)}
        return f"a whole number from {bounds['ge']} to {bounds['le']}"
    return "1 or 0"


def stop(*sentences: str) -> NoReturn:
    """End the process before it serves anyone, saying why on standard error (exit status 1)."""
    raise SystemExit("\n".join(("Theogony cannot start:", *(f"  {sentence}" for sentence in sentences))))
