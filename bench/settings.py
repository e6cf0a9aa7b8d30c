"""Settings of the measured service: its own, with budgets that no benchmark empties, and one bare view beside it."""

from config import settings as service

globals().update({name: value for name, value in vars(service).items() if name.isupper()})

ROOT_URLCONF = "bench.urls"
# Requests are still counted, each at its usual price.
REST_FRAMEWORK = {
    **service.REST_FRAMEWORK,
    "DEFAULT_THROTTLE_RATES": dict.fromkeys(service.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "100000000/min"),
}
