// The participants of a run as a table: how each stands with the enrolment, and on race day with the run.

import { json } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { duration, number, t } from "../web/words.js";
import { localClock } from "./zone.js";

const step = 100;
const word = (key, values) => t(`organise-run.${key}`, values);

function progress({ state, distance_m }) {
  const name = t(`run.runner_state.${state}`);
  return state === "running" ? `${name}, ${t("run.at", { km: number(distance_m / 1000, 1) })}` : name;
}

/** The fixes that a runner's result is known by (RUN-10), in a dialog. */
async function explain(run, { bib, name }) {
  const { final, evidence } = await json(`/track4run/v1/runs/${run.code}/participants/${bib}/evidence`);
  const told = (passage) => passage
    ? word(passage.is_seen ? "seen_at" : "between", { clock: localClock(passage.time) }) : word("not_seen");
  const facts = [
    [t("run.start_mark"), told(evidence.start)],
    ...run.checkpoints.map(({ name }, index) => [name, told(evidence.checkpoints[index])]),
    [t("run.finish_mark"), told(evidence.is_finish ? evidence.arrival : undefined)],
    [word("coverage"), `${number(evidence.coverage * 100)} %`],
  ];
  const title = element("h2", { id: "evidence-title" }, word("evidence_of", { bib, name }));
  const box = element("dialog", { "aria-labelledby": "evidence-title" }, title,
    element("p", {}, word(final ? "evidence_final" : "evidence_provisional")),
    element("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])),
    element("button", { type: "button", onclick: () => box.close() }, word("close")));
  box.addEventListener("close", () => box.remove());
  // The button was pressed again before the answer came.
  if (find("dialog[open]")) return;
  document.body.append(box);
  box.showModal();
}

/** The table `#participants`. `show(participants, placings)` brings it up to date. */
export function participantTable(run) {
  const [body, search, more] = ["participants", "search", "more"].map((id) => find(`#${id}`));
  const rows = new Map();
  let participants = [];
  let placings = new Map();
  let rowsMax = step;

  function row({ bib, name, state }) {
    const placing = placings.get(bib);
    const hasBegun = placings.size > 0;
    if (!rows.has(bib)) {
      rows.set(bib, element("tr", {}, ...["number", null, null, null, "number"].map((kind) => element("td", { class: kind })),
        element("td", {}, element("button", {
          type: "button", class: "plain", onclick: () => explain(run, { bib, name }).catch(told),
        }, word("evidence")))));
    }
    const made = rows.get(bib);
    const texts = [
      bib, name, word(`states.${state}`), placing ? progress(placing) : "–",
      placing?.time_s === undefined || placing.state === "running" ? "–" : duration(placing.time_s),
    ];
    texts.forEach((text, column) => {
      if (made.cells[column].textContent !== String(text)) made.cells[column].textContent = text;
    });
    for (const column of [3, 4, 5]) made.cells[column].hidden = !hasBegun;
    // Of who was not there nothing is known.
    made.cells[5].firstChild.hidden = !placing;
    return made;
  }

  function draw() {
    const text = search.value.trim().toLocaleLowerCase();
    const found = text === "" ? participants
      : participants.filter(({ bib, name }) => String(bib) === text || name.toLocaleLowerCase().includes(text));
    const wanted = found.slice(0, rowsMax).map(row);
    // Only when others are to be seen: who reads in the table keeps the place.
    if (body.rows.length !== wanted.length || wanted.some((made, index) => body.rows[index] !== made)) body.replaceChildren(...wanted);
    more.hidden = found.length <= rowsMax;
    find("#no-match").hidden = found.length > 0;
  }

  search.addEventListener("input", draw);
  more.addEventListener("click", () => {
    rowsMax += step;
    draw();
  });

  return {
    show(all, places) {
      participants = all;
      placings = new Map(places.map((placing) => [placing.bib, placing]));
      find("#no-participants").hidden = all.length > 0;
      find("#participants-box").hidden = all.length === 0;
      for (const cell of document.querySelectorAll("th.race-day")) cell.hidden = placings.size === 0;
      draw();
    },
  };
}
