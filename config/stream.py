"""Live updates alone, as an ASGI application: event streams, and what a probe asks. THEOGONY_PROCESS is `stream`.

Thousands of watchers wait here for what others do, so the process has neither the schema of GraphQL nor the pages of
the admin, which are as large as all of them: subscriptions are served by a door (config.asgi).
"""

import os
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

from config.composition import AsgiApp, compose
from config.process.gc_tuning import freeze, pause

pause()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_wsgi = get_wsgi_application()

# isort: split
# The line above makes Django ready: whatever needs models is imported below it.
from api.streams import sse  # noqa: E402

THREADS = 2

django = cast("AsgiApp", WSGIMiddleware(cast("Any", django_wsgi), workers=THREADS))
application = compose(django, {sse.PATH: sse.events})
freeze()
