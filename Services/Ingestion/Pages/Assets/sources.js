// Which source counts for each data type (ACC-14): a choice for each type that more than one can bring.

import { json } from "../web/api.js";
import { element, find, notice } from "../web/dom.js";
import { handle } from "../web/form.js";
import { t } from "../web/words.js";

const path = "/accounts/v1/me/sources";
/** Sources that are put in order for one type, at most. */
const sourcesMax = 10;

/** Fetches and shows the preferences; the others are answers that may be on their way. */
export async function showSources(devices, usage, latest) {
  const [list, { types: stored }, { latest: newest }, answer] = await Promise.all([devices, usage, latest, json(path)]);
  let { preferences } = answer;
  const known = new Set([...stored, ...newest].map(({ type }) => type).concat(list.flatMap(({ data_types: types }) => types)));
  const fields = [...known].map((type) => {
    const first = preferences.find(({ data_type: name }) => name === type)?.sources[0] ?? "";
    // A device that no longer brings the type still comes first in what is stored.
    const offering = list.filter(({ device_id: id, offered_types: types }) => types.includes(type) || id === first);
    const option = (value, words) => element("option", { value, selected: value === first }, words);
    return element("div", { class: "field" },
      element("label", { for: `source-${type}` }, t(`types.${type}`)),
      element("select", { id: `source-${type}`, name: type },
        option("", t("my-data.usual_order")), ...offering.map(({ device_id: id, name }) => option(id, name)),
        option("imports", t("my-data.imports")), option("manual", t("my-data.manual"))));
  });
  find("#source-fields").replaceChildren(...fields);
  find("#no-sources").hidden = fields.length > 0;
  find("#sources").hidden = fields.length === 0;
  handle(find("#sources"), "my-data", async (_, form) => {
    // Whatever is chosen comes first; the order of the others stays.
    const others = new Map(preferences.map(({ data_type: type, sources }) => [type, sources]));
    for (const { name: type, value } of form.elements) {
      if (!known.has(type)) continue;
      const before = others.get(type) ?? [];
      if (value === "") others.delete(type);
      else others.set(type, [value, ...before.filter((source) => source !== value)].slice(0, sourcesMax));
    }
    ({ preferences } = await json(path, {
      method: "PUT", body: { preferences: [...others].map(([type, sources]) => ({ data_type: type, sources })) },
    }));
    notice(t("my-data.sources_saved"), "good");
  });
}
