"""Users, tokens and invitations."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People who play, lead and administer."""

    name = "accounts"
