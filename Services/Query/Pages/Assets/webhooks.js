// A third party's webhooks: how each stands, the way to it, and making one, whose secret is shown once.

import { json, requireSession } from "../web/api.js";
import { element, find, told } from "../web/dom.js";
import { handle } from "../web/form.js";
import { t } from "../web/words.js";
import { chosenKinds } from "./event-kinds.js";
import { secretBox, showSecret } from "./webhook-secret.js";
import { heldWords, kindsWords, stateWords, whyWords } from "./webhook-state.js";

const api = "/query/v1/webhooks";

const line = (words, attributes = {}) => (words ? element("p", attributes, words) : null);

const card = (webhook) => element("li", { class: "card" },
  element("h3", {}, element("a", { href: `/webhooks/${webhook.id}` }, webhook.url)),
  line(webhook.description),
  element("p", {}, element("strong", {}, stateWords(webhook))),
  line(whyWords(webhook), { class: "notice bad" }),
  line(heldWords(webhook)),
  line(t(`webhooks.payloads.${webhook.payload}`), { class: "quiet" }),
  line(kindsWords(webhook), { class: "quiet" }));

async function show() {
  const { webhooks } = await json(api);
  find("#none").hidden = webhooks.length > 0;
  find("#webhooks").replaceChildren(...webhooks.map(card));
}

if (requireSession()) {
  secretBox(find("#url"));
  handle(find("#create"), "webhooks", async (values, form) => {
    const kinds = chosenKinds();
    const { url, secret } = await json(api, {
      method: "POST", body: { ...values, ...(kinds.length > 0 ? { events: kinds } : {}) },
    });
    form.reset();
    showSecret(secret, t("webhooks.made", { url }));
    // The secret stays shown when the list cannot be read.
    await show().catch(told);
  });
  await show().catch(told);
}
