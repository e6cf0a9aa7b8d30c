"""What characters and players gain and lose: dice, tokens, victory points."""
