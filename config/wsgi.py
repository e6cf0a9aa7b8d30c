"""Django as a WSGI application: REST, GraphQL queries and mutations, the admin. Streams are in config.asgi."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()
