// Erases the account, or what was collected, and leads to the receipt.

import { json, logOut, requireSession } from "../web/api.js";
import { find } from "../web/dom.js";
import { handle } from "../web/form.js";

if (requireSession()) {
  handle(find("#leave"), "leave", async ({ password, scope }) => {
    const { receipt_token: token } = await json("/accounts/v1/me/erasures", { method: "POST", body: { password, scope } });
    const receipt = `/receipt#${token}`;
    // The session is no more.
    if (scope === "account") await logOut(receipt);
    else location.assign(receipt);
  });
}
