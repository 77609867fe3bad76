// Calls of the public API with the browser's session, which scripts cannot read: it is in HttpOnly cookies.

import { element } from "./dom.js";
import { deleteSeen, keepSeen } from "./seen.js";
import { t } from "./words.js";

/** A call that was refused, or had no answer. `status` is 0 without an answer; the rest is RFC 9457. */
export class Refused extends Error {
  constructor(status, problem = {}, retryAfter = null) {
    super(problem.detail ?? problem.title ?? `status ${status}`);
    this.status = status;
    this.code = problem.code ?? "";
    this.errors = problem.errors ?? [];
    this.trace = problem.trace ?? "";
    this.retryAfter = retryAfter;
    // What a passkey has to sign, of a log-in that needs a second factor.
    this.passkey = problem.passkey;
  }

  /** The refusal that an answer is. */
  static async of(answer) {
    const isProblem = answer.headers.get("Content-Type")?.startsWith("application/problem+json");
    // Of one that is cut off the status is known.
    const problem = isProblem ? await answer.json().catch(() => ({})) : {};
    return new Refused(answer.status, problem, Number(answer.headers.get("Retry-After")) || null);
  }

  /** What to tell the reader. */
  get words() {
    if (this.status === 0) return navigator.onLine ? t("problem.unavailable") : t("problem.offline");
    if (this.status === 401) return t("problem.session_ended");
    if (this.status === 403) return t("problem.forbidden");
    if (this.status === 404) return t("problem.not_found");
    if (this.status === 429) return t("problem.too_many", { seconds: this.retryAfter ?? 60 });
    if (this.status === 502 || this.status === 503 || this.status === 504) return t("problem.unavailable");
    // What the proxy itself answers has no number.
    if (!this.trace) return t("problem.failed");
    return t("problem.unexpected", { trace: this.trace.slice(0, 8) });
  }
}

const sessionPath = "/accounts/v1/browser-session";
/** So long a tab may keep the others from renewing or ending the session, and so long they wait for it. */
const lockMillisecondsMax = 20_000;
/** Longer nobody waits for an answer: the network is gone without a word. */
const answerMillisecondsMax = 60_000;
/** As long as the proxy waits for the service: passwords are checked in turn. */
const logInMillisecondsMax = 60_000;

/**
 * What happens to the session, whichever tab it happens in: `in` (with the account), `out` when somebody has logged out, `ended`
 * when it could not be renewed; and `seen` for an answer that was kept for when there is no network (with its time). The frame
 * of the page listens.
 */
export const session = new EventTarget();
const happens = (what, detail) => session.dispatchEvent(new CustomEvent(what, { detail }));

const channel = new BroadcastChannel("session");
channel.addEventListener("message", ({ data: [what, detail] }) => happens(what, detail));

async function once(path, { method = "GET", body, headers = {}, signal } = {}) {
  const fields = { "TrackMe-Request": "page", "Accept-Language": document.documentElement.lang, ...headers };
  if (body !== undefined && !(body instanceof Blob)) {
    fields["Content-Type"] = "application/json";
    body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(path, {
      method, body, headers: fields, credentials: "same-origin", cache: "no-store",
      // A file takes as long as it takes.
      signal: signal ?? (body instanceof Blob ? null : AbortSignal.timeout(answerMillisecondsMax)),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0);
  }
  const seenAt = answer.headers.get("TrackMe-Seen-At");
  if (seenAt) happens("seen", seenAt);
  if (answer.ok) return answer;
  throw await Refused.of(answer);
}

/**
 * Does `act`, which has to end in a limited time, while no other tab begins, renews or ends the session: whose answer came last
 * would decide whose the cookies are. Throws `Refused` when the others take too long.
 */
async function alone(act) {
  // Pages that are not served safely have no locks.
  if (!navigator.locks) return act();
  let hasTurn = false;
  try {
    return await navigator.locks.request("session", { signal: AbortSignal.timeout(lockMillisecondsMax) }, () => {
      hasTurn = true;
      return act();
    });
  } catch (error) {
    throw hasTurn ? error : new Refused(0);
  }
}

/**
 * Renews the session. All tabs of a browser share it, so one renews it at a time, and the others find it renewed. Throws
 * `Refused`; a session that has ended is forgotten.
 */
async function renew() {
  const before = localStorage.getItem("session-renewed");
  return alone(async () => {
    if (localStorage.getItem("session-renewed") !== before) return;
    try {
      await once(`${sessionPath}/refresh`, { method: "POST", signal: AbortSignal.timeout(lockMillisecondsMax) });
    } catch (error) {
      if (error.status === 401) {
        await forget("ended");
        happens("ended");
      }
      throw error;
    }
    // Unless somebody has logged out meanwhile.
    if (isLoggedIn()) show(kind());
  });
}

/** A read that a service cannot answer for a moment is asked for again so often, when it says that it takes no longer than so long. */
const readsMax = 3;
const pauseSecondsMax = 2;

/** As `once`, over the moments in which a service cannot answer: a page would show less than there is because of one of them. */
async function patiently(path, options) {
  for (let reads = 1; ; reads += 1) {
    try {
      return await once(path, options);
    } catch (error) {
      const isMoment = error.status === 503 && error.retryAfter !== null && error.retryAfter <= pauseSecondsMax;
      if (!isMoment || (options?.method ?? "GET") !== "GET" || reads === readsMax) throw error;
      await new Promise((resolve) => setTimeout(resolve, error.retryAfter * 1000));
    }
  }
}

/** The answer to a call; the session is renewed when it has to be. Throws `Refused`. */
export async function call(path, options) {
  const account = localStorage.getItem("account");
  try {
    return await patiently(path, options);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 401 || !isLoggedIn()) throw error;
    await renew();
    // Another account may have logged in meanwhile, whose call this is not.
    if (localStorage.getItem("account") !== account) throw error;
    return once(path, options);
  }
}

