// Choosing a new password with the link of a mail.

import { call, Refused } from "../web/api.js";
import { find } from "../web/dom.js";
import { handle } from "../web/form.js";
import { forgetToken, takeToken, tokenIn } from "./link-token.js";

const form = find("#reset");

function show(isDone) {
  form.hidden = isDone;
  find("#done").hidden = !isDone;
}

takeToken(form, () => show(false));

handle(form, "reset", async ({ token, ...values }) => {
  try {
    await call("/accounts/v1/password-resets/complete", { method: "POST", body: { ...values, token: tokenIn(token) } });
  } catch (error) {
    if (error instanceof Refused && error.code === "link-expired") find("#token-field").hidden = false;
    throw error;
  }
  forgetToken();
  show(true);
  find("#done").focus();
});
