/** One game: its state, its log, its commands. */
import type { Service } from "./service.js";
import { stream, type Begin } from "./stream.js";
import type {
  Answer,
  BatchedCommand,
  Body,
  Command,
  CommandOperation,
  DryRun,
  GameEvent,
  Operation,
  Optional,
  Part,
  PartOperation,
  Query,
} from "./types.js";

/** Whose eyes are used, and who acts; `seat` is needed where you hold several. */
export interface View {
  seat?: string;
  as?: "gm";
}

export interface Intention {
  /** One key for one intention: made when left out, and the same for each retry. Give one to send again later. */
  key?: string;
  /** Refuse (412 `position.stale`) when something happened since this cursor that you may see. */
  expected?: string;
}

type WithoutView<Q> = Omit<Q, "seat" | "as">;
type Batch<Paths> = Operation<Paths, "/api/v1/games/{game_id}/batch/", "post">;
type Forecast<Paths> = Operation<Paths, "/api/v1/games/{game_id}/forecast/{command}/", "post">;

/** A key for one intention. `crypto.randomUUID` is missing on a page that came over plain http. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Game<Paths, State> {
  readonly path: string;
  private latest: { tag: string; state: State } | undefined;

  constructor(
    readonly service: Service<Paths, State>,
    readonly id: string,
    readonly view: View = {},
  ) {
    this.path = `/api/v1/games/${encodeURIComponent(id)}/`;
  }

  /** Read a part of the game: `prompts`, `legal-commands`, `timers` and so on. Throws Refusal, TypeError. */
  async read<N extends Part<Paths>>(
    part: N,
    query?: WithoutView<Query<PartOperation<Paths, N>>>,
  ): Promise<Answer<PartOperation<Paths, N>>> {
    return this.service.answer("GET", `${this.path}${part}/`, { query: { ...this.view, ...query } });
  }

  /** Everything that you may see, with `cursor`; the former answer while nothing has happened. */
  async state(): Promise<State> {
    const headers = this.latest ? { "If-None-Match": this.latest.tag } : undefined;
    const answer = await this.service.request("GET", `${this.path}state/`, { query: { ...this.view }, headers });
    if (answer.status !== 304 || !this.latest) {
      this.latest = { tag: answer.headers.get("ETag") ?? "", state: (await answer.json()) as State };
    }
    return this.latest.state;
  }

  /** Execute a command, once however often it is sent. Throws Refusal, TypeError. */
  async send<N extends Command<Paths>>(
    command: N,
    ...[body, intention]: [...Optional<Body<CommandOperation<Paths, N>>>, intention?: Intention]
  ): Promise<Answer<CommandOperation<Paths, N>>> {
    const { key, expected } = (intention ?? {}) as Intention;
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
  async batch(commands: BatchedCommand<Paths>[], intention: Intention = {}): Promise<Answer<Batch<Paths>>> {
    const { key, expected } = intention;
    return this.service.answer("POST", `${this.path}batch/`, {
      query: { ...this.view, expected },
      body: { commands },
      headers: { "Idempotency-Key": key ?? newKey() },
    });
  }

  /** What a command would do at this moment, with other dice; nothing is stored. Throws Refusal, TypeError. */
  async dryRun<N extends Command<Paths>>(
    command: N,
    ...[body]: Optional<Body<CommandOperation<Paths, N>>>
  ): Promise<DryRun<CommandOperation<Paths, N>>> {
    const query = { ...this.view, dry_run: true };
    return this.service.answer("POST", `${this.path}commands/${command}/`, { query, body: body ?? {} });
  }

  /** What a command would do, as you may know it, with the odds of every die. Throws Refusal, TypeError. */
  async forecast<N extends Command<Paths>>(
    command: N,
    ...[body]: Optional<Body<CommandOperation<Paths, N>>>
  ): Promise<Answer<Forecast<Paths>>> {
    return this.service.answer("POST", `${this.path}forecast/${command}/`, { query: { ...this.view }, body: body ?? {} });
  }

  /** Each event behind a cursor up to now, in order; page after page, asked for as they are read. */
  async *history(after?: string): AsyncGenerator<GameEvent<Paths>, void, undefined> {
    type Page = { results: GameEvent<Paths>[]; cursor: string; more: boolean };
    for (let more = true; more; ) {
      const query = { ...this.view, after, limit: 500 };
      const page: Page = await this.service.answer("GET", `${this.path}events/`, { query });
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
  stream(begin: Begin = {}): AsyncGenerator<GameEvent<Paths>, void, undefined> {
    return stream<GameEvent<Paths>>(this, begin);
  }
}
