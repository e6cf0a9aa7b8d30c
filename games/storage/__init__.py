"""How a state stands in rows: stores, the log, and states cached in memory."""
