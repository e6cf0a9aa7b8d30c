"""Chapter 1 of the rulebook: characters, people of the world master, Monsters, charts."""
