"""The admin pages of worlds."""

import pytest
from django.contrib.admin import AdminSite, site
from django.urls import reverse

from worlds.admin_classes import RULED_PAGES, PantheonForm, RaceAdmin, WorldAdmin
from worlds.models import Artifact, Avatar, Chronicle, Order, Person, Race, Square, World


@pytest.fixture
def keeper(client, django_user_model):
    """A browser of an admin."""
    client.force_login(django_user_model.objects.create_superuser(username="keeper", password="a long passphrase"))
    return client


@pytest.mark.parametrize("model", [World, Artifact, Avatar, Chronicle, Order, Person], ids=lambda model: model.__name__)
def test_the_lists_and_forms_of_unruled_models_open(keeper, small, model):
    name = model._meta.model_name

    assert isinstance(site._registry[model], WorldAdmin)
    assert keeper.get(reverse(f"admin:worlds_{name}_changelist"), {"q": "a"}).status_code == 200
    assert keeper.get(reverse(f"admin:worlds_{name}_add")).status_code == 200


def test_the_pages_of_artifacts_and_persons_say_who_holds_and_where_they_are(keeper, small):
    mim = Person.objects.create(world=small, name="Mim", kind="character", square_id=small.square_id(2, 1))
    Artifact.objects.create(world=small, name="Ring", person=mim)

    assert "Mim (person)" in keeper.get(reverse("admin:worlds_artifact_changelist")).content.decode()
    assert "(2, 1)" in keeper.get(reverse("admin:worlds_person_changelist")).content.decode()
    assert keeper.get(reverse("admin:worlds_person_change", args=[mim.pk])).status_code == 200


def test_a_world_is_made_with_its_map(keeper):
    form = {"name": "New", "adjacency": 8, "is_public": "on", "letters": "PW\nFI\n"}
    form |= {"members-TOTAL_FORMS": 0, "members-INITIAL_FORMS": 0}

    assert keeper.post(reverse("admin:worlds_world_add"), form).status_code == 302

    world = World.objects.get()
    assert (world.width, world.height, Square.objects.filter(world=world).count()) == (2, 2, 4)
    assert keeper.get(reverse("admin:worlds_world_change", args=[world.pk])).status_code == 200


def test_a_bad_map_is_refused_in_the_form_and_makes_no_world(keeper):
    form = {"name": "New", "adjacency": 8, "letters": "PW\nF\n", "members-TOTAL_FORMS": 0, "members-INITIAL_FORMS": 0}

    answer = keeper.post(reverse("admin:worlds_world_add"), form)

    assert "Row 2, column 2: nothing stands there" in answer.content.decode()
    assert not World.objects.exists()


def test_a_world_is_deleted_without_listing_its_squares(keeper, small):
    address = reverse("admin:worlds_world_delete", args=[small.pk])

    assert "with all that is in it" in keeper.get(address).content.decode()
    assert keeper.post(address, {"post": "yes"}).status_code == 302
    assert not Square.objects.exists()


def test_a_ruled_row_can_be_read_and_not_written(rf, elves, django_user_model):
    class Ruled(RaceAdmin):
        def is_ruled(self, obj):
            return True

    request = rf.get("/")
    request.user = django_user_model(username="keeper", is_superuser=True, is_active=True)
    for page, free in ((RaceAdmin(Race, AdminSite()), True), (Ruled(Race, AdminSite()), False)):
        assert page.has_change_permission(request, elves) is free
        assert page.has_delete_permission(request, elves) is free
        assert page.has_view_permission(request, elves)
        assert "delete_selected" not in page.get_actions(request)


def test_the_pages_of_ruled_models_fit_their_models(rf, small, elves, django_user_model):
    own = AdminSite()
    for model, page in (*RULED_PAGES.items(), (World, WorldAdmin)):
        own.register(model, type(page.__name__, (page,), {"search_fields": page.search_fields or ["name"]}))
    request = rf.get("/")
    request.user = django_user_model(username="keeper", is_superuser=True, is_active=True)

    for model in RULED_PAGES:
        page = own.get_model_admin(model)
        assert page.check() == []
        assert page.get_queryset(request).count() >= 0
    assert own.get_model_admin(Race).get_readonly_fields(request, elves) == ("world",)
    assert [own.get_model_admin(Race).units(race) for race in own.get_model_admin(Race).get_queryset(request)] == [0]


@pytest.mark.rule("G2-PAN-1")
def test_a_pantheon_form_that_does_not_add_up_is_refused(rf, elves, django_user_model):
    page = RaceAdmin(Race, AdminSite())
    request = rf.get("/")
    request.user = django_user_model(username="keeper", is_superuser=True, is_active=True)
    formset = next(iter(page.get_formsets_with_inlines(request, elves)))[0]
    for share, errors in (("99.9", 1), ("100", 0)):
        form = formset(
            {
                "shares-TOTAL_FORMS": 1, "shares-INITIAL_FORMS": 0,
                "shares-0-special": "atheism", "shares-0-share": share, "shares-0-race": elves.pk,
            },
            instance=elves,
        )  # fmt: skip
        assert isinstance(form, PantheonForm)
        assert len(form.non_form_errors()) == errors
