/** What the types of a document, as openapi-typescript writes them, say of one operation. */

/** The addresses that take this verb. */
export type PathsWith<Paths, Verb extends string> = {
  [P in keyof Paths & string]: Paths[P] extends { [V in Verb]: { responses: unknown } } ? P : never;
}[keyof Paths & string];

export type Operation<Paths, P, Verb extends string> = P extends keyof Paths
  ? Paths[P] extends { [V in Verb]: infer O }
    ? O
    : never
  : never;

type Content<R, Status extends number> = R extends { [S in Status]: { content: { "application/json": infer J } } }
  ? J
  : R extends { [S in Status]: { content: { [type: string]: infer T } } }
    ? T
    : never;

type Responses<O> = O extends { responses: infer R } ? R : never;

/** What an operation answers: of a command what it did, of a picture its text, of one without content nothing. */
export type Answer<O> =
  Responses<O> extends { 201: unknown }
    ? Content<Responses<O>, 201>
    : Responses<O> extends { 200: unknown }
      ? Content<Responses<O>, 200>
      : undefined;

/** What a command would do: the answer to a dry run. */
export type DryRun<O> = Content<Responses<O>, 200>;

type Parameters_<O, Place extends string> = O extends { parameters: infer P }
  ? P extends { [K in Place]?: infer Q }
    ? Exclude<Q, undefined>
    : never
  : never;

/** The query of an operation. */
export type Query<O> = Parameters_<O, "query">;

/** The names in an address, `{}` when there are none. */
export type Names<O> = [Parameters_<O, "path">] extends [never] ? Record<never, string> : Parameters_<O, "path">;

/** The body of an operation; undefined where it may be left out. */
export type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? B
  : O extends { requestBody?: { content: { "application/json": infer B } } }
    ? B | undefined
    : undefined;

/** An argument that may be left out where it may be undefined. */
export type Optional<T> = undefined extends T ? [value?: T] : [value: T];

/** One entry of a list in pages. */
export type Entry<O> = Answer<O> extends { results: (infer E)[]; next: string | null } ? E : never;

/** The addresses of lists in pages. */
export type ListPaths<Paths> = {
  [P in PathsWith<Paths, "get">]: [Entry<Operation<Paths, P, "get">>] extends [never] ? never : P;
}[PathsWith<Paths, "get">];

type Plain<Name extends string> = Name extends `${string}{${string}` ? never : Name;

/** What can be read of a game: `state`, `prompts`, `legal-commands` and so on. */
export type Part<Paths> = {
  [P in PathsWith<Paths, "get">]: P extends `/api/v1/games/{game_id}/${infer N}/`
    ? N extends `${string}/${string}`
      ? never
      : Plain<N>
    : never;
}[PathsWith<Paths, "get">];

/** The names of the commands. */
export type Command<Paths> = {
  [P in keyof Paths & string]: P extends `/api/v1/games/{game_id}/commands/${infer N}/` ? Plain<N> : never;
}[keyof Paths & string];

export type PartOperation<Paths, N extends string> = Operation<Paths, `/api/v1/games/{game_id}/${N}/`, "get">;
export type CommandOperation<Paths, N extends string> = Operation<
  Paths,
  `/api/v1/games/{game_id}/commands/${N}/`,
  "post"
>;

/** One command of a batch: its name, its body, and through which seat, where that is another than the game's. */
export type BatchedCommand<Paths> = {
  [N in Command<Paths>]: { name: N; seat?: string } & (undefined extends Body<CommandOperation<Paths, N>>
    ? { body?: Body<CommandOperation<Paths, N>> }
    : { body: Body<CommandOperation<Paths, N>> });
}[Command<Paths>];

/** An event of the log. */
export type GameEvent<Paths> =
  Answer<PartOperation<Paths, "events">> extends { results: (infer E)[] } ? E : never;
