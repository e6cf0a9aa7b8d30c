"""Settings, addresses, servers. Imports everything below; nothing below imports it."""