/** Access tokens live for 15 minutes; one that is younger than this is left as it is. */
const renewAfterMilliseconds = 10 * 60e3;
let renewalTriedAt = 0;

/** Renews the session when its token is old, at most once a minute. For who types: so its end is told before all is typed. */
export async function keepSession() {
  const now = Date.now();
  if (!isLoggedIn() || now - renewalTriedAt < 60e3) return;
  if (now - Number(localStorage.getItem("session-renewed")) < renewAfterMilliseconds) return;
  renewalTriedAt = now;
  try {
    await renew();
  } catch (error) {
    // Whatever else it is, sending what was typed tells.
    if (!(error instanceof Refused)) throw error;
  }
}

/** What `read` makes of the answer to a call. An answer that is cut off counts as none. Throws `Refused`. */
async function body(path, options, read) {
  const answer = await call(path, options);
  try {
    return await read(answer);
  } catch (error) {
    if (error instanceof TypeError || error.name === "TimeoutError") throw new Refused(0);
    throw error;
  }
}

/** The JSON of an answer; `null` without a body. Throws `Refused`. */
export const json = (path, options) =>
  body(path, options, (answer) => (answer.status === 204 ? null : answer.json()));

/** As `json`; `null` when the answer is the problem `absence`, which says that there is nothing yet. Throws `Refused`. */
export async function jsonIfThere(path, absence, options) {
  try {
    return await json(path, options);
  } catch (error) {
    if (error.code !== absence) throw error;
    return null;
  }
}

/**
 * Has the browser write the answer at `path` into a file, as it comes and however large it is: a GET from a link, which the
 * cookies go with. The session is renewed before, because a token's end breaks an answer off. Throws `Refused` when the session
 * has ended; what happens to the file afterwards the browser tells by itself.
 */
export async function download(path) {
  await renew();
  element("a", { href: path, download: "" }).click();
}

/** Whether this browser has a session, as far as it knows; the kind of account. */
export const kind = () => /(?:^|; )account=([a-z-]+)/.exec(document.cookie)?.[1] ?? null;
export const isLoggedIn = () => kind() !== null;

/** Lets pages show that this browser has a session, for as long as a session lives that nobody uses. */
function show(kind) {
  setKind(kind, 30 * 86400);
  localStorage.setItem("session-renewed", String(Date.now()));
}

const setKind = (value, life) =>
  (document.cookie = `account=${value}; Path=/; SameSite=Lax; Max-Age=${life}${location.protocol === "https:" ? "; Secure" : ""}`);

/** Logs in. Returns the account's kind. Throws `Refused`. */
export async function logIn(form) {
  await endLogOut();
  // Before the cookies may be another account's.
  await deleteSeen();
  const kind = await alone(async () => {
    const answer = await once(sessionPath, {
      method: "POST", body: form, signal: AbortSignal.timeout(logInMillisecondsMax),
    });
    const { account } = await answer.json();
    show(account.kind);
    localStorage.setItem("account", account.id);
    channel.postMessage(["in", account.id]);
    return account.kind;
  });
  // A page of the account before may have begun to keep something meanwhile.
  await deleteSeen();
  await keepSeen(isLoggedIn);
  return kind;
}

/** Forgets all that this browser shows and keeps of the session, and tells the other tabs `what` has happened. */
function forget(what) {
  setKind("", 0);
  for (const name of ["session-renewed", "account", "push"]) localStorage.removeItem(name);
  channel.postMessage([what]);
  return deleteSeen();
}

/**
 * Ends the session here and everywhere in this browser. Without network all is forgotten nevertheless, and the session itself
 * ends when a page is opened the next time.
 */
export async function logOut(to = "/login") {
  localStorage.setItem("log-out", "begun");
  sessionStorage.clear();
  await forget("out");
  try {
    await endLogOut();
  } finally {
    location.replace(to);
  }
}

const isLogOutOpen = () => localStorage.getItem("log-out") !== null;

/** Ends the session of a log-out that has begun, if it has not ended yet. Throws `Refused`. */
export async function endLogOut() {
  if (!isLogOutOpen()) return;
  await alone(async () => {
    if (!isLogOutOpen()) return;
    await once(sessionPath, { method: "DELETE", signal: AbortSignal.timeout(lockMillisecondsMax) });
    localStorage.removeItem("log-out");
  });
}

/** Where to log in, and come back to this page. */
export const logInPath = () => `/login#to=${encodeURIComponent(location.pathname + location.search)}`;

/** Whether this page is of no use without a session. */
export let isForAccounts = false;

/** For pages that need a session: goes to the log-in, and back afterwards, when there is none. */
export function requireSession() {
  isForAccounts = true;
  if (isLoggedIn()) return true;
  location.replace(logInPath());
  return false;
}
