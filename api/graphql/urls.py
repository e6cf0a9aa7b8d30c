"""Addresses of GraphQL, below /graphql/."""

from django.urls import path

from api.graphql.view import asset, graphql_view, schema_file

urlpatterns = [
    path("", graphql_view, name="graphql"),
    path("schema.graphql", schema_file, name="graphql-schema"),
    path("assets/<str:name>", asset, name="graphql-asset"),
]
