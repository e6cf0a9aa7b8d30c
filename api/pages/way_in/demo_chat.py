"""The chat channel of the demo: it writes the lines that it is told into the log of the service."""

from html import unescape

import orjson
import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views import View
from django.views.decorators.csrf import csrf_exempt

from games.workers.demo import is_key_of_chat

MAX_BYTES = 20_000
PLAIN = "text/plain"
logger = structlog.get_logger(__name__)


@method_decorator(csrf_exempt, name="dispatch")
class DemoChat(View):
    """Takes lines as Slack does, from whoever knows the key in the address: the demo's own chat hook."""

    http_method_names = ["post"]

    def post(self, request: HttpRequest, key: str) -> HttpResponse:
        """200 for a line; 404 for any other key, and without the demo; 400 for what is no line. In Slack's words."""
        if not (settings.DEMO and is_key_of_chat(key)):
            return HttpResponse("no_service", status=404, content_type=PLAIN)
        body = request.read(MAX_BYTES + 1)
        try:
            text = orjson.loads(body)["text"]
        except (orjson.JSONDecodeError, KeyError, TypeError):
            return HttpResponse("invalid_payload", status=400, content_type=PLAIN)
        if not isinstance(text, str) or len(body) > MAX_BYTES:
            return HttpResponse("invalid_payload", status=400, content_type=PLAIN)
        logger.warning("demo_chat", line=unescape(text))  # `make run` shows nothing below a warning
        return HttpResponse("ok", content_type=PLAIN)
