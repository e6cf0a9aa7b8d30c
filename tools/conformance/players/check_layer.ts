// The hand-made part of the client in TypeScript, without a service: retries, keys, pages, refusals, a stream that is cut.
import { choices, Refusal, Theogony } from "theogony/core";
import { hold } from "./demo.js";

type Reply = () => Response;
interface Asked {
  url: URL;
  method: string;
  headers: Headers;
  body: unknown;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply => {
  return () => new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
};
const busy = (status: number): Reply => json(status, { code: "throttled", detail: "Wait." }, { "Retry-After": "0" });
const down: Reply = () => {
  throw new TypeError("fetch failed");
};
const event = (cursor: string): string => `id: ${cursor}\nevent: core.Paused\ndata: ${JSON.stringify({ cursor })}\n\n`;

/** A stream of these pieces, which breaks off, or ends. */
const pieces = (texts: string[], end: "cut" | "end"): Reply => {
  const encoder = new TextEncoder();
  let next = 0;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const text = texts[next++];
    if (text !== undefined) controller.enqueue(encoder.encode(text));
    else if (end === "cut") controller.error(new TypeError("terminated"));
    else controller.close();
  };
  return () => new Response(new ReadableStream({ pull }), { status: 200 });
};

function wire(...replies: Reply[]): { theogony: Theogony; asked: Asked[] } {
  const asked: Asked[] = [];
  const fetch = async (address: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const { method = "GET", headers, body } = init ?? {};
    asked.push({ url: new URL(String(address)), method, headers: new Headers(headers), body: body && JSON.parse(String(body)) });
    const reply = replies.shift();
    hold(reply !== undefined, `asked once too often: ${String(address)}`);
    return reply();
  };
  return { theogony: new Theogony({ base: "https://play.example/", token: "theo_1", fetch }), asked };
}

