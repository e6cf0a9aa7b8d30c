"""Logging: one line an event, JSON by default, with the request's id, and never a token.

Secrets are taken out twice: whatever stands under a telling key, and whatever looks like `token=...`, `ticket=...` or
`Bearer ...` inside any text of the line.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

HIDDEN = "[hidden]"
SECRET_KEYS = re.compile(r"authorization|password|token|ticket|secret|cookie|idempotency", re.IGNORECASE)
NAMES = ("token", "ticket", "password", "secret", "key", "code", "code_verifier", "invitation", "sessionid")
VALUE = r"[^\s&;,'\"]+"
SECRET_VALUE = re.compile(f"=(?:{'|'.join(f'(?<={name}=)' for name in NAMES)}){VALUE}", re.IGNORECASE)
"""What follows a telling name and `=`. It is looked for by that sign: by its names it took twenty times as long."""
SECRET_AFTER = re.compile(rf"(\b(?:bearer|token)\s+){VALUE}", re.IGNORECASE)

# Tokens, invitation codes and keys of mailed links, wherever they stand.
SECRET_WORD = re.compile(r"(theo(?:invite|refresh|pass|mail|stop|ask|cal)?_)[0-9A-Za-z]{8,}")


def redact(value: Any) -> Any:
    """The value without what nobody may read: texts, mappings and lists are gone through."""
    match value:
        case str():
            if "=" in value:
                value = SECRET_VALUE.sub(f"={HIDDEN}", value)
            if "bearer" in (lower := value.lower()) or "token" in lower:
                value = SECRET_AFTER.sub(rf"\1{HIDDEN}", value)
            return SECRET_WORD.sub(rf"\1{HIDDEN}", value) if "theo" in value else value
        case Mapping():
            return {k: HIDDEN if is_telling(str(k)) else redact(v) for k, v in value.items()}
        case list() | tuple():
            return [redact(item) for item in value]
        case _:
            return value


@lru_cache(maxsize=1_000)
def is_telling(key: str) -> bool:
    """Whether what stands under a key is a secret."""
    return SECRET_KEYS.search(key) is not None


def hide_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """structlog processor: take secrets out of a whole line."""
    return {k: HIDDEN if is_telling(k) else redact(v) for k, v in event.items()}


def json_text(event: Any, default: Callable[[Any], Any]) -> str:
    """A line as JSON; by the standard library where a text is no whole Unicode, or a number is too large."""
    try:
        return orjson.dumps(event, default=default, option=orjson.OPT_NON_STR_KEYS).decode()
    except orjson.JSONEncodeError:
        return json.dumps(event, default=default)


CACHE_LOGGER = "config.cache_away"
"""Where django-redis logs that Redis was away."""


class Brief(logging.Filter):
    """An outage as one line of warning for each operation, without its traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always: the record is made shorter."""
        if record.exc_info and (error := record.exc_info[1]) is not None:
            record.msg = f"cache_away: {type(error.__cause__ or error).__name__}"
            record.args, record.exc_info, record.exc_text = (), None, None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


class Lines(structlog.stdlib.ProcessorFormatter):
    """Lines of structlog's loggers and of others; the former have been through all processors but the last."""

    def __init__(self, renderer: Processor) -> None:
        super().__init__(processors=[self.remove_processors_meta, renderer], foreign_pre_chain=COMMON)
        self.renderer = renderer

    def format(self, record: logging.LogRecord) -> str:
        """One line; what is structlog's needs no copy of its record, a fifth of what it costs."""
        if isinstance(record.msg, dict) and hasattr(record, "_logger"):
            return str(self.renderer(None, record.levelname, record.msg.copy()))
        return super().format(record)


COMMON: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.StackInfoRenderer(),
    structlog.processors.format_exc_info,
    hide_secrets,
]


def configure() -> None:
    """Let structlog's loggers write through the standard library's handlers."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *COMMON,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def logging_settings(form: str, level: str) -> dict[str, Any]:
    """Django's LOGGING: one handler, to standard error. form: json or console."""
    renderer: Processor = (
        structlog.dev.ConsoleRenderer(colors=False)
        if form == "console"
        else structlog.processors.JSONRenderer(json_text)
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"brief": {"()": Brief}},
        "formatters": {
            "line": {
                "()": Lines,
                "renderer": renderer,
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Celery sets the root's level to its own --loglevel; ours keep theirs.
            **{name: {"level": level} for name in ("accounts", "api", "config", "core", "games", "worlds")},
            # The request line is django-structlog's; Django's own and the servers' would say it twice.
            "django.server": {"handlers": [], "propagate": False},
            "django.request": {"level": "CRITICAL"},
            "uvicorn.access": {"handlers": [], "propagate": False},
            # Beat and worker log each sweep, each second.
            "celery.beat": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            # Says at each start that a folder has no host name, and that axes begins.
            "kombu.connection": {"level": "ERROR"},
            "axes.apps": {"level": "WARNING"},
            # Below that they log codes and tokens.
            "oauth2_provider": {"level": "WARNING"},
            "oauthlib": {"level": "WARNING"},
            # Warns of tokens in its own table, which is not used (accounts.oauth).
            "oauth2_provider.migrations": {"level": "ERROR"},
            # A probe that fails says so in its answer; its traceback every few seconds would drown the cause.
            "health_check": {"level": "ERROR"},
            CACHE_LOGGER: {"filters": ["brief"]},
        },
    }
