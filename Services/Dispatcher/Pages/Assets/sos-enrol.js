// Enrolling in AutomatedSOS, or changing the enrolment.

import { call, jsonIfThere, requireSession } from "../web/api.js";
import { element, find, notice, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { language, t } from "../web/words.js";
import { add, contacts } from "./contacts.js";
import { offerPrice } from "./sos-price.js";

const path = "/dispatcher/v1/enrolment";
const form = find("#enrol");
/** What is enrolled already and has no field on this page: it stays as it is. */
let kept = { languages: [language], address: {} };
/** The price that is accepted with what was typed; who is enrolled already is not asked. */
let acceptedPrice = () => undefined;

/** Shows the form when it is known what is in it: an empty one would overwrite what somebody has enrolled with. */
async function begin() {
  find("#unread").hidden = true;
  notice("");
  try {
    const enrolment = await jsonIfThere(path, "not-enrolled");
    if (enrolment) {
      fill(enrolment);
    } else {
      acceptedPrice = await offerPrice(find("button[type=submit]", form).parentElement);
      add();
    }
    form.hidden = false;
  } catch (error) {
    find("#unread").hidden = false;
    told(error);
  }
}

function fill({ callback_phone, address = {}, address_notes, medical_reason, conditions, medication, abort_window_s, rules, languages, contacts: people }) {
  const { street, postal_code, city, ...rest } = address;
  kept = { rules, languages, address: rest };
  const values = {
    callback_phone, address_notes, medical_reason, "address.street": street, "address.postal_code": postal_code, "address.city": city,
    conditions: conditions.join(", "), medication: medication.join(", "), abort_window_s,
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
  handle(form, "sos-enrol", async ({ conditions, medication, abort_window_s, address, ...typed }) => {
    await call(path, {
      method: "PUT",
      body: {
        ...kept, ...typed, address: address && { ...kept.address, ...address },
        grants_emergency_calls: typed.grants_emergency_calls === "true", abort_window_s: Number(abort_window_s),
        conditions: list(conditions), medication: list(medication), contacts: contacts(), accepts_price: acceptedPrice(typed),
      },
    });
    location.assign("/sos");
  });
  await begin();
}
