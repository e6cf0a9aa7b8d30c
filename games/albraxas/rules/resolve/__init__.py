"""RESOLVE: actions, pools and strength, juncture by juncture."""
