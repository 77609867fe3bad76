// Enrolling in AutomatedSOS, or changing the enrolment.

import { call, json, requireSession } from "../web/api.js";
import { find, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { language } from "../web/words.js";

const form = find("#enrol");

/** What is enrolled already, so that it can be changed. */
async function fill() {
  try {
    const known = await json("/dispatcher/v1/enrolment");
    const [contact] = known.contacts;
    const values = {
      callback_phone: known.callback_phone, address_notes: known.address_notes, "contact.name": contact?.name,
      "contact.phone": contact?.phone, conditions: known.conditions.join(", "), medication: known.medication.join(", "),
      abort_window_s: known.abort_window_s,
    };
    for (const [name, value] of Object.entries(values)) if (value !== undefined) form.elements[name].value = value;
  } catch (error) {
    if (error.code !== "not-enrolled") told(error);
  }
}

const list = (text) => (text ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "");

if (requireSession()) {
  await fill();
  handle(form, "sos-enrol", async ({ contact, conditions, medication, abort_window_s: seconds, ...values }) => {
    await call("/dispatcher/v1/enrolment", {
      method: "PUT",
      body: {
        ...values, abort_window_s: Number(seconds), languages: [language], conditions: list(conditions),
        medication: list(medication), contacts: contact ? [contact] : [],
      },
    });
    location.assign("/sos");
  });
}
