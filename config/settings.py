"""Settings of the service: one file, safe by default; every variable it reads from outside is declared in config.env.

Without DATABASE_URL and REDIS_URL everything lives in DATA_DIR: a SQLite file, a folder as broker, a folder as cache.
With them the same settings run on PostgreSQL and Redis.
"""

import logging
import re
from pathlib import Path

from config import installed, logs, oauth, rest
from config.caches.settings import caches
from config.databases import databases, place_servers
from config.env import Environment, faults, stop
from config.geometry import NoLibrary
from config.secret_key import is_weak, load_or_make_key

if _faults := faults():
    stop(*_faults)
env = Environment()

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.DATA_DIR or BASE_DIR / "var").resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True, mode=0o700)

DEBUG = env.DEBUG
SECRET_KEY = env.SECRET_KEY
if not SECRET_KEY:
    if not DEBUG:
        stop("SECRET_KEY is empty; set it to 50 random characters or more, or set DEBUG=1 to have one made.")
    SECRET_KEY = load_or_make_key(DATA_DIR)
if not DEBUG and is_weak(SECRET_KEY):
    stop("SECRET_KEY has fewer than 50 characters, or those of an example; set it to 50 random characters or more.")

PORT = env.PORT
DEMO = env.DEMO
DEMO_PREVIEWS = env.DEMO_PREVIEWS
# Previews are open for a part of a step: in one of a minute nobody could read them.
DEMO_STEP_SECONDS = 1800 if DEMO_PREVIEWS and env.is_default("DEMO_STEP_SECONDS") else env.DEMO_STEP_SECONDS
CLOCK_SLIP_SECONDS = env.CLOCK_SLIP_SECONDS
SIGN_UP = env.SIGN_UP
ANONYMOUS_READ = env.ANONYMOUS_READ
EMAIL_HOST, EMAIL_PORT, DEFAULT_FROM_EMAIL = env.EMAIL_HOST, env.EMAIL_PORT, env.EMAIL_FROM
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = env.EMAIL_USER, env.EMAIL_PASSWORD
EMAIL_USE_TLS, EMAIL_USE_SSL = env.EMAIL_TLS == "starttls", env.EMAIL_TLS == "tls"
EMAIL_TIMEOUT = 20
PUBLIC_URL = env.PUBLIC_URL
VAPID_PRIVATE_KEY, VAPID_SUBJECT = env.VAPID_PRIVATE_KEY, env.VAPID_SUBJECT
if VAPID_PRIVATE_KEY and not re.fullmatch(r"[A-Za-z0-9_-]{43}=?", VAPID_PRIVATE_KEY):
    stop("VAPID_PRIVATE_KEY is no key: it is 32 bytes as base64url, made as docs/notifications.md says.")
if VAPID_PRIVATE_KEY and not re.fullmatch(r"mailto:[^@\s]+@[\w-]+(\.[\w-]+)+|https://[\w-]+\.[\w.-]+", VAPID_SUBJECT):
    stop("VAPID_SUBJECT is to be an address as mailto:name@host.example or https://host.example, as RFC 8292 wants it.")
PASSWORD_RESET_TIMEOUT = 86_400  # seconds: a link for a new password, or that confirms an address
REDIS_URL = env.REDIS_URL
WORKER_PROCESSES = env.WORKER_PROCESSES
KEPT_GAMES = env.KEPT_GAMES
MAX_LOBBIES = env.MAX_LOBBIES
MAX_BATCH = env.MAX_BATCH
WEBHOOK_PRIVATE_NETS = env.WEBHOOK_PRIVATE_NETS
GRAPHQL_EARLY = env.GRAPHQL_EARLY and not DEBUG
GDAL_LIBRARY_PATH = NoLibrary()
FAILPOINT = env.THEOGONY_FAILPOINT
METRICS_PORT = env.METRICS_PORT
METRICS_DIR = env.PROMETHEUS_MULTIPROC_DIR
if METRICS_DIR:
    Path(METRICS_DIR).mkdir(parents=True, exist_ok=True)  # prometheus_client wants it before the first metric
