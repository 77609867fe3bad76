// People of a file, who get a link by mail each.

import { Refused } from "/web/api.js";
import { find, notice } from "/web/dom.js";
import { handle } from "/web/form.js";
import { number, t } from "/web/words.js";
import { ask } from "./ask.js";

export function showPeople() {
  const faults = find("#people-faults");
  handle(find("#people"), "people", async ({ name }, form) => {
    faults.hidden = true;
    try {
      const { people } = await ask(`/people?name=${encodeURIComponent(name)}`, { method: "POST", body: find("#file").files[0] });
      form.reset();
      notice(t("people.done", { count: number(people) }), "good");
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== "not-provisioned") throw error;
      // What is wrong in which line, as the service says it.
      faults.textContent = error.message;
      faults.hidden = false;
      notice(t("people.not_done"), "bad");
    }
  });
}
