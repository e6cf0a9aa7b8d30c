// A century over REST, with openapi-fetch and the types that openapi-typescript has made.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";
import { demo, hold, pause, play } from "./demo.js";

type GameEvent = components["schemas"]["GameEvent"];

const { base, game, token } = demo("demo-player-1");
const client = createClient<paths>({ baseUrl: base, headers: { Authorization: `Bearer ${token}` } });
const path = { game_id: game };

async function legalCommands(): Promise<components["schemas"]["LegalCommandList"]> {
  const { data, error } = await client.GET("/api/v1/games/{game_id}/legal-commands/", { params: { path } });
  hold(data !== undefined, `legal-commands: ${error?.code}`);
  return data;
}

interface Choice {
  $ref?: string;
  const?: unknown;
  oneOf?: Choice[];
}

// The values that a schema admits: one, or several with titles.
function valuesOf(schema: Choice | undefined, shared: Record<string, Choice>): unknown[] {
  const found = schema?.$ref === undefined ? schema : shared[schema.$ref.slice("#/$defs/".length)];
  return found?.const === undefined ? (found?.oneOf ?? []).flatMap((row) => valuesOf(row, shared)) : [found.const];
}

async function declareWar(key: string, attacker: string, defender: string) {
  return client.POST("/api/v1/games/{game_id}/commands/declare-war/", {
    params: { path, header: { "Idempotency-Key": key } },
    body: { attacker, defender },
  });
}

async function firstWar(): Promise<{ cursor: string; war: string }> {
  for (let round = 0; ; round++) {
    const listed = await legalCommands();
    for (const legal of listed.results) {
      const properties = (legal.schema?.["properties"] ?? {}) as Record<string, Choice>;
      const shared = listed.$defs as Record<string, Choice>;
      const [attacker] = valuesOf(properties["attacker"], shared);
      const defenders = valuesOf(properties["defender"], shared);
      if (legal.command !== "declare-war" || !legal.legal || typeof attacker !== "string") continue;
      for (const defender of defenders) {
        hold(typeof defender === "string", "a race is named by its id");
        const key = `rest-${round}-${defender}`;
        const { data, error } = await declareWar(key, attacker, defender);
        if (error !== undefined) {
          hold(error.status === 409 || error.status === 404 || error.status === 503, `declare-war: ${error.code}: ${error.detail}`);
          continue;
        }
        hold("replayed" in data && !data.replayed, "the first answer is no repetition");
        const events = data.events as GameEvent[];
        const declared = events.find((event) => event.type === "gods2.WarDeclared");
        hold(declared?.type === "gods2.WarDeclared", "no WarDeclared in the answer");
        const again = await declareWar(key, attacker, defender);
        hold(again.data !== undefined && "replayed" in again.data && again.data.replayed, "not answered as repeated");
        const same = again.data.events.map((event) => event.cursor).join() === data.events.map((e) => e.cursor).join();
        hold(same, "the repeated answer has other events");
        const other = await declareWar(key, defender, attacker);
        hold(other.error?.code === "key.reused", "a key was taken for another command");
        return { cursor: data.cursor, war: declared.data.war };
      }
    }
    await pause(1000);
  }
}

async function century(): Promise<string> {
  const { data: state } = await client.GET("/api/v1/games/{game_id}/state/", { params: { path } });
  hold(state !== undefined && state.game.status === "running", "the demo does not run");
  const { war } = await firstWar();
  const seen: GameEvent[] = [];
  let after = state.cursor;
  for (;;) {
    const { data } = await client.GET("/api/v1/games/{game_id}/events/", {
      params: { path, query: { after, limit: 100 } },
    });
    hold(data !== undefined, "events were refused");
    seen.push(...data.results);
    hold((data.results.at(-1)?.cursor ?? after) === data.cursor, "the page's cursor is not that of its last event");
    after = data.cursor;
    const opened = seen.find((event) => event.type === "gods2.CenturyOpened");
    if (opened?.type === "gods2.CenturyOpened" && !data.more) {
      const cursors = seen.map((event) => event.cursor);
      hold(new Set(cursors).size === cursors.length, "an event came twice");
      hold(seen.some((event) => event.type === "gods2.WarDeclared" && event.data.war === war), "the war is not in the log");
      const whole = await client.GET("/api/v1/games/{game_id}/events/", {
        params: { path, query: { after: state.cursor, limit: 500 } },
      });
      const again = whole.data?.results.slice(0, cursors.length).map((event) => event.cursor);
      hold(again?.join() === cursors.join(), "the log read in pieces is not the log read at once");
      return `century ${opened.data.century} after ${seen.length} events`;
    }
    await pause(500);
  }
}

await play(century);
