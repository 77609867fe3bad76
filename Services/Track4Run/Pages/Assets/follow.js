// Following one runner: chosen in the placings, on the map, or by who it is; kept in the address, so that it can be shared.

import { json, Refused } from "../web/api.js";
import { element, find, notice } from "../web/dom.js";
import { handle } from "../web/form.js";
import { ago, duration, number, t } from "../web/words.js";
import { progress, seconds } from "./placings.js";

/** Milliseconds between two sentences for screen readers about a runner who goes on running. */
const sayEvery = 30_000;
const candidatesMax = 10;

/** As in `FiscalCode.swift`, digits replaced by letters included. */
const fiscalCode = /^[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPR-T][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]$/;
const words = (text) => text.toLocaleLowerCase().split(/\s+/).filter(Boolean);

const chosen = () => Number(/^#bib=(\d{1,9})$/.exec(location.hash)?.[1]) || undefined;

/** Keeps the box of the followed runner. `onChange(bib)` is called when another one is followed, or nobody. */
export function following(api, checkpoints, table, onChange) {
  const [box, facts] = [find("#followed"), find("#followed-facts")];
  const [said, candidates] = [find("#followed-said"), find("#candidates")];
  let [bib, saidAt, saidState] = [undefined, 0, ""];

  /** Pairs of a word and a value; what did not change is left alone. */
  function write(pairs) {
    pairs.forEach(([word, value], index) => {
      const [name, text] = [t(`run.${word}`), String(value)];
      const [term, detail] = [facts.children[2 * index], facts.children[2 * index + 1]];
      if (!term) facts.append(element("dt", {}, name), element("dd", {}, text));
      else {
        if (term.textContent !== name) term.textContent = name;
        if (detail.textContent !== text) detail.textContent = text;
      }
    });
    while (facts.children.length > 2 * pairs.length) facts.lastChild.remove();
  }

  function age({ measured_at: time, is_signal_lost: isLost, state }) {
    if (!time || state !== "running") return null;
    return t(isLost ? "run.stale_since" : "run.measured_since", { ago: ago(time) });
  }

  /** Brings the box up to date, and tells screen readers at intervals, at once when the state has changed. */
  function show() {
    const placing = bib === undefined ? undefined : table.get(bib);
    box.hidden = placing === undefined;
    if (!placing) return;
    const [passed, { heart_rate: now, heart_rate_mean: mean }] = [placing.splits.length - 1, placing];
    write([
      ["rank", placing.place ?? "–"], ["progress", progress(placing)], ["time", seconds(placing.time_s) || "–"],
      ["pace", seconds(placing.pace_s_per_km) || "–"], ["position", age(placing)],
      ["heart_rate_now", now && placing.state === "running" ? number(now) : null], ["heart_rate", mean ? number(mean) : null],
      ["last_checkpoint", passed < 0 ? null : `${checkpoints[passed]?.name ?? ""} ${duration(placing.splits[passed])}`],
    ].filter(([, value]) => value !== null));
    const title = t("run.runner_title", placing);
    if (find("#followed-title").textContent !== title) find("#followed-title").textContent = title;
    const state = `${bib} ${placing.state} ${placing.is_signal_lost ?? false}`;
    if (state === saidState && (placing.state !== "running" || performance.now() - saidAt < sayEvery)) return;
    [saidState, saidAt] = [state, performance.now()];
    said.textContent = t("run.followed", {
      ...placing, place: placing.place ?? "–", progress: progress(placing), time: seconds(placing.time_s) || "–",
    });
  }

  function follow(wanted) {
    bib = wanted;
    if (bib === undefined) said.textContent = "";
    onChange(bib);
    table.follow(bib);
  }

  function choose(wanted) {
    if (!candidates.hidden) notice("");
    candidates.hidden = true;
    history.replaceState(null, "", wanted === undefined ? location.pathname + location.search : `#bib=${wanted}`);
    follow(wanted);
  }

  /** Follows who was chosen, and shows it where the reader is. */
  function chooseHere(wanted) {
    choose(wanted);
    if (wanted === undefined || box.hidden) return;
    box.scrollIntoView({ block: "nearest" });
    find("#followed-title").focus({ preventScroll: true });
  }

  /** The runners that the words may mean: a bib, an e-mail address or fiscal code that is known exactly, a part of a name. */
  async function found(typed) {
    const bib = Number(/^#?(\d{1,9})$/.exec(typed)?.[1]);
    if (bib) return table.get(bib) ? [table.get(bib)] : [];
    const [isAddress, code] = [typed.includes("@"), typed.replaceAll(" ", "").toUpperCase()];
    if (isAddress || fiscalCode.test(code)) {
      const one = await json(`${api}/runner-search`, { method: "POST", body: isAddress ? { email: typed } : { fiscal_code: code } });
      return [table.get(one.bib) ?? one];
    }
    // Surname or name first.
    const parts = words(typed);
    return table.all().filter(({ name }) => parts.every((part) => name.toLocaleLowerCase().includes(part)));
  }

  handle(find("#follow"), "run", async ({ who }) => {
    const runners = await found(who);
    if (runners.length === 0) throw new Refused(404, { code: "no-such-runner" });
    if (runners.length === 1) {
      chooseHere(runners[0].bib);
      return;
    }
    candidates.replaceChildren(...runners.slice(0, candidatesMax).map((placing) => element("li", {},
      element("button", { type: "button", class: "second", onclick: () => chooseHere(placing.bib) }, t("run.runner_title", placing)))));
    candidates.hidden = false;
    notice(t(runners.length > candidatesMax ? "run.many_match" : "run.some_match", { count: runners.length }));
    find("button", candidates).focus();
  });
  find('[data-act="unfollow"]').addEventListener("click", () => {
    choose(undefined);
    find("#who").focus();
  });
  addEventListener("hashchange", () => follow(chosen()));

  return {
    choose: chooseHere,
    show,
    bib: () => bib,
    /** Follows whom the address names. */
    begin: () => follow(chosen()),
  };
}
