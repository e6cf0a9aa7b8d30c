// In the page: of each legal command of each seat of the demo a sample, and with what code a dry run of it is refused, if any.
async ({ base, users, games }) => {
  const { Refusal, Theogony, sample } = await import("./theogony/core.js");
  const found = [];
  for (const { ruleset, game: id, seats } of games) {
    const seen = new Set();
    for (const { user, seat, role } of seats) {
      const { token } = users.find(({ name }) => name === user);
      const game = new Theogony({ base, token }).game(id, role === "gm" ? { as: "gm" } : { seat });
      const listing = await game.read("legal-commands", { legal: "1" });
      for (const { command, schema: own, partial } of listing.results) {
        if (partial || seen.has(command)) continue;
        seen.add(command);
        const schema = { ...own, $defs: listing.$defs };
        const body = sample(schema);
        const refused = await game.dryRun(command, body).then(
          () => "",
          (error) => (error instanceof Refusal ? error.code : Promise.reject(error)),
        );
        found.push({ ruleset, command, schema, body, refused });
      }
    }
  }
  return found;
}
