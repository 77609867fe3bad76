// A person's word on an application that wants to deliver data (RFC 6749): what it asks, which types it may deliver, and the way
// back to it with the answer. The application's link is this page's query, which the service reads.

import { json, kind, Refused, requireSession } from "../web/api.js";
import { element, find, findAll, notice, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { busy } from "../web/touches.js";
import { hasWord, t } from "../web/words.js";

const place = "/accounts/v1/authorizations";
const query = location.search.slice(1);

/** Goes back to the application; nobody comes back to this page, whose link is used. */
const goTo = (address) => location.replace(address);

/** Tells in the page's place what is wrong with the link. */
function broken(key) {
  const box = find("#broken");
  box.textContent = t(`authorize.fault.${key}`);
  box.hidden = false;
}

function show({ name, answers_to: answersTo, data_types: types, is_authorised: isAuthorised }) {
  find("#asks").textContent = t("authorize.asks", { name });
  find("#types").replaceChildren(...types.map((type) => {
    const box = element("input", { type: "checkbox", id: `type-${type}`, value: type, checked: true });
    return element("div", { class: "check" }, box, element("label", { for: box.id }, t(`types.${type}`)));
  }));
  find("#answers-to").textContent = t("authorize.answers_to", { name, place: answersTo });
  find("#authorised").hidden = !isAuthorised;
  find("#authorize").hidden = false;
}

async function answer(body) {
  const { redirect_to: address } = await json(place, { method: "POST", body: { query, ...body } });
  goTo(address);
}

async function ask() {
  try {
    const question = await json(`${place}/questions`, { method: "POST", body: { query } });
    if (question.redirect_to) return goTo(question.redirect_to);
    return show(question);
  } catch (error) {
    if (!(error instanceof Refused) || !hasWord(`authorize.fault.${error.code}`)) throw error;
    return broken(error.code);
  }
}

if (requireSession()) {
  if (kind() === "individual") {
    handle(find("#authorize"), "authorize", async () => {
      const types = findAll("#types input:checked").map(({ value }) => value);
      if (types.length === 0) return notice(t("authorize.fault.data_types"), "bad");
      return answer({ is_allowed: true, data_types: types });
    });
    find("#refuse").addEventListener("click", ({ target }) => busy(target, () => answer({ is_allowed: false })));
    await ask().catch(told);
  } else broken("not-individual");
}
