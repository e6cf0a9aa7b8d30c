"""Django as a WSGI application: REST, GraphQL queries and mutations, the admin. Streams are in config.asgi."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config.process.gc_tuning import freeze, pause

pause()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

# isort: split
# The line above makes Django ready: whatever needs models is imported below it.
from games.workers import nightly  # noqa: E402

nightly.start()
_ = get_resolver().url_patterns  # else the first request waits until the APIs are loaded
freeze()
