// The contacts of an enrolment: as many groups of fields as are needed.

import { element, find, findAll } from "../web/dom.js";
import { t } from "../web/words.js";

const contactsMax = 5;
const parts = { name: { maxlength: 120 }, phone: { type: "tel", maxlength: 40 }, email: { type: "email", maxlength: 254 } };
const box = find("#contacts");
const more = find("#add-contact");

const inputs = (group) => findAll("input", group);
const isEmpty = (group) => inputs(group).every(({ value }) => value.trim() === "");

function group(number, contact) {
  return element("fieldset", {}, element("legend", {}, t("sos-enrol.contact", { number })),
    ...Object.entries(parts).map(([part, limits]) => element("div", { class: "field" },
      element("label", { for: `contact-${number}-${part}` }, t(`sos-enrol.contact_${part}`)),
      element("input", {
        id: `contact-${number}-${part}`, name: `contacts.${number - 1}.${part}`, "data-part": part, value: contact[part], ...limits,
      }))));
}

/** Offers another contact; `contact` is in its fields. */
export function add(contact = {}) {
  box.append(group(box.children.length + 1, contact));
  more.hidden = box.children.length >= contactsMax;
}

/** What is sent: the contacts that have been filled in. Their fields are named by their places in it, so that a fault finds its own. */
export function contacts() {
  const groups = [...box.children];
  const filled = groups.filter((one) => !isEmpty(one));
  [...filled, ...groups.filter(isEmpty)].forEach((one, place) =>
    inputs(one).forEach((input) => (input.name = `contacts.${place}.${input.dataset.part}`)));
  return filled.map((one) => Object.fromEntries(
    inputs(one).filter(({ value }) => value.trim() !== "").map(({ dataset: { part }, value }) => [part, value.trim()])));
}

more.addEventListener("click", () => {
  add();
  find("input", box.lastChild).focus();
});
