"""Settings of the judged service: its own, with budgets that no judge empties (each is tested by itself elsewhere)."""

from config import settings as service

globals().update({name: value for name, value in vars(service).items() if name.isupper()})

REST_FRAMEWORK = {
    **service.REST_FRAMEWORK,
    "DEFAULT_THROTTLE_RATES": dict.fromkeys(service.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "100000000/min"),
}
MAX_LOBBIES = 1_000_000
