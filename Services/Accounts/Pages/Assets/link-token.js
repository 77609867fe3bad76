// The token of a link in a mail. It is in the fragment, which is in no request and no log; without one the link, or what stands
// behind its #, can be pasted into the form's field `token`.

import { find } from "../web/dom.js";

/** Puts the token of the page's address into `form`, also that of a second link; `renewed` is called with each. */
export function takeToken(form, renewed) {
  function read() {
    const token = location.hash.slice(1);
    find("#token-field").hidden = token !== "";
    if (!token) return;
    form.elements.token.value = token;
    renewed();
  }
  read();
  addEventListener("hashchange", read);
}

/** The token in what was pasted. */
export const tokenIn = (text) => text.slice(text.lastIndexOf("#") + 1);

/** It is used up, and need not stay in the history. */
export const forgetToken = () => history.replaceState(null, "", location.pathname);
