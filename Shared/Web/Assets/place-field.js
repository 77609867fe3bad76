// A field for a place by its name: what is typed is looked up, and one of the places found is chosen (the pattern “combobox” of
// WAI-ARIA). The place's code is in the field's `data-value`, which a form sends (form.js).

import { json } from "./api.js";
import { element, told } from "./dom.js";
import { t } from "./words.js";

/** Milliseconds after the last letter. */
const patience = 200;
const foundMax = 8;

/** Makes `input` such a field. `use` is `birthplace` or `residence`. Returns how to put a place into it. */
export function placeField(input, use) {
  const list = element("ul", { role: "listbox", id: `${input.id}-list`, class: "choices", "aria-label": t("place.list"), hidden: true });
  const said = element("p", { class: "only-read", role: "status" });
  input.after(list, said);
  for (const [name, value] of Object.entries({
    role: "combobox", autocomplete: "off", spellcheck: "false", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false",
  })) input.setAttribute(name, value);
  let [found, active, asked, timer] = [[], -1, 0, 0];

  function set(code, title) {
    // What is on its way is about another text.
    asked += 1;
    clearTimeout(timer);
    input.value = title ?? "";
    input.dataset.value = code ?? "";
    judge();
  }

  /** What is typed and not chosen is no place yet. */
  function judge() {
    input.setCustomValidity(input.value.trim() !== "" && input.dataset.value === "" ? t("place.choose") : "");
  }

  function close() {
    [list.hidden, active] = [true, -1];
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function choose({ code, title }) {
    set(code, title);
    close();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function mark(index) {
    active = index;
    [...list.children].forEach((option, place) => option.setAttribute("aria-selected", String(place === index)));
    const option = list.children[index];
    if (!option) return input.removeAttribute("aria-activedescendant");
    input.setAttribute("aria-activedescendant", option.id);
    return option.scrollIntoView({ block: "nearest" });
  }

  async function look() {
    const [number, text] = [(asked += 1), input.value.trim()];
    const { places } = text === "" ? { places: [] }
      : await json(`/accounts/v1/places?${new URLSearchParams({ text, use, limit: foundMax })}`);
    // More was typed meanwhile, or the field was left.
    if (number !== asked || document.activeElement !== input) return;
    found = places;
    list.replaceChildren(...found.map((place, index) => element("li", {
      role: "option", id: `${list.id}-${index}`, "aria-selected": "false",
      // The focus stays in the field.
      onpointerdown: (event) => event.preventDefault(), onclick: () => choose(place),
    }, place.until ? t("place.until", { name: place.title, year: place.until }) : place.title)));
    close();
    list.hidden = found.length === 0;
    input.setAttribute("aria-expanded", String(!list.hidden));
    said.textContent = text === "" ? "" : found.length === 0 ? t("place.none") : t("place.found", { count: found.length });
  }

  input.addEventListener("input", () => {
    input.dataset.value = "";
    judge();
    found = [];
    close();
    asked += 1;
    clearTimeout(timer);
    timer = setTimeout(() => look().catch(told), patience);
  });
  input.addEventListener("keydown", (event) => {
    if (list.hidden) {
      // A field that was left before the answer came.
      if (event.key === "ArrowDown" && input.dataset.value === "") look().catch(told);
      return;
    }
    const last = found.length - 1;
    const act = {
      ArrowDown: () => mark(active >= last ? 0 : active + 1), ArrowUp: () => mark(active <= 0 ? last : active - 1),
      Escape: close, Enter: found[active] && (() => choose(found[active])),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  input.addEventListener("blur", () => {
    asked += 1;
    clearTimeout(timer);
    // Whoever has typed a name whole has chosen.
    const typed = input.value.trim().toLowerCase();
    const whole = found.filter(({ name, title }) => [name, title].some((one) => one.toLowerCase() === typed));
    if (input.dataset.value === "" && whole.length === 1) choose(whole[0]);
    close();
  });
  set("", "");
  return { set };
}
