"""How people enter the admin, and their own password there: by the service's page of sign-in, and its one budget."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse, reverse_lazy
from unfold.forms import AdminOwnPasswordChangeForm

from accounts.services import revoke_tokens_of
from api.common.exceptions import Fault
from api.common.passwords import user_by_password
from api.common.throttles import PASSWORDS, address_of, count, rate_exceeded
from api.pages.forms.refusals import refuse


def to_sign_in(request: HttpRequest) -> HttpResponse:
    """The page of sign-in, which leads back to what was asked for; to somebody who is no administrator, why not."""
    if request.user.is_authenticated and not request.user.is_staff:
        fault = Fault("admin.refused", "The admin is for those who run this service; your account is for playing.")
        return refuse(request, fault)
    target = request.GET.get("next") or reverse("admin:index")
    return HttpResponseRedirect(f"{reverse('log-in')}?{urlencode({'next': target})}")


class OwnPasswordForm(AdminOwnPasswordChangeForm):
    """A new password for oneself; a wrong old one counts as a wrong try to sign in."""

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        """The old password. Raises ValidationError for a wrong one, and after too many of them."""
        old = str(self.cleaned_data["old_password"])
        try:
            known = user_by_password(self.request, self.user.get_username(), old)
        except Fault as locked:
            raise ValidationError(locked.message, code="locked") from locked
        if known != self.user:
            raise ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return old

    def save(self, commit: bool = True) -> Any:
        """Set it and revoke one's own tokens, as `me/password/` does; other sessions end by themselves."""
        with transaction.atomic():
            user = super().save(commit)
            revoke_tokens_of(user)
        return user


class OwnPasswordView(PasswordChangeView):
    """The admin's page for one's own password."""

    form_class = OwnPasswordForm
    template_name = "registration/password_change_form.html"
    success_url = reverse_lazy("admin:password_change_done")

    def get_form_kwargs(self) -> dict[str, Any]:
        """The form asks by the request whose try it is."""
        return {**super().get_form_kwargs(), "request": self.request}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """As every page of the admin."""
        return {**admin.site.each_context(self.request), **super().get_context_data(**kwargs)}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Change it, within the budget of tries."""
        within, spent = count(request, PASSWORDS, address_of(request))
        if not within:
            return refuse(request, rate_exceeded(spent))
        return super().post(request, *args, **kwargs)


def own_password(request: HttpRequest) -> HttpResponseBase:
    """The page, for who is signed in to the admin."""
    return admin.site.admin_view(OwnPasswordView.as_view())(request)
