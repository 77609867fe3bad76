// A stream of events with a cursor, read by `fetch`: so a session that has grown old is renewed, and refusals have words.

import { call, Refused } from "../web/api.js";

/** Milliseconds to wait before a connection that has ended is opened again: doubled while it fails. */
const [waitLeast, waitMost] = [1000, 30_000];
/** A sign of life comes every 5 seconds: after longer silence the network is gone. */
const silenceMax = 20_000;

/** An event as it stands in the stream, between blank lines: `{name, id, data}`; `null` for a sign of life. */
function parsed(text) {
  const fields = { data: [] };
  for (const line of text.split("\n")) {
    const [, name, value] = /^(event|id|data): ?(.*)$/.exec(line) ?? [];
    if (name === "data") fields.data.push(value);
    else if (name) fields[name] = value;
  }
  return fields.data.length === 0 ? null : { name: fields.event, id: fields.id, data: fields.data.join("\n") };
}

/** Calls `came(event)` with each event of one connection, until it ends. Throws `Refused`. */
async function read(path, signal, { opened, came }) {
  const silence = new AbortController();
  const end = () => silence.abort();
  signal.addEventListener("abort", end);
  let timer = setTimeout(end, silenceMax);
  try {
    const answer = await call(path, { headers: { Accept: "text/event-stream" }, signal: silence.signal });
    opened();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(end, silenceMax);
      const texts = (rest + part.value).split("\n\n");
      rest = texts.pop();
      for (const event of texts.map(parsed)) if (event && !signal.aborted) came(event);
    }
  } catch (error) {
    // The connection has broken off, or is silent.
    if (!(error instanceof TypeError) && error.name !== "AbortError") throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

const pause = (milliseconds, signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, milliseconds);
  signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
});

/** What another try does not mend. */
const isFinal = ({ status }) => status >= 400 && status < 500 && status !== 408 && status !== 429;

/**
 * Follows the events at `path` from after `cursor`, through broken connections, until `signal` is aborted: `came(event)` for each,
 * `opened()` when there is a connection and `broke()` when there is none. Throws `Refused` when it is refused for good.
 */
export async function follow(path, cursor, signal, { came, opened, broke }) {
  let [last, wait] = [cursor, waitLeast];
  while (!signal.aborted) {
    try {
      await read(last ? `${path}?${new URLSearchParams({ cursor: last })}` : path, signal, {
        opened() {
          wait = waitLeast;
          opened();
        },
        came(event) {
          last = event.id;
          came(event);
        },
      });
    } catch (error) {
      if (!(error instanceof Refused) || isFinal(error)) throw error;
      wait = Math.min(Math.max(2 * wait, 1000 * (error.retryAfter ?? 0)), waitMost);
    }
    if (signal.aborted) return;
    broke();
    await pause(wait, signal);
  }
}
