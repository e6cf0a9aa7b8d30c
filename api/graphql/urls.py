"""Addresses of GraphQL, below /graphql/."""

from django.urls import path

from api.graphql.view import asset, door

urlpatterns = [path("", door, name="graphql"), path("assets/<str:name>", asset, name="graphql-asset")]
