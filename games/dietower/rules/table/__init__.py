"""Chapter 0 of the rulebook: the table, its sessions and seats."""
