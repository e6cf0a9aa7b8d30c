"""Settings of the REST API, of log-in throttling and of the OpenAPI document; `config.settings` takes them by name."""

from datetime import timedelta
from typing import Any

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "api.common.authentication.BearerAuthentication",
        "api.common.authentication.DocsSession",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["api.common.permissions.TokenScopes"],
    "DEFAULT_THROTTLE_CLASSES": [
        "api.common.throttles.AnonBudget",
        "api.common.throttles.ReadBudget",
        "api.common.throttles.CommandBudget",
    ],
    # By address: anon, anon_cost, sign_up, token (passwords), oauth (codes, refresh tokens), screen (a hall has one
    # address for hundreds of them), page (what counts in no other: api.common.page_budget). By user: read, command,
    # user_cost. Both costs count fields that operations of GraphQL may answer, all others count requests.
    "DEFAULT_THROTTLE_RATES": {
        "anon": "600/min",
        "anon_cost": "200000/min",
        "user_cost": "2000000/min",
        "read": "6000/min",
        "command": "1200/min",
        "sign_up": "20/hour",
        "token": "30/min",
        "oauth": "120/min",
        "screen": "30000/min",
        "page": "3000/min",
    },
    "DEFAULT_PARSER_CLASSES": ["api.common.strict_json.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PAGINATION_CLASS": "api.common.paging.CursorPages",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
    "EXCEPTION_HANDLER": "api.common.problems.handle",
    "URL_FORMAT_OVERRIDE": None,
    "FORMAT_SUFFIX_KWARG": None,
    "COERCE_DECIMAL_TO_STRING": True,
    "DATETIME_FORMAT": "iso-8601",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

COMPRESSION = "api.common.compression.CompressAnswers"
PLACES = "api.common.places.InPlace"
API_MIDDLEWARE = [
    "api.common.limits.RequestIds",
    "api.common.page_policy.PagePolicy",
    "api.common.throttles.RateHeaders",
    "api.common.page_budget.PageBudget",
    "api.common.limits.BodyLimit",
    "api.common.error_handlers.WordlessAnswers",
]

SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Theogony",
    "DESCRIPTION": "Worlds, gods and the games they play: five rulebooks, one engine, a clock and a log.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SERVE_INCLUDE_SCHEMA": False,
    "ENABLE_DJANGO_DEPLOY_CHECK": False,  # it makes the whole document (13 s); `manage.py schema --check` compares it
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "AUTHENTICATION_WHITELIST": ["api.common.authentication.BearerAuthentication"],
    "PREPROCESSING_HOOKS": ["api.common.openapi.only_version_one"],
    "POSTPROCESSING_HOOKS": [
        "api.common.openapi.add_problems",
        "api.rest.schema_postprocessing.finish",
    ],
}

# Five wrong passwords for one name from one address: a quarter of an hour's rest (docs/adr/0010).
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_DISABLE_ACCESS_LOG = True
AXES_USERNAME_CALLABLE = "accounts.login.tried_name"
AXES_LOCKOUT_CALLABLE = "api.pages.error_pages.lockout"
AXES_CLIENT_IP_CALLABLE = "api.common.throttles.address_of_try"
AXES_SENSITIVE_PARAMETERS = ["password", "token", "code", "invitation", "csrfmiddlewaretoken"]
AXES_VERBOSE = False


def rest_framework(proxies: int) -> dict[str, Any]:
    """REST_FRAMEWORK behind so many reverse proxies: whose X-Forwarded-For is trusted."""
    return {**REST_FRAMEWORK, "NUM_PROXIES": proxies}


def throttle_cache(shared: dict[str, Any], redis_url: str) -> dict[str, Any]:
    """The cache in which budgets count: the shared one with Redis, else one in each process (files are too slow)."""
    if redis_url:
        return shared
    return {
        "BACKEND": "config.caches.memory.TallyingMemory",
        "LOCATION": "throttles",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
