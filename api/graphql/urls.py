"""Addresses of GraphQL, below /graphql/."""

from django.urls import path

from api.graphql.view import asset, graphql_view

urlpatterns = [path("", graphql_view, name="graphql"), path("assets/<str:name>", asset, name="graphql-asset")]
