/** A frontend for every game of a Theogony service, by its API alone: list, picture, feed, and a form for each command. */
import { openSession, signIn, signOut, stayIn } from "./session.js";
import { Reading, Refusal, Theogony, form } from "./theogony/core.js";

const EVENTS_AT_FIRST = 30, CALM_MS = 300;
const $ = (id) => document.getElementById(id);
const words = (name) => name.slice(0, 1).toUpperCase() + name.slice(1).replace(/[-_]/g, " ");
const spaced = (type) => words(type.replace(/^\w+\./, "").replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
const clock = (time) => new Date(time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children); // text of others stays text
  return made;
}

function showFault(error) {
  $("fault").hidden = !error;
  $("fault").textContent = error ? error.detail ?? `${error.message ?? error}` : "";
  if (error && !(error instanceof Refusal)) console.error(error);
}

/** One of the three parts, or none while it is made: what is about to be replaced is not there to be pressed. */
function show(name) {
  for (const each of ["welcome", "games", "game"]) $(each).hidden = each !== name;
}

let theogony, me, leaving = new AbortController();

async function start() {
  if (location.hostname === "localhost") return location.replace(location.href.replace("localhost", "127.0.0.1"));
  $("sign-in").addEventListener("submit", (event) => {
    event.preventDefault();
    const { base, client } = event.target.elements;
    signIn(base.value, client.value).catch(showFault);
  });
  const session = await openSession().catch(showFault);
  if (!session) return show("welcome");
  theogony = new Theogony({ base: session.base, token: session.access_token });
  stayIn(session, (token) => (theogony.headers.Authorization = `Bearer ${token}`), showFault);
  me = await theogony.get("/api/v1/me/", {});
  $("who").textContent = me.display_name || me.username;
  $("sign-out").hidden = false;
  $("sign-out").addEventListener("click", () => signOut(session).catch(showFault).then(() => location.assign("./")));
  addEventListener("hashchange", go);
  await go();
}

async function go() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  showFault();
  show();
  const id = location.hash.slice(1);
  await (id ? openGame(id, signal) : listGames(service(signal))).catch(unlessLeft(signal));
}

/** The service as long as this part is looked at: what it answers later is shown nowhere. */
function service(signal) {
  const look = (answer) => (signal.throwIfAborted(), answer);
  return Object.assign(Object.create(theogony), { fetch: async (...wish) => look(await fetch(...look(wish))) });
}
const unlessLeft = (signal) => (error) => signal.aborted || showFault(error);

// --- games -----------------------------------------------------------------------------------------------------------
async function listGames(here) {
  const [mine, public_] = await Promise.all(
    [{ mine: "1" }, {}].map((query) => here.get("/api/v1/games/", {}, { limit: 50, ...query })),
  );
  const own = new Set(mine.results.map(({ id }) => id));
  const games = [...mine.results, ...public_.results.filter(({ id }) => !own.has(id))];
  $("list").replaceChildren(
    ...games.map((game) => {
      const link = element("a", { href: `#${game.id}` }, game.name);
      const seat = own.has(game.id) ? "you sit here" : "";
      return element("li", {}, link, element("small", {}, [game.ruleset, where(game), seat].filter(Boolean).join(" · ")));
    }),
  );
  show("games");
}

/** `running, century 2, activity` */
function where({ status, chapter, step }) {
  const known = status === "running" && chapter ? [`${chapter.word} ${chapter.number}`, step && words(step)] : [status];
  return known.filter(Boolean).join(", ");
}

// --- one game --------------------------------------------------------------------------------------------------------
async function openGame(id, signal) {
  const [here, fault] = [service(signal), unlessLeft(signal)];
  const [about, { results: seats }] = await Promise.all([
    here.get("/api/v1/games/{game_id}/", { game_id: id }),
    here.game(id).read("seats"),
  ]);
  const own = seats.find(({ user, role }) => user === me.id && role === "player");
  const game = here.game(id, own ? { seat: own.id } : {});
  $("title").textContent = own ? `${about.name}: ${own.name}` : about.name;
  for (const each of ["feed", "asked", "commands", "fields", "answer", "pictures"]) $(each).replaceChildren();
  $("life").textContent = where(about);
  chosen = "";
  names = namesIn(await game.state());
  show("game");
  const refresh = () => Promise.all([showPicture(game), showMenu(game)]).then(() => showFault(), fault);
  $("pictures").onchange = () => showPicture(game).catch(fault);
  $("act").onsubmit = (event) => {
    event.preventDefault();
    act(game, event.submitter?.id === "try").then(refresh, fault);
  };
  await listPictures(game, Boolean(about.world));
  await refresh();
  follow(game, seats, refresh, signal).catch(fault);
}

/** The feed: the last events, then what happens; a cut line is mended by the client. */
async function follow(game, seats, refresh, signal) {
  let calm;
  const onLife = (life) => {
    const names = life.waiting_for.map(({ seat }) => seats.find(({ id }) => id === seat)?.name ?? "somebody");
    const [due, others] = [life.waiting_for[0]?.due, names.length > 3 ? ` and ${names.length - 3} more` : ""];
    const waits = names.length ? `waits for ${names.slice(0, 3).join(", ")}${others}${due ? ` until ${clock(due)}` : ""}` : "";
    $("life").textContent = [where(life), waits].filter(Boolean).join("; ");
  };
  for await (const event of game.stream({ last: EVENTS_AT_FIRST, onLife, signal })) {
    clearTimeout(calm);
    calm = setTimeout(refresh, CALM_MS);
    if (!event.text) continue; // bookkeeping: a question is closed, a timer set
    const time = element("time", { dateTime: event.at }, clock(event.at));
    $("feed").prepend(element("li", { title: event.rules.join(", ") }, time, " ", event.text));
  }
}

