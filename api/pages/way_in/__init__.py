"""The ways into a game: home, sign-up, invitations, a new game, practice against bots."""
