// A measurement that is entered by hand (ING-03).

import { json } from "../web/api.js";
import { element, find, notice } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { hasWord, t } from "../web/words.js";
import { minuteOf } from "./days.js";
import { amountWords, unitWords } from "./values.js";

/** `1.800` is 1800 to some and 1.8 to others; no type has three decimals. */
const isAmbiguous = (text) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);

/** `70,5` and `70.5`; `null` for what is no number. */
const numberOf = (text) => (/^-?\d+([.,]\d+)?$/.test(text) && !isAmbiguous(text) ? Number(text.replace(",", ".")) : null);

export function prepareEntry() {
  const form = find("#entry");
  const { type, time } = form.elements;
  const showUnit = () => (find("#value-hint").textContent = t("my-data.in_unit", { unit: unitWords(type.value) }));
  type.addEventListener("change", showUnit);
  showUnit();
  time.value = minuteOf(Date.now());
  handle(form, "my-data", async ({ type: name, value: text, time: when }) => {
    const value = numberOf(text);
    if (value === null) {
      mark(form, "value", t(`my-data.fault.${isAmbiguous(text) ? "thousands" : "no-number"}`)).focus();
      return notice(t("problem.fields"), "bad");
    }
    const { refused, paused } = await json("/ingestion/v1/samples", {
      method: "POST", body: { series: [{ type: name, start: new Date(when).toISOString(), offsets_ms: [0], values: [value] }] },
    });
    if (refused.length > 0) {
      const [{ reason, explanation }] = refused;
      const field = reason === "future" || reason === "clock-never-set" ? "time" : "value";
      mark(form, field, hasWord(`my-data.fault.${reason}`) ? t(`my-data.fault.${reason}`) : explanation).focus();
      return notice(t("problem.fields"), "bad");
    }
    if (paused.length > 0) return notice(t("my-data.entry_paused"), "bad");
    form.elements.value.value = "";
    find("#notices").replaceChildren(element("p", { class: "notice good" },
      `${t("my-data.entered", { type: t(`types.${name}`), amount: amountWords(name, value) })} `,
      element("a", { href: `/measurements/${name}` }, t("my-data.see_it"))));
    return undefined;
  });
}
