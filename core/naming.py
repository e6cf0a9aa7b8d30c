"""What names a row: its key, where that is no running number."""

from django.db.models import AutoField, Model


def naming_fields(model: type[Model]) -> tuple[str, ...]:
    """The fields that name a row: its key, or those of a unique constraint where the key is a running number.

    A running number says when a row was written, and in which database: it names nothing, and orders nothing.
    """
    if not isinstance(model._meta.pk, AutoField):
        return (model._meta.pk.name,)
    found = [tuple(constraint.fields) for constraint in model._meta.total_unique_constraints]
    return min(found, key=len) if found else ()
