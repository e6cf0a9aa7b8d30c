/** Requests: the token, retries, pages. What one ruleset adds are types (`theogony/gods2` and others). */
import { Game } from "./game.js";
import { Refusal } from "./refusal.js";
const BUSY = [429, 503];
const LONGEST_WAIT_SECONDS = 60;
export const pause = (seconds, signal) => new Promise((done) => {
    if (signal?.aborted)
        return done();
    const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        done();
    };
    const timer = setTimeout(end, 1000 * seconds);
    signal?.addEventListener("abort", end);
});
/** Seconds until the next try, as `Retry-After` says; 1 where it says nothing in seconds. */
export function waitSeconds(answer) {
    const said = answer.headers.get("Retry-After") ?? "";
    return /^\d+$/.test(said) ? Math.min(Number(said), LONGEST_WAIT_SECONDS) : 1;
}
/** One service, and who holds the token. */
export class Service {
    base;
    headers;
    attempts;
    fetch;
    /** Throws TypeError when `base` is no address. */
    constructor(settings) {
        this.base = new URL(settings.base).href.replace(/\/+$/, "");
        this.headers = settings.token ? { Authorization: `Bearer ${settings.token}` } : {};
        this.attempts = Math.max(1, settings.attempts ?? 5);
        this.fetch = settings.fetch ?? ((...wish) => fetch(...wish));
    }
    /** A game, as this seat sees it; `as: "gm"`: as game-master. Nothing is asked yet. */
    game(id, view = {}) {
        return new Game(this, id, view);
    }
    /** Read an address of the document. Throws Refusal, TypeError (no connection). */
    async get(path, names, query) {
        return this.answer("GET", filled(path, names), { query });
    }
    /** Send to an address of the document. Commands of a game have `Game.send`, with a key. Throws Refusal, TypeError. */
    async post(path, names, ...[body]) {
        return this.answer("POST", filled(path, names), { body });
    }
    /** Change what stands at an address of the document. Throws Refusal, TypeError. */
    async patch(path, names, ...[body]) {
        return this.answer("PATCH", filled(path, names), { body });
    }
    /** Delete what stands at an address of the document. Throws Refusal, TypeError. */
    async delete(path, names) {
        await this.answer("DELETE", filled(path, names), {});
    }
    /** Each entry of a list, page after page; asked for as they are read. Throws Refusal, TypeError. */
    async *pages(path, names, query) {
        let page = await this.answer("GET", filled(path, names), { query });
        for (;;) {
            yield* page.results;
            if (page.next === null)
                return;
            // The address may name the service as a proxy knows it: only its path and query are taken.
            const next = new URL(page.next, this.base);
            page = await this.answer("GET", next.pathname + next.search, {});
        }
    }
    /** The JSON of an answer, or its text, or nothing. Throws as `request`. */
    async answer(method, path, wish) {
        const answer = await this.request(method, path, wish);
        const isJson = (answer.headers.get("Content-Type") ?? "").includes("json");
        return (answer.status === 204 ? undefined : isJson ? await answer.json() : await answer.text());
    }
    /**
     * Send a request; again after 429 and 503, when `Retry-After` says. After a broken connection it is sent again only
     * where that does no harm: a read, or a request with a key. Throws Refusal from 400 on, TypeError (no connection).
     */
    async request(method, path, wish) {
        const headers = { ...this.headers, ...wish.headers };
        const harmless = method === "GET" || "Idempotency-Key" in headers;
        const init = { method, headers };
        if (wish.signal)
            init.signal = wish.signal;
        if (wish.body !== undefined) {
            init.body = JSON.stringify(wish.body);
            headers["Content-Type"] = "application/json";
        }
        for (let left = this.attempts - 1;; left--) {
            let answer;
            try {
                answer = await this.fetch(this.base + path + search(wish.query), init);
            }
            catch (error) {
                if (!harmless || left === 0 || wish.signal?.aborted)
                    throw error;
                await pause(1, wish.signal);
                continue;
            }
            if (BUSY.includes(answer.status) && left > 0) {
                await answer.body?.cancel();
                await pause(waitSeconds(answer), wish.signal);
                continue;
            }
            if (answer.status >= 400)
                throw await Refusal.of(answer);
            return answer;
        }
    }
}
/** A query as it is sent: without what is undefined, booleans as 1 and 0. */
export function search(query) {
    const found = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) {
        if (value !== undefined)
            found.set(name, typeof value === "boolean" ? String(Number(value)) : String(value));
    }
    return found.size ? `?${found}` : "";
}
function filled(path, names) {
    const values = names;
    return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ""));
}
