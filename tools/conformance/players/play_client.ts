// A century over REST, with the packed client in TypeScript.
import { choices, Refusal, Theogony, type GameEvent, type Schemas } from "theogony/gods2";
import { demo, hold, pause, play } from "./demo.js";

const { base, game: id, token } = demo("demo-player-1");
const theogony = new Theogony({ base, token });
const game = theogony.game(id);

// What the types must not let through; tsc complains when it would.
// @ts-expect-error: the defender is missing
export const incomplete = (): unknown => game.send("declare-war", { attacker: id });
// @ts-expect-error: there is no such command
export const misspelt = (): unknown => game.send("declare-peace", {});
// @ts-expect-error: there is no such filter
export const unfiltered = (): unknown => theogony.get("/api/v1/games/", {}, { colour: "red" });

async function refused(wish: Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await wish;
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

const cursors = (events: { cursor: string }[]): string => events.map((event) => event.cursor).join();

async function declare(attacker: string, defender: string, key: string): Promise<Schemas["CommandDone"] | undefined> {
  try {
    return await game.send("declare-war", { attacker, defender }, { key });
  } catch (error) {
    if (error instanceof Refusal && [404, 409].includes(error.status)) return undefined; // the rules say no: another one
    throw error;
  }
}

async function firstWar(): Promise<string> {
  for (let round = 0; ; round++) {
    const listing = await game.read("legal-commands", { command: "declare-war" });
    for (const legal of listing.results) {
      const attacker = choices(listing, legal, "attacker")[0]?.value;
      if (!legal.legal || typeof attacker !== "string") continue;
      for (const { value: defender } of choices(listing, legal, "defender")) {
        hold(typeof defender === "string", "a race is named by its id");
        const key = `typescript-${round}-${defender}`;
        const done = await declare(attacker, defender, key);
        if (!done) continue;
        hold(!done.replayed, "the first answer is no repetition");
        const again = await game.send("declare-war", { attacker, defender }, { key });
        hold(again.replayed && cursors(again.events) === cursors(done.events), "not answered as repeated");
        const other = await refused(game.send("declare-war", { attacker: defender, defender: attacker }, { key }));
        hold(other?.code === "key.reused", "a key was taken for another command");
        const declared = done.events.find((event) => event.type === "gods2.WarDeclared");
        hold(typeof declared?.data["war"] === "string", "no WarDeclared in the answer");
        return declared.data["war"];
      }
    }
    await pause(1000);
  }
}

async function century(): Promise<string> {
  const unknown = await refused(theogony.game("00000000-0000-4000-8000-000000000000").state());
  hold(unknown?.status === 404, "a game that does not exist was read");
  const names: string[] = [];
  for await (const row of theogony.pages("/api/v1/gods2/races/", {}, { game: id, limit: 1 })) names.push(row.race);
  const state = await game.state();
  hold(names.length === state.races.length, `${names.length} races in pages, ${state.races.length} in the state`);
  hold(state.game.status === "running", "the demo does not run");
  const seen: GameEvent[] = [];
  const war = firstWar();
  let opened = 0;
  let found = false;
  for await (const event of game.stream({ after: state.cursor })) {
    seen.push(event);
    if (event.type === "gods2.CenturyOpened") opened = event.data.century;
    if (event.type === "gods2.WarDeclared") found ||= event.data.war === (await war);
    if (opened && found) break;
  }
  const whole: GameEvent[] = [];
  for await (const event of game.history(state.cursor)) whole.push(event);
  hold(new Set(seen.map((event) => event.cursor)).size === seen.length, "an event came twice");
  hold(cursors(whole.slice(0, seen.length)) === cursors(seen), "the stream is not the log");
  return `century ${opened} after ${seen.length} events`;
}

await play(century);
