/** Messages of webhooks: verified, as Standard Webhooks says, before anything in them is believed. */
const PREFIX = "whsec_";
/** How old a message may be, and how far ahead of this machine's clock. */
export const MAX_AGE_SECONDS = 300;

/** What is posted: `game.events` with events in its data, or `webhook.test`. */
export interface WebhookMessage {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** A message that is not signed with the secret, or at another time: answer 4xx and forget it. */
export class NotVerified extends Error {}

/**
 * The message of a request; rejects with NotVerified. secret: as it was shown when the webhook was made. header: the
 * value of a header by its name in small letters. body: as it came. now: milliseconds since 1970. A message that comes
 * again has the same `webhook-id`.
 */
export async function verifyMessage(
  secret: string, header: (name: string) => string | null | undefined, body: string, now: number = Date.now(),
): Promise<WebhookMessage> {
  const id = header("webhook-id"), at = header("webhook-timestamp"), signatures = header("webhook-signature");
  if (!id || !at || !signatures || !/^\d+$/.test(at)) {
    throw new NotVerified("a header webhook-id, webhook-timestamp or webhook-signature is missing or wrong");
  }
  if (Math.abs(now / 1000 - Number(at)) > MAX_AGE_SECONDS) throw new NotVerified("the message is of another time");
  const raw = bytes(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const text = new TextEncoder().encode(`${id}.${at}.${body}`);
  for (const each of signatures.split(" ")) {
    if (each.startsWith("v1,") && await crypto.subtle.verify("HMAC", key, bytes(each.slice(3)), text)) {
      return JSON.parse(body) as WebhookMessage;
    }
  }
  throw new NotVerified("no signature fits");
}

/** Bytes in base64; none where the text is not base64. */
function bytes(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
