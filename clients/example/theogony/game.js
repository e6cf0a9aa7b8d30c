import { stream } from "./stream.js";
/** A key for one intention. `crypto.randomUUID` is missing on a page that came over plain http. */
function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
export class Game {
    service;
    id;
    view;
    path;
    latest;
    constructor(service, id, view = {}) {
        this.service = service;
        this.id = id;
        this.view = view;
        this.path = `/api/v1/games/${encodeURIComponent(id)}/`;
    }
    /** Read a part of the game: `prompts`, `legal-commands`, `timers` and so on. Throws Refusal, TypeError. */
    async read(part, query) {
        return this.service.answer("GET", `${this.path}${part}/`, { query: { ...this.view, ...query } });
    }
    /** Everything that you may see, with `cursor`; the former answer while nothing has happened. */
    async state() {
        const headers = this.latest ? { "If-None-Match": this.latest.tag } : undefined;
        const answer = await this.service.request("GET", `${this.path}state/`, { query: { ...this.view }, headers });
        if (answer.status !== 304 || !this.latest) {
            this.latest = { tag: answer.headers.get("ETag") ?? "", state: (await answer.json()) };
        }
        return this.latest.state;
    }
    /** Execute a command, once however often it is sent. Throws Refusal, TypeError. */
    async send(command, ...[body, intention]) {
        const { key, expected } = (intention ?? {});
        return this.service.answer("POST", `${this.path}commands/${command}/`, {
            query: { ...this.view, expected },
            body: body ?? {},
            headers: { "Idempotency-Key": key ?? newKey() },
        });
    }
    /**
     * Execute some commands, one after the other, all of them or none; once however often they are sent. Where one is
     * refused, `facts.command_index` of the Refusal counts from 0. Throws Refusal, TypeError.
     */
    async batch(commands, intention = {}) {
        const { key, expected } = intention;
        return this.service.answer("POST", `${this.path}batch/`, {
            query: { ...this.view, expected },
            body: { commands },
            headers: { "Idempotency-Key": key ?? newKey() },
        });
    }
    /** What a command would do at this moment, with other dice; nothing is stored. Throws Refusal, TypeError. */
    async dryRun(command, ...[body]) {
        const query = { ...this.view, dry_run: true };
        return this.service.answer("POST", `${this.path}commands/${command}/`, { query, body: body ?? {} });
    }
    /** What a command would do, as you may know it, with the odds of every die. Throws Refusal, TypeError. */
    async forecast(command, ...[body]) {
        return this.service.answer("POST", `${this.path}forecast/${command}/`, { query: { ...this.view }, body: body ?? {} });
    }
    /** Each event behind a cursor up to now, in order; page after page, asked for as they are read. */
    async *history(after) {
        for (let more = true; more;) {
            const query = { ...this.view, after, limit: 500 };
            const page = await this.service.answer("GET", `${this.path}events/`, { query });
            yield* page.results;
            ({ cursor: after, more } = page);
        }
    }
    /**
     * The events as they happen, without a gap and none twice, for ever: leave the loop, or abort `signal`. Where it begins
     * is said once: `after` a cursor, with the `last` so many events, or `from: "now"`. A connection that breaks is opened
     * again behind the last event. Throws Refusal: 410 `cursor.ahead` when the log was restored from an earlier copy (read
     * the state again), 401 and 404 when one may no longer read.
     */
    stream(begin = {}) {
        return stream(this, begin);
    }
}
