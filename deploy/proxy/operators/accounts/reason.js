// Acts that need a reason, which is typed beside them.

import { element } from "/web/dom.js";
import { mark, tellRefusal, unmark } from "/web/form.js";
import { busy } from "/web/touches.js";
import { t } from "/web/words.js";

/**
 * A form with a field for the reason, whose words are `page.label` and `page.fault.reason`. `act` makes of what is to be done with a
 * reason what a button does: refusals are told in the page's words.
 */
export function reasonForm(page, id, label) {
  const field = element("input", { id, name: "reason", maxlength: 100, autocomplete: "off", required: true });
  const form = element("form", {}, element("div", { class: "field" }, element("label", { for: id }, t(`${page}.${label}`)), field));
  form.addEventListener("submit", (event) => event.preventDefault());
  const act = (send) => (button) => busy(button, async () => {
    unmark(field);
    const reason = field.value.trim();
    if (reason === "") mark(form, "reason", t(`${page}.fault.reason`)).focus();
    else await send(reason);
  }, (error) => tellRefusal(page, error));
  return { form, act };
}
