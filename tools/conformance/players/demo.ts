// What the players share: who plays, and what must hold.
import { readFileSync } from "node:fs";

export interface Demo {
  base_url: string;
  game: string;
  users: { name: string; token: string }[];
}

export const PATIENCE_MS = 180_000;

export function demo(user: string): { base: string; game: string; token: string } {
  const file = process.env["DEMO_JSON"];
  hold(file !== undefined, "DEMO_JSON names no file");
  const document = JSON.parse(readFileSync(file, "utf8")) as Demo;
  const found = document.users.find((u) => u.name === user);
  hold(found !== undefined, `demo.json has no ${user}`);
  return { base: document.base_url, game: document.game, token: found.token };
}

export function hold(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export async function play(century: () => Promise<string>): Promise<void> {
  const late = setTimeout(() => {
    console.error("no new century in time");
    process.exit(1);
  }, PATIENCE_MS);
  try {
    console.log(await century());
    clearTimeout(late);
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