async function refusal(wish: Promise<unknown>): Promise<Refusal> {
  try {
    await wish;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("not refused");
}

async function taken(events: AsyncIterable<{ cursor: string }>, count: number): Promise<string> {
  const found: string[] = [];
  for await (const { cursor } of events) if (found.push(cursor) === count) break;
  return found.join();
}

const checks: Record<string, () => Promise<void>> = {
  async "a busy service is asked again under the same key"() {
    const { theogony, asked } = wire(busy(429), busy(503), down, json(201, { cursor: "c" }));
    const done = await theogony.game("g").send("pause", { reason: "Tea." });
    hold(done.cursor === "c" && asked.length === 4, "not sent until it was taken");
    hold(new Set(asked.map((each) => each.headers.get("Idempotency-Key"))).size === 1, "the key changed");
    hold(asked.every((each) => each.headers.get("Authorization") === "Bearer theo_1"), "sent without the token");
  },
  async "each command has a key of its own unless one is given"() {
    const { theogony, asked } = wire(json(201, {}), json(201, {}), json(201, {}));
    const game = theogony.game("g", { as: "gm" });
    await game.send("pause");
    await game.send("pause");
    await game.send("pause", {}, { key: "mine", expected: "c1" });
    const keys = asked.map((each) => each.headers.get("Idempotency-Key"));
    hold(new Set(keys).size === 3 && keys[0]?.length === 32 && keys[2] === "mine", keys.join());
    hold(asked[2]?.url.search === "?as=gm&expected=c1", String(asked[2]?.url));
  },
  async "a batch is sent under one key, and each command of it as it is written"() {
    const { theogony, asked } = wire(json(201, { results: [] }), json(201, { results: [] }));
    const game = theogony.game("g", { seat: "s" });
    await game.batch([{ name: "end-setup" }, { name: "pause", body: { reason: "Tea." }, seat: "t" }]);
    await game.batch([{ name: "resume" }], { key: "mine", expected: "c1" });
    // @ts-expect-error: a message has somebody to read it
    const incomplete = (): unknown => game.batch([{ name: "send-message", body: {} }]);
    hold(typeof incomplete === "function", "no function");
    const sent = JSON.stringify(asked[0]?.body);
    hold(sent === '{"commands":[{"name":"end-setup"},{"name":"pause","body":{"reason":"Tea."},"seat":"t"}]}', sent);
    hold(asked[0]?.url.pathname === "/api/v1/games/g/batch/" && asked[0].url.search === "?seat=s", String(asked[0]?.url));
    hold(asked[0].headers.get("Idempotency-Key")?.length === 32, "sent without a key");
    hold(asked[1]?.headers.get("Idempotency-Key") === "mine" && asked[1].url.search === "?seat=s&expected=c1", "another key");
  },
  async "a refused batch says which of its commands"() {
    const { theogony } = wire(json(409, { code: "clock.running", detail: "The clock runs.", facts: { command_index: 1 } }));
    const found = await refusal(theogony.game("g").batch([{ name: "pause" }, { name: "resume" }]));
    hold(found.facts["command_index"] === 1, String(found));
  },
  async "notifications are read, marked, and their settings changed"() {
    const page = json(200, { results: [{ id: "n" }], next: null, previous: null });
    const { theogony, asked } = wire(page, json(200, { unread: 0 }), json(200, { deadline_hours: 3 }), () => new Response(null, { status: 204 }));
    for await (const each of theogony.pages("/api/v1/me/notifications/", {}, { unread: "1" })) {
      hold((await theogony.post("/api/v1/me/notifications/read/", {}, { up_to: each.id })).unread === 0, "not read");
    }
    await theogony.patch("/api/v1/me/notification-settings/", {}, { deadline_hours: 3 });
    const gone = await theogony.delete("/api/v1/me/push-subscriptions/{subscription_id}/", { subscription_id: "p/1" });
    hold(gone === undefined && asked[3]?.url.pathname === "/api/v1/me/push-subscriptions/p%2F1/", String(asked[3]?.url));
    hold(asked.map((each) => each.method).join() === "GET,POST,PATCH,DELETE", "other verbs");
    hold(JSON.stringify(asked[2]?.body) === '{"deadline_hours":3}', "another change");
  },
  async "choices are what the schema of a legal command names"() {
    const listing = { $defs: { races: { oneOf: [{ const: "a", title: "Ana" }, { const: "b" }] } } };
    const entry = { schema: { properties: { one: { $ref: "#/$defs/races" }, two: { enum: [2] }, three: { type: "integer" } } } };
    const found = ["one", "two", "three"].map((name) => choices(listing, entry, name));
    hold(JSON.stringify(found) === '[[{"value":"a","title":"Ana"},{"value":"b","title":"b"}],[{"value":2,"title":"2"}],[]]', "other");
    hold(choices(listing, { schema: null }, "one").length === 0, "barred, and still offered");
  },
  async "a service that stays busy is a refusal in the end"() {
    const { theogony } = wire(...Array.from({ length: 5 }, () => busy(429)));
    const found = await refusal(theogony.game("g").send("pause"));
    hold(found.status === 429 && found.code === "throttled" && found.errors.length === 0, String(found));
  },
  async "an answer of a gateway is a refusal"() {
    const { theogony } = wire(() => new Response("<html>", { status: 502 }));
    const found = await refusal(theogony.get("/api/v1/me/", {}));
    hold(found.code === "answer.unreadable", String(found));
  },
  async "pages follow next on this service"() {
    const next = "http://inside/api/v1/games/?cursor=a%2Bb";
    const { theogony, asked } = wire(json(200, { results: [{ id: 1 }], next }), json(200, { results: [{ id: 2 }], next: null }));
    let count = 0;
    for await (const _ of theogony.pages("/api/v1/games/", {}, { limit: 1 })) count++;
    hold(count === 2 && asked[1]?.url.href === "https://play.example/api/v1/games/?cursor=a%2Bb", String(asked[1]?.url));
  },
  async "a state that has not changed is the former one"() {
    const { theogony, asked } = wire(json(200, { cursor: "a" }, { ETag: 'W/"1"' }), () => new Response(null, { status: 304 }));
    const game = theogony.game("g");
    hold((await game.state()) === (await game.state()), "it was read again");
    hold(asked[1]?.headers.get("If-None-Match") === 'W/"1"', "asked without the tag");
  },
  async "a cut stream goes on behind the last event"() {
    const split = event("b");
    const { theogony, asked } = wire(
      pieces(["retry: 0\n\n", event("a"), split.slice(0, 9), split.slice(9), "id: c\ndata: {"], "cut"),
      down,
      busy(503),
      pieces(["retry: 0\n\n: beat\n\nevent: bye\ndata: {}\n\n"], "end"),
      pieces([event("c") + event("d")], "end"),
    );
    const found = await taken(theogony.game("g").stream({ after: "0" }), 4);
    hold(found === "a,b,c,d", found);
    hold(asked.map((each) => each.headers.get("Last-Event-ID")).join() === "0,b,b,b,b", "begun elsewhere");
  },
  async "from now is said once"() {
    const { theogony, asked } = wire(pieces(["retry: 0\nid: here\n\n"], "cut"), pieces([event("next")], "end"));
    hold((await taken(theogony.game("g").stream({ from: "now" }), 1)) === "next", "another event");
    hold(asked.map((each) => each.url.search).join() === "?from=now,", "said twice");
    hold(asked[1]?.headers.get("Last-Event-ID") === "here", "the beginning was forgotten");
  },
  async "the last events come first; then life and what follows"() {
    const lives: unknown[] = [];
    const page = { results: [{ cursor: "y" }, { cursor: "z" }], cursor: "z", more: true };
    const { theogony, asked } = wire(json(200, page), pieces(['event: life\ndata: {"status":"running"}\n\n', event("new")], "end"));
    const stream = theogony.game("g").stream({ last: 2, onLife: (life) => lives.push(life["status"]) });
    hold((await taken(stream, 3)) === "y,z,new" && lives.join() === "running", "out of order");
    hold(asked[1]?.headers.get("Last-Event-ID") === "z" && asked[1].url.search === "?life=1", "begun elsewhere");
  },
  async "a log that was restored ends the stream"() {
    const { theogony } = wire(json(410, { code: "cursor.ahead", detail: "Read the state again." }));
    hold((await refusal(taken(theogony.game("g").stream({ after: "far" }), 1))).code === "cursor.ahead", "another code");
  },
  async "a stream that is aborted ends"() {
    const leave = new AbortController();
    const { theogony } = wire(pieces([event("a"), event("b")], "end"));
    for await (const { cursor } of theogony.game("g").stream({ signal: leave.signal })) if (cursor === "b") leave.abort();
  },
};

for (const [name, check] of Object.entries(checks)) {
  try {
    await check();
  } catch (error) {
    console.error(`${name}:`, error);
    process.exitCode = 1;
  }
}
console.log(`${Object.keys(checks).length} checks`);
