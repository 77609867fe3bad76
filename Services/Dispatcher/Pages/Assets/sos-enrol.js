// Enrolling in AutomatedSOS, or changing the enrolment.

import { call, jsonIfThere, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { language, t } from "../web/words.js";
import { add, contacts } from "./contacts.js";

const path = "/dispatcher/v1/enrolment";
const form = find("#enrol");
/** What is enrolled already and has no field on this page: it stays as it is. */
let kept = { languages: [language] };

/** Shows the form when it is known what is in it: an empty one would overwrite what somebody has enrolled with. */
async function begin() {
  find("#unread").hidden = true;
  notice("");
  try {
    const enrolment = await jsonIfThere(path, "not-enrolled");
    if (enrolment) fill(enrolment);
    else add();
    form.hidden = false;
  } catch (error) {
    find("#unread").hidden = false;
    told(error);
  }
}

function fill({ callback_phone, address_notes, conditions, medication, abort_window_s, rules, languages, contacts: people }) {
  kept = { rules, languages };
  const values = {
    callback_phone, address_notes, conditions: conditions.join(", "), medication: medication.join(", "), abort_window_s,
  };
  const { abort_window_s: windows } = form.elements;
  if (![...windows.options].some(({ value }) => Number(value) === abort_window_s)) {
    windows.append(element("option", { value: abort_window_s }, t("sos-enrol.seconds", { seconds: abort_window_s })));
  }
  for (const [name, value] of Object.entries(values)) if (value !== undefined) form.elements[name].value = value;
  people.forEach(add);
  if (people.length === 0) add();
}

const list = (text) => (text ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "");

if (requireSession()) {
  find("#again").addEventListener("click", begin);
  handle(form, "sos-enrol", async ({ callback_phone, address_notes, clauses_version, conditions, medication, abort_window_s }) => {
    await call(path, {
      method: "PUT",
      body: {
        ...kept, callback_phone, address_notes, clauses_version, abort_window_s: Number(abort_window_s),
        conditions: list(conditions), medication: list(medication), contacts: contacts(),
      },
    });
    location.assign("/sos");
  });
  await begin();
}
