"""The door: commands over HTTP, taken beside Django and played together. See docs/adr/0088-the-door.md."""
