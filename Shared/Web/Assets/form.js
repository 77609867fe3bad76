// Forms that send JSON to the API: faults stand beside their fields, and what was typed stays whatever happens.

import { Refused } from "./api.js";
import { element, find, findAll, notice, told } from "./dom.js";
import { hasWord, t } from "./words.js";

/**
 * The values of a form's named fields; empty ones are left out. Names with points make nested objects. A field whose text stands
 * for something else has that in its `data-value`.
 */
export function values(form) {
  const result = {};
  for (const [name, text] of new FormData(form)) {
    const value = form.elements[name]?.dataset?.value ?? text;
    if (typeof value !== "string" || value.trim() === "") continue;
    const path = name.split(".");
    const last = path.pop();
    const place = path.reduce((object, part) => (object[part] ??= {}), result);
    place[last] = form.elements[name]?.type === "password" ? value : value.trim();
  }
  return result;
}

/** Takes away the fault that `mark` has written below a field. */
export function unmark(field) {
  const id = `${field.id}-fault`;
  find(`#${CSS.escape(id)}`)?.remove();
  field.removeAttribute("aria-invalid");
  const hints = (field.getAttribute("aria-describedby") ?? "").split(" ").filter((hint) => hint !== id && hint !== "");
  if (hints.length > 0) field.setAttribute("aria-describedby", hints.join(" "));
  else field.removeAttribute("aria-describedby");
}

/**
 * Writes a fault below the field of the member `name`: the one of that name, the one that its list is typed into (of `name.0`),
 * or the one that stands for several members (`data-members`). Returns the field, if there is one.
 */
export function mark(form, name, text) {
  const named = form.elements[name] ?? form.elements[name.replace(/\.\d+$/, "")]
    ?? find(`[data-members~="${CSS.escape(name)}"]`, form);
  // Of a choice the first one stands for all.
  const field = named instanceof RadioNodeList ? named[0] : named;
  if (!(field instanceof HTMLElement)) return null;
  const id = `${field.id}-fault`;
  const box = field.closest(".field") ?? (field.type === "radio" ? field.closest("fieldset") : null) ?? field.parentElement;
  if (!find(`#${CSS.escape(id)}`)) box.append(element("p", { class: "fault", id }, text));
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", [field.getAttribute("aria-describedby"), id].filter(Boolean).join(" "));
  return field;
}

/** The words for a refused field: the page's own for the fault's code or the field, or what the service said. Fields of a list share theirs. */
function faultWords(page, name, code, detail) {
  for (const key of [code, name.replace(/\.\d+/g, "")]) if (hasWord(`${page}.fault.${key}`)) return t(`${page}.fault.${key}`);
  return detail;
}

/**
 * Sends `form` through `send(values)` and shows what is refused. `page` names the words: `page.fault.FIELD` and
 * `page.fault.CODE`.
 */
export function handle(form, page, send) {
  form.noValidate = true;
  let isSending = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isSending) return;
    findAll("[aria-invalid]", form).forEach(unmark);
    notice("");
    const empty = [...form.elements].filter((field) => field.willValidate && !field.validity.valid);
    if (empty.length > 0) {
      for (const field of empty) mark(form, field.name, faultWords(page, field.name, "", field.validationMessage));
      notice(t("problem.fields"), "bad");
      empty[0].focus();
      return;
    }
    isSending = true;
    const button = find("button[type=submit]", form);
    button?.setAttribute("aria-disabled", "true");
    try {
      await send(values(form), form);
      form.dispatchEvent(new Event("sent", { bubbles: true }));
    } catch (error) {
      if (!(error instanceof Refused)) {
        told(error);
        throw error;
      }
      show(form, page, error);
    } finally {
      isSending = false;
      button?.removeAttribute("aria-disabled");
    }
  });
}

const isTyped = ({ type, value }) => value !== "" && !["checkbox", "radio", "hidden", "submit", "button"].includes(type);

/** What to tell of a form that was not taken; what was typed into it stays when nobody has read it. */
const unsent = (form, { status, words }) =>
  [0, 401, 502, 503, 504].includes(status) && [...form.elements].some(isTyped) ? `${words} ${t("problem.kept")}` : words;

/** Tells a refusal in the words of `page`, where it has some. Returns the notice. */
export function tellRefusal(page, error) {
  const key = `${page}.fault.${error.code}`;
  return hasWord(key) ? notice(t(key), "bad") : told(error);
}

function show(form, page, refused) {
  const marked = refused.errors
    .map(({ pointer, code, detail }) => {
      const name = (pointer ?? "").slice(1).replaceAll("/", ".");
      return mark(form, name, faultWords(page, name, code, detail));
    })
    .filter((field) => field !== null);
  if (marked.length > 0) {
    notice(t("problem.fields"), "bad");
    marked[0].focus();
    return;
  }
  const key = `${page}.fault.${refused.code}`;
  notice(hasWord(key) ? t(key) : unsent(form, refused), "bad");
}
