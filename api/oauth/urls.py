"""Addresses of sign-in for applications. The namespace is the toolkit's: its metadata look the endpoints up there."""

from django.urls import path

from api.oauth.views import AuthorizeView, MetadataView, RevokeView, TokenView

app_name = "oauth2_provider"
urlpatterns = [
    path("oauth/authorize/", AuthorizeView.as_view(), name="authorize"),
    path("oauth/token/", TokenView.as_view(), name="token"),
    path("oauth/revoke/", RevokeView.as_view(), name="revoke-token"),
    path(".well-known/oauth-authorization-server", MetadataView.as_view(), name="oauth-server-metadata"),
]