elif METRICS_PORT:
    stop("METRICS_PORT is set without PROMETHEUS_MULTIPROC_DIR, the folder where the worker's processes meet.")
PROXIES = env.PROXIES
BASE_URL = f"http://127.0.0.1:{PORT}"

# The games: one folder and one line each.
RULESETS: list[str] = ["games.gods2", "games.albraxas", "games.dawn", "games.dietower", "games.forgeborn"]
# Rows that all games of a ruleset share and no game owns: apps of their own, which may live in another database.
SHARED: list[str] = ["games.gods2.packs"]
PLACES = env.PLACES
PLACED_APPS = installed.PLACED
CARDS = installed.CARDS
if PLACES:
    SHARED += installed.PLACES

PROCESS = env.THEOGONY_PROCESS
INSTALLED_APPS = installed.apps(PROCESS, [*RULESETS, *SHARED])
MIDDLEWARE = [
    "api.common.limits.TrimHeaders",
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "api.common.origins.Cors",
    *([rest.COMPRESSION] if env.COMPRESS else []),
    *rest.API_MIDDLEWARE,
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "api.common.request_log.RequestLog",
    "axes.middleware.AxesMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
    *([rest.PLACES] if PLACES else []),
]
ROOT_URLCONF = "config.urls"
if PROCESS != installed.WEB:  # the system checks, which Celery runs too, would load the APIs by these two
    ROOT_URLCONF = ""
    MIDDLEWARE = [name for name in MIDDLEWARE if name.startswith(("django.contrib.", "axes."))]
if PROCESS == installed.STREAM:
    ROOT_URLCONF = "config.stream_urls"
    MIDDLEWARE = ["django.middleware.common.CommonMiddleware"]
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

try:
    DATABASES = databases(env.DATABASE_URL, DATA_DIR, pool=env.DATABASE_POOL, places=PLACES)
    PLACE_SERVERS = place_servers(env.PLACE_SERVERS, pool=env.DATABASE_POOL, places=PLACES)
except ValueError as _fault:
    stop(str(_fault))
if PLACES:
    DATABASE_ROUTERS = ["core.places.router.PlacesRouter"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = caches(REDIS_URL, DATA_DIR)
CACHES["throttles"] = rest.throttle_cache(CACHES["default"], REDIS_URL)
DJANGO_REDIS_IGNORE_EXCEPTIONS = DJANGO_REDIS_LOG_IGNORED_EXCEPTIONS = True
DJANGO_REDIS_LOGGER = logs.CACHE_LOGGER

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "accounts.sessions.PasswordBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    *(
        {"NAME": f"django.contrib.auth.password_validation.{name}"}
        for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "NumericPasswordValidator")
    ),
    {"NAME": "accounts.passwords.GuessableValidator"},
]

# Sign-in of applications (values and reasons: config.oauth)
OAUTH_ACCESS_SECONDS = env.OAUTH_ACCESS_SECONDS
OAUTH_REFRESH_SECONDS = env.OAUTH_REFRESH_SECONDS
OAUTH2_PROVIDER_APPLICATION_MODEL = oauth.APPLICATION_MODEL
OAUTH2_PROVIDER_GRANT_MODEL = oauth.GRANT_MODEL
OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL = oauth.REFRESH_TOKEN_MODEL
OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL = oauth.ACCESS_TOKEN_MODEL
OAUTH2_PROVIDER = oauth.provider(OAUTH_ACCESS_SECONDS)
LOGIN_URL = "log-in"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True
FORMAT_MODULE_PATH = "config.formats"

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATIC_ROOT.mkdir(exist_ok=True)  # whitenoise warns of a missing folder
WHITENOISE_USE_FINDERS = DEBUG or not any(STATIC_ROOT.iterdir())
"""Where nobody has collected them, as the image does, files are served from where they lie."""
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedStaticFilesStorage"
    },
}

