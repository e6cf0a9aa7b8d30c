"""The OpenAPI document and its reader, served by ourselves: no script, style or font comes from another host."""

from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from api.kit.permissions import Anyone


class SchemaView(SpectacularAPIView):
    """The OpenAPI document, as YAML; as JSON with `Accept: application/json`."""

    permission_classes = [Anyone]
    throttle_classes = []


class DocsView(SpectacularSwaggerView):
    """The document to read and to try out; press "Authorize" and paste a token."""

    permission_classes = [Anyone]
    throttle_classes = []
    url_name = "schema"
    title = "Theogony: API"
