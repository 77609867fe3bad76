// A parent agrees for a child under 14, with the link of a mail: first it is shown what to, then the button agrees.

import { json, Refused } from "../web/api.js";
import { find, findAll } from "../web/dom.js";
import { handle } from "../web/form.js";
import { busy } from "../web/touches.js";
import { t } from "../web/words.js";
import { forgetToken, takeToken, tokenIn } from "./link-token.js";

const form = find("#parent");

function stage(name) {
  form.hidden = name !== "form";
  find("#question").hidden = name !== "question";
  find("#done").hidden = name !== "done";
  if (name !== "form") find(`#${name}`).focus();
}

takeToken(form, () => stage("form"));

handle(form, "parent", async ({ token }) => {
  const question = await json("/accounts/v1/confirmations/question", { method: "POST", body: { token: tokenIn(token) } });
  find("#question-title").textContent = t("parent.question", question);
  find("#question-text").textContent = t("parent.as", question);
  for (const card of findAll("[data-consent]")) {
    find("[data-state]", card).textContent = t(question.consents[card.dataset.consent] ? "parent.asked" : "parent.not_asked");
  }
  stage("question");
});

find("#agree").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
  let outcome;
  try {
    outcome = await json("/accounts/v1/confirmations/confirm", {
      method: "POST", body: { token: tokenIn(form.elements.token.value) },
    });
  } catch (error) {
    if (error instanceof Refused && error.status === 410) stage("form");
    throw error;
  }
  forgetToken();
  find("#done-text").textContent = t(`parent.${outcome.status}`);
  stage("done");
}));
