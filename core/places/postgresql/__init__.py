"""Django's engine for PostgreSQL with places; named so in DATABASES."""