# --- HTTP entry ------------------------------------------------------------------------------------------------------
ALLOWED_HOSTS = env.ALLOWED_HOSTS
CSRF_TRUSTED_ORIGINS = env.CSRF_TRUSTED_ORIGINS
if PROCESS == installed.WEB:  # the system checks would load the pages by it, as below
    CSRF_FAILURE_VIEW = "api.pages.error_pages.sent_from_elsewhere"
DATA_UPLOAD_MAX_MEMORY_SIZE = env.MAX_BODY_BYTES
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE

_ORIGINS = env.CORS_ORIGINS
CORS_ALLOW_ALL_ORIGINS = "*" in _ORIGINS
CORS_ALLOWED_ORIGINS = [origin for origin in _ORIGINS if origin != "*"]
# A frontend is written on some port of one's own machine; a service for strangers trusts none of them.
LOCAL_ORIGINS = [r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?\Z"]
CORS_ALLOWED_ORIGIN_REGEXES = LOCAL_ORIGINS if DEBUG or DEMO else []
CORS_URLS_REGEX = r"^/(api/|graphql/|oauth/(token|revoke)/|\.well-known/oauth-authorization-server$)"
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_HEADERS = (
    "accept",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
    "last-event-id",
    "x-request-id",
)
CORS_EXPOSE_HEADERS = (
    "etag",
    "link",
    "location",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
    "retry-after",
    "www-authenticate",
    "x-cursor",
    "x-more",
    "x-request-id",
    "x-server-time",
    "x-start",
)

_HTTPS = env.HTTPS and not DEBUG
SECURE_SSL_REDIRECT = _HTTPS
SECURE_REDIRECT_EXEMPT = [r"^(livez|readyz|metrics)$"]  # probes come from inside, over http
SECURE_HSTS_SECONDS = 30 * 24 * 3600 if _HTTPS else 0
SESSION_COOKIE_SECURE = _HTTPS
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 7 * 24 * 3600
CSRF_COOKIE_SECURE = _HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
if PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# W005, W021: other names of the same domain are not ours to speak for, so HSTS covers this host alone.
# oauth2_provider.W011: accounts.Token and oauth.RefreshToken lie in two apps, but only the second refers to the first.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "oauth2_provider.W011"]

# --- the REST API and log-in throttling (values and reasons: config.rest) --------------------------------------------
REST_FRAMEWORK = rest.rest_framework(PROXIES)
SPECTACULAR_SETTINGS = rest.SPECTACULAR_SETTINGS
AXES_FAILURE_LIMIT = rest.AXES_FAILURE_LIMIT
AXES_COOLOFF_TIME = rest.AXES_COOLOFF_TIME
AXES_LOCKOUT_PARAMETERS = rest.AXES_LOCKOUT_PARAMETERS
AXES_RESET_ON_SUCCESS = rest.AXES_RESET_ON_SUCCESS
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = rest.AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT
AXES_DISABLE_ACCESS_LOG = rest.AXES_DISABLE_ACCESS_LOG
AXES_USERNAME_CALLABLE = rest.AXES_USERNAME_CALLABLE
AXES_LOCKOUT_CALLABLE = rest.AXES_LOCKOUT_CALLABLE if PROCESS == installed.WEB else None  # its check would load the API
AXES_SENSITIVE_PARAMETERS = rest.AXES_SENSITIVE_PARAMETERS
AXES_VERBOSE = rest.AXES_VERBOSE
AXES_CLIENT_IP_CALLABLE = rest.AXES_CLIENT_IP_CALLABLE if PROCESS == installed.WEB else None

# --- clock: beat and worker ------------------------------------------------------------------------------------------
# No message carries truth: each is a tick with a short expiry, and the next tick finds what this one missed.
CELERY_TIMEZONE = "UTC"
CELERY_ENABLE_UTC = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_RESULT_BACKEND = None
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_DB_REUSE_MAX = 10**9  # tasks before Celery closes connections; `config.celery` does, as Django would
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BEAT_SCHEDULER = "config.beat_schedule:SteadyScheduler"
CELERY_IMPORTS = [
    "accounts.tasks",
    "games.workers.tasks",
    "games.workers.watchdog",
    "games.workers.nightly",
    "api.notifications.tasks",
    "api.webhooks.tasks",
    "config.exporter",
]
SWEEP = {"task": "games.tasks.sweep", "schedule": 1.0, "options": {"expires": 5}}
WEBHOOKS = {"task": "webhooks.deliver_due", "schedule": 1.0, "options": {"expires": 5}}
NOTIFICATIONS = {"task": "notifications.follow_games", "schedule": 1.0, "options": {"expires": 5}}
CELERY_BEAT_SCHEDULE = {"sweep": SWEEP}
if PLACES:  # one a bucket, so that none waits for another
    CELERY_BEAT_SCHEDULE = {f"sweep-{bucket}": SWEEP | {"args": (bucket,)} for bucket in range(1, PLACES + 1)}
    CELERY_BEAT_SCHEDULE["cards"] = {"task": "games.tasks.follow_cards", "schedule": 1.0, "options": {"expires": 5}}
CELERY_BEAT_SCHEDULE["webhooks"] = WEBHOOKS
CELERY_BEAT_SCHEDULE["notifications"] = NOTIFICATIONS
CELERY_BEAT_SCHEDULE["notification-push"] = {"task": "notifications.push", "schedule": 2.0, "options": {"expires": 5}}
CELERY_BEAT_SCHEDULE["notification-mail"] = {"task": "notifications.mail", "schedule": 5.0, "options": {"expires": 5}}
if DEMO:
    CELERY_BEAT_SCHEDULE["keep-demo"] = {"task": "games.tasks.keep_demo", "schedule": 5.0, "options": {"expires": 5}}
if REDIS_URL:
    CELERY_BROKER_URL = REDIS_URL
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 60,
        "socket_connect_timeout": 2,
        "socket_timeout": 5,
        "global_keyprefix": "theogony:",
    }
    # A request that cannot publish must not wait: the next sweep does it.
    CELERY_TASK_PUBLISH_RETRY = False
