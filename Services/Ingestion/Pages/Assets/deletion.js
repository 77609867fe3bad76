// Deleting what was measured in some days, in two touches: the first says what goes, the second deletes it.

import { json } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { date, datetime, t } from "../web/words.js";
import { timesOf } from "./days.js";

const path = "/ingestion/v1/deletions";
const every = 1000;
const triesMax = 600;

/** Of all types that the form offers nothing more is told. */
const isAll = (types) => types.length >= find("#deleted-type").options.length - 1;
const typeWords = (types) => (isAll(types) ? t("my-data.all_types") : types.map((type) => t(`types.${type}`)).join(", "));

function showList(deletions) {
  find("#no-deletions").hidden = deletions.length > 0;
  find("#deletions").replaceChildren(...deletions.map(({ state, created_at: created, types, from, to }) => element("li", { class: "card" },
    element("h4", {}, typeWords(types)), element("p", {}, t("my-data.from_to", { from: datetime(from), to: datetime(to) })),
    element("p", { class: "quiet" }, t(`my-data.deletion_states.${state}`, { when: datetime(created) })))));
}

/** Shows the deletions, and again as long as one waits. Returns whether one does. */
async function refresh() {
  const { deletions } = await json(path);
  showList(deletions);
  return deletions.some(({ state }) => state === "waiting");
}

/** Returns whether all is done. What was accepted goes on whether that can be seen or not, so a look that fails is told and taken again. */
async function waitUntilDone() {
  for (let tries = 0; tries < triesMax; tries += 1) {
    try {
      if (!await refresh()) return true;
    } catch (error) {
      if (error.status === 401) throw error;
      told(error);
    }
    await new Promise((done) => setTimeout(done, every));
  }
  return false;
}

async function remove({ types, from, to }) {
  await json(path, { method: "POST", body: { ...(types ? { types } : {}), from: from.toISOString(), to: to.toISOString() } });
  notice(t("my-data.deleting"), "good");
  if (await waitUntilDone()) notice(t("my-data.deleted"), "good");
}

/** What the person is asked before anything is deleted. */
function ask(wanted, words, again) {
  const box = find("#sure");
  const close = () => {
    box.hidden = true;
    again.focus();
  };
  const yes = element("button", { type: "button" }, t("my-data.delete_sure"));
  yes.addEventListener("click", async () => {
    close();
    try {
      await remove(wanted);
    } catch (error) {
      if (error.code === "no-data" || error.code === "too-many-spans") notice(t(`my-data.fault.${error.code}`), "bad");
      else told(error);
    }
  });
  box.replaceChildren(element("p", {}, words), element("p", {}, t("my-data.delete_means")), element("p", { class: "acts" }, yes,
    element("button", { type: "button", class: "second", onclick: close }, t("my-data.keep"))));
  box.hidden = false;
  box.focus();
}

/** Makes the form work, and fetches and shows earlier deletions. */
export async function prepareDeletion() {
  handle(find("#delete"), "my-data", (values, form) => {
    const { deleted_type: type, from, to } = values;
    if (from > to) {
      mark(form, "to", t("my-data.fault.order")).focus();
      return notice(t("problem.fields"), "bad");
    }
    const words = t(from === to ? "my-data.delete_day" : "my-data.delete_days", {
      what: type ? t(`types.${type}`) : t("my-data.all_types"), from: date(`${from}T12:00`), to: date(`${to}T12:00`),
    });
    ask({ types: type ? [type] : null, ...timesOf({ from, to }) }, words, find("button[type=submit]", form));
    return undefined;
  });
  await waitUntilDone();
}
