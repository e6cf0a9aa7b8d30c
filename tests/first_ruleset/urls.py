"""The addresses of REST alone: GraphQL and the console take longer to load than a game takes to be played."""

from django.urls import include, path

urlpatterns = [path("api/", include("api.rest.urls"))]
