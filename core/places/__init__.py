"""Games spread over schemas of one PostgreSQL, its *places* (ADR 115); with PLACES=0 nothing of this is installed."""
