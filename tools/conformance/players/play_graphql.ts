// A century over GraphQL: queries and a mutation by fetch, the log by graphql-ws, with the types of graphql-codegen.
import { readFileSync } from "node:fs";
import { Kind, parse, print } from "graphql";
import { createClient } from "graphql-ws";
import WebSocket from "ws";
import { demo, hold, pause, play } from "./demo.js";
import type {
  PositionQuery,
  PositionQueryVariables,
  SinceQuery,
  SinceQueryVariables,
  WarMutation,
  WarMutationVariables,
  WatchSubscription,
  WatchSubscriptionVariables,
} from "./operations.js";

const { base, game, token } = demo("demo-player-3");
const documents = new Map(
  parse(readFileSync(new URL("../operations.graphql", import.meta.url), "utf8")).definitions.map((definition) => [
    definition.kind === Kind.OPERATION_DEFINITION ? definition.name?.value : undefined,
    print(definition),
  ]),
);

function documentOf(operation: string): string {
  const found = documents.get(operation);
  hold(found !== undefined, `there is no operation ${operation}`);
  return found;
}

async function ask<Data, Variables>(operationName: string, variables: Variables): Promise<Data> {
  const query = documentOf(operationName);
  const answer = await fetch(`${base}/graphql/`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/graphql-response+json",
    },
    body: JSON.stringify({ query, operationName, variables }),
  });
  const answered = (await answer.json()) as { data?: Data; errors?: { message: string }[] };
  hold(answered.errors === undefined && answered.data !== undefined, `${operationName}: ${answered.errors?.[0]?.message}`);
  return answered.data;
}

const position = () => ask<PositionQuery, PositionQueryVariables>("Position", { game });
const war = (key: string, attacker: string, defender: string) =>
  ask<WarMutation, WarMutationVariables>("War", { game, key, input: { attacker, defender } });

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

async function firstWar(): Promise<string[]> {
  for (let round = 0; ; round++) {
    const listed = (await position()).game.legalCommands;
    const shared = listed.definitions as Record<string, Choice>;
    for (const legal of listed.results) {
      if (legal.command !== "declare-war" || !legal.legal) continue;
      const properties = (legal.schema as { properties: Record<string, Choice> }).properties;
      const attacker = String(valuesOf(properties["attacker"], shared)[0]);
      for (const defender of valuesOf(properties["defender"], shared)) {
        const key = `graphql-${round}-${String(defender)}`;
        const first = (await war(key, attacker, String(defender))).gods2DeclareWar;
        if (first.__typename === "Refusal") {
          hold(first.status === 409 || first.status === 404 || first.status === 503, `declare-war: ${first.code}: ${first.detail}`);
          continue;
        }
        hold(!first.replayed, "the first answer is no repetition");
        const again = (await war(key, attacker, String(defender))).gods2DeclareWar;
        hold(again.__typename === "CommandDone" && again.replayed, "not answered as repeated");
        const same = again.events.map((e) => e.cursor).join() === first.events.map((e) => e.cursor).join();
        hold(same, "the repeated answer has other events");
        return first.events.map((event) => event.cursor);
      }
    }
    await pause(1000);
  }
}

async function century(): Promise<string> {
  const begin = (await position()).game;
  hold(begin.status === "running", "the demo does not run");
  const client = createClient({
    url: `${base.replace("http", "ws")}/graphql/`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${token}` },
  });
  const variables: WatchSubscriptionVariables = { game, after: begin.cursor };
  const watched = client.iterate<WatchSubscription>({ query: documentOf("Watch"), variables: { ...variables } });
  const acting = firstWar();
  const cursors: string[] = [];
  for await (const { data, errors } of watched) {
    hold(data != null, `the subscription failed: ${errors?.[0]?.message}`);
    const event = data.gameEvents;
    cursors.push(event.cursor);
    if (event.__typename !== "Gods2CenturyOpened") continue;
    const own = await acting;
    if (!own.every((cursor) => cursors.includes(cursor))) continue; // declared after this century began
    hold(new Set(cursors).size === cursors.length, "an event came twice");
    const read = await ask<SinceQuery, SinceQueryVariables>("Since", { game, after: begin.cursor });
    const listed = read.game.events.results.map((e) => e.cursor);
    const most = Math.min(listed.length, cursors.length);
    hold(listed.slice(0, most).join() === cursors.slice(0, most).join(), "subscription and log differ");
    return `century ${event.data.century} after ${cursors.length} events`;
  }
  throw new Error("the subscription ended");
}

await play(century);
