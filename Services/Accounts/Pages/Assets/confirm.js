// Confirming an address with the link of a mail: its token is sent when the button is pressed.

import { json, Refused } from "../web/api.js";
import { find } from "../web/dom.js";
import { handle } from "../web/form.js";
import { forgetToken, takeToken, tokenIn } from "./link-token.js";
import { offer } from "./send-again.js";
import { markNew } from "./start.js";

const form = find("#confirm");

takeToken(form, () => {
  // Also the link of a second account, after that of the first.
  form.hidden = false;
  find("#done").hidden = true;
  find("#waiting").hidden = true;
});

handle(form, "confirm", async ({ token }) => {
  let outcome;
  try {
    outcome = await json("/accounts/v1/confirmations/confirm", { method: "POST", body: { token: tokenIn(token) } });
  } catch (error) {
    if (error instanceof Refused && error.status < 500 && error.status !== 0) {
      find("#token-field").hidden = false;
      offer();
    }
    throw error;
  }
  forgetToken();
  markNew();
  form.hidden = true;
  find("#again").hidden = true;
  const done = find(outcome.status === "waiting" ? "#waiting" : "#done");
  done.hidden = false;
  done.focus();
});
