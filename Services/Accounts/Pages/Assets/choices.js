// Which messages come in which way: a group of two boxes for each kind.

import { json } from "../web/api.js";
import { element, find, findAll, notice } from "../web/dom.js";
import { handle } from "../web/form.js";
import { t } from "../web/words.js";

const place = "/accounts/v1/me/notifications";
const ways = ["inbox", "mail"];

export async function showChoices() {
  show(await json(place));
  handle(find("#choices"), "choices", async () => {
    const kinds = findAll("#choice-list fieldset").filter(({ disabled }) => !disabled);
    const choices = kinds.map((group) => ({
      kind: group.dataset.kind,
      ...Object.fromEntries(ways.map((way) => [way, find(`[value=${way}]`, group).checked])),
    }));
    show(await json(place, { method: "PATCH", body: { choices } }));
    notice(t("choices.saved"), "good");
  });
}

function show({ choices }) {
  find("#choice-list").replaceChildren(...choices.map(({ kind, is_required: isRequired, ...chosen }) => {
    const group = element("fieldset", { "data-kind": kind }, element("legend", {}, t(`choices.kinds.${kind}`)),
      ...ways.map((way) => {
        const box = element("input", { type: "checkbox", id: `${kind}-${way}`, value: way });
        box.checked = chosen[way];
        return element("div", { class: "check" }, box, element("label", { for: box.id }, t(`choices.${way}`)));
      }), isRequired ? element("p", { class: "quiet" }, t("choices.required")) : null);
    group.disabled = isRequired;
    return group;
  }));
}
