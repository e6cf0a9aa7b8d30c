"""What an application may ask people for, and the sentences in which they are asked: the scopes of personal tokens."""

from typing import Any

from oauth2_provider.scopes import BaseScopes

from accounts.models import Scope
from accounts.oauth.models import Application, words_of

SENTENCES = {
    Scope.READ: "See the games, worlds and seats that you may see.",
    Scope.PLAY: "Play for you: join games, issue commands and answer questions.",
    Scope.GM: "Lead games for you where you are their host or game-master, with the view and the powers of one.",
}


class ApplicationScopes(BaseScopes):
    """The scopes that an administrator has allowed an application."""

    def get_all_scopes(self) -> dict[str, str]:
        """Every scope and its sentence."""
        return {str(scope): sentence for scope, sentence in SENTENCES.items()}

    def get_available_scopes(self, application: Any = None, request: Any = None, *_: Any, **__: Any) -> list[str]:
        """Those that this application may ask for; all of them where none is named."""
        return words_of(application.scopes if isinstance(application, Application) else Scope)

    def get_default_scopes(self, application: Any = None, request: Any = None, *_: Any, **__: Any) -> list[str]:
        """What an application asks for that names none: to read, or all that it may where that is not allowed."""
        available = self.get_available_scopes(application)
        return [scope for scope in available if scope == Scope.READ] or available
