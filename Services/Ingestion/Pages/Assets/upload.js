// A file that is sent in pieces (draft-ietf-httpbis-resumable-upload): where a connection breaks it goes on where it was.

import { call, json, Refused } from "../web/api.js";

export const imports = "/ingestion/v1/imports";
/** By these the service knows the format of a file, and refuses another one before the rest is sent. */
const firstBytes = 64 * 1024;
const pieceBytes = 1024 * 1024;
/** Failures in a row, without a byte that arrives. */
const failuresMax = 10;
const pauseMax = 30_000;

/** Until time has passed, the network is back, or `signal` ends it. */
const pause = (milliseconds, signal) => new Promise((done) => {
  const timer = setTimeout(end, milliseconds);
  function end() {
    clearTimeout(timer);
    window.removeEventListener("online", end);
    done();
  }
  window.addEventListener("online", end);
  signal.addEventListener("abort", end, { once: true });
});

const isPassing = (error) => error instanceof Refused
  && ([0, 408, 429, 502, 503, 504].includes(error.status) || error.code === "mismatching-upload-offset");

/** Begins an import with the first bytes of `file`. Returns its id. Throws `Refused`. */
export async function begin(file) {
  const answer = await call(imports, {
    method: "POST", body: file.slice(0, firstBytes),
    headers: {
      "Content-Type": "application/octet-stream", "Upload-Complete": file.size > firstBytes ? "?0" : "?1",
      "Upload-Length": String(file.size),
    },
  });
  return answer.headers.get("Location").split("/").at(-1);
}

async function sendFrom(offset, file, id, { signal, onSent }) {
  do {
    const end = Math.min(file.size, offset + pieceBytes);
    await call(`${imports}/${id}`, {
      method: "PATCH", body: file.slice(offset, end), signal,
      headers: {
        "Content-Type": "application/partial-upload", "Upload-Offset": String(offset),
        "Upload-Complete": end === file.size ? "?1" : "?0",
      },
    });
    offset = end;
    onSent(offset);
  } while (offset < file.size);
}

/**
 * Sends what is lacking of the import `id`, and tries again while the way to the service is broken. `onSent` is told how
 * many bytes are there, `onBreak` that it waits to go on. Throws `Refused`, and `AbortError` when `signal` ends it.
 */
export async function send(file, id, { signal, onSent, onBreak }) {
  let failures = 0;
  while (true) {
    try {
      const { state, received_bytes: received } = await json(`${imports}/${id}`, { signal });
      if (state !== "receiving") return;
      onSent(received);
      await sendFrom(received, file, id, { signal, onSent: (offset) => ((failures = 0), onSent(offset)) });
      return;
    } catch (error) {
      if (!isPassing(error) || ++failures > failuresMax) throw error;
      onBreak();
      await pause(Math.min(pauseMax, 500 * 2 ** failures), signal);
    }
  }
}