async function listPictures(game, hasMap) {
  const { charts } = await game.read("pictures");
  const plain = charts.filter(({ about }) => about === "nobody");
  const found = [...(hasMap ? [["map.svg", "Map"]] : []), ...plain.map(({ name, title }) => [`charts/${name}.svg`, title])];
  $("pictures").replaceChildren(...found.map(([value, title]) => element("option", { value }, title)));
}

/** As an image, so that nothing of it is executed. */
async function showPicture(game) {
  const { value, selectedOptions } = $("pictures");
  const svg = await game.service.answer("GET", game.path + value, { query: game.view });
  URL.revokeObjectURL($("picture").src);
  $("picture").src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  $("picture").alt = selectedOptions[0]?.text ?? "";
}

// --- commands --------------------------------------------------------------------------------------------------------
let menu = new Map(), names = {}, chosen = "", drawnFor, fields;

/** What has an id and a name, anywhere in the state: `{ [id]: name }`. */
function namesIn(value, found = {}) {
  if (typeof value !== "object" || !value) return found;
  if (value.id && value.name) found[value.id] = value.name;
  for (const each of Object.values(value)) namesIn(each, found);
  return found;
}

async function showMenu(game) {
  const [listing, prompts] = await Promise.all([game.read("legal-commands", { legal: "1" }), game.read("prompts")]);
  const asked = prompts.results.filter(({ answerable }) => answerable);
  $("asked").replaceChildren(...asked.map(({ question, silence }) => element("li", {}, question, element("small", {}, silence))));
  const answers = new Set(asked.flatMap(({ answered_by }) => answered_by));
  const groups = { "Asked of you": [], "You may": [], "Leave": [] };
  menu = new Map();
  for (const entry of listing.results) {
    const schema = { ...entry.schema, $defs: listing.$defs };
    const label = labelOf(entry, new Reading(listing.$defs));
    const alike = [...menu.keys()].filter((each) => each.replace(/ · \d+$/, "") === label).length;
    const key = alike ? `${label} · ${alike + 1}` : label;
    menu.set(key, { entry, schema });
    const group = entry.quits ? "Leave" : answers.has(entry.command) ? "Asked of you" : "You may";
    groups[group].push(element("option", { value: key }, key));
  }
  const filled = Object.entries(groups).filter(([, options]) => options.length);
  const nothing = element("option", { value: "" }, menu.size ? "Choose …" : "Nothing now");
  $("commands").replaceChildren(nothing, ...filled.map(([label, options]) => element("optgroup", { label }, ...options)));
  const [next] = groups["Asked of you"];
  $("commands").value = menu.has(chosen) ? chosen : (next?.value ?? "");
  $("commands").onchange = () => { $("answer").replaceChildren(); choose(); };
  const isWriting = $("fields").contains(document.activeElement);
  if ($("commands").value !== chosen) choose();
  else if (!isWriting && JSON.stringify(menu.get(chosen)?.schema) !== drawnFor) choose(fields?.read()); // kept as it was written
}

/** The command, and what of it is settled and has a title: `Cast power: Warlord (price 5)`. */
function labelOf({ command, schema, price }, reading) {
  const titles = Object.values(schema.properties ?? {}).map((each) => reading.resolve(each).title).filter(Boolean);
  return words(command) + (titles.length ? `: ${titles.join(", ")}` : "") + (price ? ` (price ${price})` : "");
}

function choose(written) {
  chosen = $("commands").value;
  const found = menu.get(chosen);
  drawnFor = JSON.stringify(found?.schema);
  fields = found && form(found.schema, written, names);
  $("fields").replaceChildren(...(fields ? [fields.element] : []));
  $("note").textContent = found?.entry.note ?? "";
}

/** Send what is written, or ask what it would do. */
async function act(game, isTrial) {
  const found = menu.get(chosen);
  if (!found) return;
  $("answer").replaceChildren();
  try {
    const { command } = found.entry;
    const done = await (isTrial ? game.dryRun(command, fields.read()) : game.send(command, fields.read()));
    if (!isTrial) { $("commands").value = ""; choose(); }
    const told = done.events.map(({ text }) => text).filter(Boolean);
    const texts = (told.length ? told : done.events.map(({ type }) => spaced(type))).map((text) => element("li", {}, text));
    $("answer").replaceChildren(element("p", {}, isTrial ? "With other dice:" : "Done:"), element("ul", {}, ...texts));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const rest = fields.mark(error.errors).map(({ detail }) => element("li", {}, detail));
    const rules = error.rules.length ? ` (${error.rules.join(", ")})` : "";
    $("answer").replaceChildren(element("p", { className: "refused" }, error.detail + rules), element("ul", {}, ...rest));
  }
}

start().catch(showFault);
