// Calls of the operators' part of accounts. The session is in a cookie that scripts cannot read.

import { Refused } from "/web/api.js";

const prefix = "/accounts/v1/operator";
/** A log-in waits for its turn to be hashed; people of a file take their time. */
const answerMillisecondsMax = 60_000;

/** Tells `ended` when an answer says that nobody is logged in. */
export const session = new EventTarget();

/** The JSON of an answer; `null` without a body. `body` is sent as JSON, a file as it is. Throws `Refused`. */
export async function ask(path, { method = "GET", body } = {}) {
  const headers = { "TrackMe-Request": "page" };
  const isFile = body instanceof Blob;
  if (body !== undefined) headers["Content-Type"] = isFile ? "application/jsonl" : "application/json";
  let answer;
  try {
    answer = await fetch(prefix + path, {
      method, headers, body: body === undefined || isFile ? body : JSON.stringify(body), credentials: "same-origin", cache: "no-store",
      signal: AbortSignal.timeout(answerMillisecondsMax),
    });
    if (answer.ok) return answer.status === 204 ? null : await answer.json();
  } catch (error) {
    if (error instanceof TypeError || error.name === "TimeoutError" || error.name === "SyntaxError") throw new Refused(0);
    throw error;
  }
  if (answer.status === 401) session.dispatchEvent(new Event("ended"));
  throw await Refused.of(answer);
}
