// One stream of events for all tabs of this browser. The tab that holds the lock has the connection and hands on what comes;
// when it is closed, the next in the queue opens it again.

/** After an answer that is no stream: `EventSource` itself tries again only when a connection breaks. */
const retryAfterMilliseconds = 5000;

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
  #end = new AbortController();

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
      if (!data.joins) this.#give(data);
      else if (this.#source) this.#open();
    });
    navigator.locks.request(`events ${path}`, { signal: this.#end.signal }, () => this.#lead()).catch((error) => {
      if (!this.#end.signal.aborted) throw error;
    });
    this.#channel.postMessage({ joins: true });
  }

  addEventListener(name, listener, options) {
    super.addEventListener(name, listener, options);
    if (name === "error" || this.#names.has(name)) return;
    this.#names.add(name);
    if (this.#source) this.#hear(name);
  }

  /** Ends it for this tab. */
  close() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = undefined;
    this.#channel?.close();
    this.#end.abort();
  }

  #lead() {
    return new Promise((resolve) => {
      if (this.#end.signal.aborted) return resolve();
      this.#end.signal.addEventListener("abort", resolve);
      this.#open();
    });
  }

  #open() {
    clearTimeout(this.#retry);
    this.#source?.close();
    const source = new EventSource(this.#path);
    this.#source = source;
    for (const name of this.#names) this.#hear(name);
    source.addEventListener("error", () => {
      this.#tell({ name: "error" });
      if (source.readyState === EventSource.CLOSED) this.#retry = setTimeout(() => this.#open(), retryAfterMilliseconds);
    });
  }

  #hear(name) {
    this.#source.addEventListener(name, ({ data }) => this.#tell({ name, data }));
  }

  #tell(message) {
    this.#channel?.postMessage(message);
    this.#give(message);
  }

  #give({ name, data }) {
    this.dispatchEvent(new MessageEvent(name, { data }));
  }
}
