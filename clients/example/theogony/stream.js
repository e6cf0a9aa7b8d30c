import { Refusal } from "./refusal.js";
import { pause, search, waitSeconds } from "./service.js";
/** The service says something at least each 15 s; after so long the line is dead. */
const SILENCE_MS = 45_000;
const LATER = [429, 502, 503, 504];
/** The server-sent events of an answer, each ended by an empty line; comments are left out. */
async function* frames(body, heard) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    let frame = { kind: "", id: "", data: "", retry: "" };
    try {
        for (;;) {
            const read = await reader.read().catch(() => undefined); // a line that broke has ended, as one that was closed
            if (!read?.value)
                return;
            const { value } = read;
            heard();
            const lines = (text + decoder.decode(value, { stream: true })).split("\n");
            text = lines.pop() ?? "";
            for (const line of lines) {
                const [, name, said = ""] = /^([^:\r]*)(?:: ?([^\r]*))?/.exec(line) ?? [];
                if (name === "event")
                    frame.kind = said;
                else if (name === "id")
                    frame.id = said;
                else if (name === "retry")
                    frame.retry = said;
                else if (name === "data")
                    frame.data = frame.data ? `${frame.data}\n${said}` : said;
                else if (line.trimEnd() === "") {
                    yield frame;
                    frame = { kind: "", id: "", data: "", retry: "" };
                }
            }
        }
    }
    finally {
        await reader.cancel().catch(() => undefined); // where it broke, there is nothing left to cancel
    }
}
export async function* stream(game, begin) {
    const { service, path, view } = game;
    const { last, from, onLife, signal } = begin;
    if ([begin.after, last, from].filter((each) => each !== undefined).length > 1) {
        throw new RangeError("A stream begins at one place: after, last or from.");
    }
    let after = begin.after;
    let wait = 2;
    if (last !== undefined) {
        const page = await service.answer("GET", `${path}events/`, { query: { ...view, last }, signal });
        yield* page.results;
        after = page.cursor;
    }
    while (!signal?.aborted) {
        const line = new AbortController();
        const leave = () => line.abort();
        signal?.addEventListener("abort", leave);
        let silence = setTimeout(leave, SILENCE_MS);
        const heard = () => {
            clearTimeout(silence);
            silence = setTimeout(leave, SILENCE_MS);
        };
        try {
            const headers = {
                ...service.headers,
                Accept: "text/event-stream",
                ...(after === undefined ? {} : { "Last-Event-ID": after }),
            };
            const query = { ...view, from: after === undefined ? from : undefined, life: onLife ? true : undefined };
            const address = `${service.base}${path}stream/${search(query)}`;
            const answer = await service.fetch(address, { headers, signal: line.signal }).catch(() => undefined);
            if (answer && answer.status !== 200 && !LATER.includes(answer.status))
                throw await Refusal.of(answer);
            if (answer && answer.status !== 200) {
                wait = waitSeconds(answer);
                await answer.body?.cancel();
            }
            else if (answer?.body) {
                for await (const frame of frames(answer.body, heard)) {
                    if (/^\d+$/.test(frame.retry))
                        wait = Number(frame.retry) / 1000;
                    if (frame.kind === "bye")
                        break;
                    if (frame.kind === "life")
                        onLife?.(JSON.parse(frame.data));
                    if (frame.id)
                        after = frame.id;
                    if (frame.id && frame.data)
                        yield JSON.parse(frame.data);
                }
            }
        }
        finally {
            clearTimeout(silence);
            signal?.removeEventListener("abort", leave);
            line.abort();
        }
        await pause(wait, signal);
    }
}
