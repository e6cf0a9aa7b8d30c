/** Requests: the token, retries, pages. What one ruleset adds are types (`theogony/gods2` and others). */
import { Game, type View } from "./game.js";
import { Refusal } from "./refusal.js";
import type { Answer, Body, Entry, ListPaths, Names, Operation, Optional, PathsWith, Query } from "./types.js";

const BUSY = [429, 503];
const LONGEST_WAIT_SECONDS = 60;

export interface Settings {
  /** Address of the service, as `https://play.example`. */
  base: string;
  /** Left out: what is public may be read. */
  token?: string;
  /** How often a request is sent before 429, 503 or a broken connection is the caller's; 5. */
  attempts?: number;
  fetch?: typeof fetch;
}

export interface Wish {
  query?: Record<string, unknown> | undefined;
  body?: unknown;
  headers?: Record<string, string> | undefined;
  signal?: AbortSignal | undefined;
}

export const pause = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal?.aborted) return done();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, 1000 * seconds);
    signal?.addEventListener("abort", end);
  });

/** Seconds until the next try, as `Retry-After` says; 1 where it says nothing in seconds. */
export function waitSeconds(answer: Response): number {
  const said = answer.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(said) ? Math.min(Number(said), LONGEST_WAIT_SECONDS) : 1;
}

/** One service, and who holds the token. */
export class Service<Paths, State> {
  readonly base: string;
  readonly headers: Record<string, string>;
  readonly attempts: number;
  readonly fetch: typeof fetch;

  /** Throws TypeError when `base` is no address. */
  constructor(settings: Settings) {
    this.base = new URL(settings.base).href.replace(/\/+$/, "");
    this.headers = settings.token ? { Authorization: `Bearer ${settings.token}` } : {};
    this.attempts = Math.max(1, settings.attempts ?? 5);
    this.fetch = settings.fetch ?? ((...wish) => fetch(...wish));
  }

  /** A game, as this seat sees it; `as: "gm"`: as game-master. Nothing is asked yet. */
  game(id: string, view: View = {}): Game<Paths, State> {
    return new Game(this, id, view);
  }

  /** Read an address of the document. Throws Refusal, TypeError (no connection). */
  async get<P extends PathsWith<Paths, "get">>(
    path: P,
    names: Names<Operation<Paths, P, "get">>,
    query?: Query<Operation<Paths, P, "get">>,
  ): Promise<Answer<Operation<Paths, P, "get">>> {
    return this.answer("GET", filled(path, names), { query });
  }

  /** Send to an address of the document. Commands of a game have `Game.send`, with a key. Throws Refusal, TypeError. */
  async post<P extends PathsWith<Paths, "post">>(
    path: P,
    names: Names<Operation<Paths, P, "post">>,
    ...[body]: Optional<Body<Operation<Paths, P, "post">>>
  ): Promise<Answer<Operation<Paths, P, "post">>> {
    return this.answer("POST", filled(path, names), { body });
  }

  /** Change what stands at an address of the document. Throws Refusal, TypeError. */
  async patch<P extends PathsWith<Paths, "patch">>(
    path: P,
    names: Names<Operation<Paths, P, "patch">>,
    ...[body]: Optional<Body<Operation<Paths, P, "patch">>>
  ): Promise<Answer<Operation<Paths, P, "patch">>> {
    return this.answer("PATCH", filled(path, names), { body });
  }

  /** Delete what stands at an address of the document. Throws Refusal, TypeError. */
  async delete<P extends PathsWith<Paths, "delete">>(path: P, names: Names<Operation<Paths, P, "delete">>): Promise<void> {
    await this.answer("DELETE", filled(path, names), {});
  }

  /** Each entry of a list, page after page; asked for as they are read. Throws Refusal, TypeError. */
  async *pages<P extends ListPaths<Paths>>(
    path: P,
    names: Names<Operation<Paths, P, "get">>,
    query?: Query<Operation<Paths, P, "get">>,
  ): AsyncGenerator<Entry<Operation<Paths, P, "get">>, void, undefined> {
    type Page = { results: Entry<Operation<Paths, P, "get">>[]; next: string | null };
    let page: Page = await this.answer("GET", filled(path, names), { query });
    for (;;) {
      yield* page.results;
      if (page.next === null) return;
      // The address may name the service as a proxy knows it: only its path and query are taken.
      const next = new URL(page.next, this.base);
      page = await this.answer("GET", next.pathname + next.search, {});
    }
  }

  /** The JSON of an answer, or its text, or nothing. Throws as `request`. */
  async answer<T>(method: string, path: string, wish: Wish): Promise<T> {
    const answer = await this.request(method, path, wish);
    const isJson = (answer.headers.get("Content-Type") ?? "").includes("json");
    return (answer.status === 204 ? undefined : isJson ? await answer.json() : await answer.text()) as T;
  }

  /**
   * Send a request; again after 429 and 503, when `Retry-After` says. After a broken connection it is sent again only
   * where that does no harm: a read, or a request with a key. Throws Refusal from 400 on, TypeError (no connection).
   */
  async request(method: string, path: string, wish: Wish): Promise<Response> {
    const headers: Record<string, string> = { ...this.headers, ...wish.headers };
    const harmless = method === "GET" || "Idempotency-Key" in headers;
    const init: RequestInit = { method, headers };
    if (wish.signal) init.signal = wish.signal;
    if (wish.body !== undefined) {
      init.body = JSON.stringify(wish.body);
      headers["Content-Type"] = "application/json";
    }
    for (let left = this.attempts - 1; ; left--) {
      let answer: Response;
      try {
        answer = await this.fetch(this.base + path + search(wish.query), init);
      } catch (error) {
        if (!harmless || left === 0 || wish.signal?.aborted) throw error;
        await pause(1, wish.signal);
        continue;
      }
      if (BUSY.includes(answer.status) && left > 0) {
        await answer.body?.cancel();
        await pause(waitSeconds(answer), wish.signal);
        continue;
      }
      if (answer.status >= 400) throw await Refusal.of(answer);
      return answer;
    }
  }
}

/** A query as it is sent: without what is undefined, booleans as 1 and 0. */
export function search(query: Record<string, unknown> | undefined): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) found.set(name, typeof value === "boolean" ? String(Number(value)) : String(value));
  }
  return found.size ? `?${found}` : "";
}

function filled(path: string, names: object): string {
  const values = names as Record<string, string>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
