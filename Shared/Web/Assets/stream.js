// One stream of events for all tabs of this browser. The tab that holds the lock has the connection and hands on what comes;
// when it is closed, the next in the queue opens it again. A phone
// may suspend that tab without closing it: then one that is looked at takes the lock from it.

/** After an answer that is no stream: `EventSource` itself tries again only when a connection breaks. */
const retryAfterMilliseconds = 5000;
/** Milliseconds between two questions whether the tab with the connection is awake, and for the answer. */
const [askEvery, answerWithin] = [30_000, 2000];
/** Services send something every 15 s, be it that nothing has changed (`still`): after longer silence the network is gone. */
const silenceMax = 40_000;

/**
 * The events at `path`, as `EventSource` gives them to `addEventListener`. A tab that joins has the connection opened anew, for
 * all: so a stream has to begin with everything that its later events build on.
 */
export class SharedEvents extends EventTarget {
  #path;
  #channel;
  #source;
  #retry;
  #names = new Set();
  #lock = new AbortController();
  #isVisible = () => this.#ask();
  #asking;
  #answer;
  #silence;

  constructor(path) {
    super();
    this.#path = path;
    // Without it, on pages that are not served safely, each tab has its own connection.
    if (!navigator.locks) {
      this.#open();
      return;
    }
    this.#channel = new BroadcastChannel(`events ${path}`);
    this.#channel.addEventListener("message", ({ data }) => {
      if (data.joins) return this.#source && this.#open();
      if (data.asks) return this.#source && this.#channel.postMessage({ answers: true });
      clearTimeout(this.#answer);
      this.#answer = undefined;
      return data.answers || this.#give(data);
    });
    this.#queue({});
    this.#channel.postMessage({ joins: true });
    this.#asking = setInterval(() => this.#ask(), askEvery);
    document.addEventListener("visibilitychange", this.#isVisible);
  }

  addEventListener(name, listener, options) {
    super.addEventListener(name, listener, options);
    if (name === "error" || this.#names.has(name)) return;
    this.#names.add(name);
    if (this.#source) this.#hear(name);
  }

  /** Ends it for this tab. */
  close() {
    this.#leave();
    clearTimeout(this.#answer);
    clearInterval(this.#asking);
    document.removeEventListener("visibilitychange", this.#isVisible);
    this.#channel?.close();
    this.#lock.abort();
  }

  #ask() {
    if (this.#source || document.hidden || this.#answer) return;
    this.#channel.postMessage({ asks: true });
    this.#answer = setTimeout(() => {
      this.#answer = undefined;
      this.#queue({ steal: true });
    }, answerWithin);
  }

  /** Has the connection as soon as the lock is free; with `steal` at once. */
  #queue(options) {
    this.#lock.abort();
    const lock = new AbortController();
    this.#lock = lock;
    const { signal } = lock;
    navigator.locks.request(`events ${this.#path}`, options.steal ? options : { signal }, () => this.#lead(signal)).catch((error) => {
      if (signal.aborted) return;
      if (error.name !== "AbortError") throw error;
      // This tab was suspended, and another has taken the lock meanwhile.
      this.#leave();
      this.#queue({});
    });
  }

  #lead(signal) {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", resolve);
      this.#open();
    });
  }

  #leave() {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#source?.close();
    this.#source = undefined;
  }

  #open() {
    clearTimeout(this.#retry);
    this.#source?.close();
    const source = new EventSource(this.#path);
    this.#source = source;
    for (const name of this.#names) this.#hear(name);
    source.addEventListener("still", () => this.#heard());
    this.#heard();
    source.addEventListener("error", () => {
      this.#tell({ name: "error" });
      if (source.readyState === EventSource.CLOSED) this.#retry = setTimeout(() => this.#open(), retryAfterMilliseconds);
    });
  }

  #hear(name) {
    this.#source.addEventListener(name, ({ data }) => {
      this.#heard();
      this.#tell({ name, data });
    });
  }

  /** A network that falls silent breaks no connection: it is told, and tried with a new one. */
  #heard() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#tell({ name: "error" });
      this.#open();
    }, silenceMax);
  }

  #tell(message) {
    this.#channel?.postMessage(message);
    this.#give(message);
  }

  #give({ name, data }) {
    this.dispatchEvent(new MessageEvent(name, { data }));
  }
}
