// The link of a mail: its token is in the fragment, which is in no request and no log; the button sends it. Without one the
// link, or what stands behind its #, can be pasted.

import { call, Refused } from "../web/api.js";
import { find } from "../web/dom.js";
import { handle } from "../web/form.js";
import { offer } from "./send-again.js";
import { markNew } from "./start.js";

const form = find("#confirm");

function read() {
  const token = location.hash.slice(1);
  find("#token-field").hidden = token !== "";
  if (!token) return;
  form.elements.token.value = token;
  // Also the link of a second account, after that of the first.
  form.hidden = false;
  find("#done").hidden = true;
}

read();
addEventListener("hashchange", read);

handle(form, "confirm", async ({ token }) => {
  try {
    await call("/accounts/v1/confirmations/confirm", {
      method: "POST", body: { token: token.slice(token.lastIndexOf("#") + 1) },
    });
  } catch (error) {
    if (error instanceof Refused && error.status < 500 && error.status !== 0) {
      find("#token-field").hidden = false;
      offer();
    }
    throw error;
  }
  // Used up: it need not stay in the history.
  history.replaceState(null, "", location.pathname);
  markNew();
  form.hidden = true;
  find("#again").hidden = true;
  find("#done").hidden = false;
  find("#done").focus();
});
