/** Sign-in by OAuth 2 with PKCE (docs/sign-in.md), kept for this tab: { base, client, server, access_token, refresh_token }. */
const KEPT = "session", BEGUN = "sign-in";
const BACK = new URL("./", location.href).href.split(/[?#]/)[0];

const text = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

async function ask(address, fields) {
  const answer = await fetch(address, fields && { method: "POST", body: new URLSearchParams(fields) });
  const found = answer.headers.get("Content-Length") === "0" ? {} : await answer.json();
  if (!answer.ok) throw new Error(found.error_description ?? found.error ?? `status ${answer.status}`);
  return found;
}

/** Leave for the service, where people log in and consent; they come back to this page. */
export async function signIn(base, client) {
  const server = await ask(new URL("/.well-known/oauth-authorization-server", base));
  const [verifier, state] = [32, 16].map((length) => text(crypto.getRandomValues(new Uint8Array(length))));
  sessionStorage.setItem(BEGUN, JSON.stringify({ base, client, server, verifier, state }));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const query = { response_type: "code", client_id: client, redirect_uri: BACK, scope: "read play", state };
  const challenge = { code_challenge: text(new Uint8Array(digest)), code_challenge_method: "S256" };
  location.href = `${server.authorization_endpoint}?${new URLSearchParams({ ...query, ...challenge })}`;
}

/** The session of this tab, if somebody is signed in, or has just come back. */
export async function openSession() {
  const found = new URLSearchParams(location.search);
  if (!found.has("state")) return JSON.parse(sessionStorage.getItem(KEPT));
  history.replaceState(null, "", BACK); // the code stays in no history
  const begun = JSON.parse(sessionStorage.getItem(BEGUN)) ?? {};
  sessionStorage.removeItem(BEGUN);
  const { base, client, server, verifier, state } = begun;
  if (found.get("state") !== state || found.get("iss") !== server.issuer) throw new Error("That was no answer to this page.");
  if (found.has("error")) throw new Error(`Nobody is signed in: ${found.get("error")}.`);
  const code = { grant_type: "authorization_code", code: found.get("code"), redirect_uri: BACK, code_verifier: verifier };
  return keep({ base, client, server }, await ask(server.token_endpoint, { client_id: client, ...code }));
}

function keep({ base, client, server }, { access_token, refresh_token, expires_in }) {
  const session = { base, client, server, access_token, refresh_token, until: Date.now() + 1000 * expires_in };
  sessionStorage.setItem(KEPT, JSON.stringify(session));
  return session;
}

/** Get the next two tokens well before the present one ends, again and again; each is handed to `use`. */
export function stayIn(session, use, give_up) {
  setTimeout(async () => {
    try {
      const fields = { client_id: session.client, grant_type: "refresh_token", refresh_token: session.refresh_token };
      const next = keep(session, await ask(session.server.token_endpoint, fields));
      use(next.access_token);
      stayIn(next, use, give_up);
    } catch (error) {
      give_up(error);
    }
  }, Math.max(0, session.until - Date.now() - 60_000));
}

export async function signOut({ server, client }) {
  const { refresh_token } = JSON.parse(sessionStorage.getItem(KEPT));
  sessionStorage.removeItem(KEPT);
  await ask(server.revocation_endpoint, { client_id: client, token: refresh_token });
}