else:
    BROKER_DIR = DATA_DIR / "broker"
    for _folder in ("messages", "control", "tmp"):
        (BROKER_DIR / _folder).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_URL = "filesystem://"
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_DIR / "messages"),
        "data_folder_out": str(BROKER_DIR / "messages"),
        "control_folder": str(BROKER_DIR / "control"),
        "store_processed": False,
        "polling_interval": 0.2,
    }
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False  # its messages would pile up in the folder

# --- logs ------------------------------------------------------------------------------------------------------------
logs.configure()
LOGGING = logs.logging_settings(env.LOG_FORMAT, env.LOG_LEVEL)
DJANGO_STRUCTLOG_CELERY_ENABLED = False  # a sweep each second would write three lines each second
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG  # one line a request: its end
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True  # api.common.limits.RequestIds has checked it, or made it
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = not PROXIES  # behind a proxy the address would be the proxy's

# --- the admin -------------------------------------------------------------------------------------------------------
UNFOLD = {
    "SITE_TITLE": "Theogony",
    "SITE_HEADER": "Theogony",
    "SITE_SUBHEADER": "Worlds, gods and the games they play",
    "SITE_SYMBOL": "public",
    "SHOW_HISTORY": True,
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": True,
    "SIDEBAR": {"show_search": True, "show_all_applications": True, "navigation": "api.console.navigation.groups"},
    "DASHBOARD_CALLBACK": "api.console.dashboard.overview",
}
PROMETHEUS_EXPORT_MIGRATIONS = False  # it would query the database at import
