// The operators' page of accounts: a log-in with password and code, and behind it what operators do.

import { find, notice, told } from "/web/dom.js";
import { handle, tellRefusal } from "/web/form.js";
import { picture } from "/web/qr-code.js";
import { t } from "/web/words.js";
import { show } from "/frame.js";
import { ask, session } from "./ask.js";
import { forgetAlarms, showAlarms } from "./alarms.js";
import { forgetSecret, showApplications } from "./applications.js";
import { forgetAudit, showAudit } from "./audit.js";
import { showPeople } from "./people.js";
import { showQueues } from "./queues.js";
import { forgetFound, showSearch } from "./search.js";

show();

const parts = ["log-in", "invitation", "acts"];
function open(part) {
  for (const name of parts) find(`#${name}`).hidden = name !== part;
  find("#out").hidden = part !== "acts";
}

let isShown = false;
async function enter({ name }) {
  find("#who").textContent = t("who", { name });
  open("acts");
  if (isShown) return;
  isShown = true;
  showSearch();
  showPeople();
  showAudit();
  await Promise.all([showAlarms(), showQueues(), showApplications()]);
}

/** What was seen goes with the session. */
function leave(words) {
  forgetFound();
  forgetSecret();
  forgetAudit();
  forgetAlarms();
  open("log-in");
  notice(words);
}

handle(find("#log-in"), "log_in", async (form, element) => {
  const who = await ask("/session", { method: "POST", body: form });
  element.reset();
  await enter(who);
});
find("#log-out").addEventListener("click", async () => {
  try {
    await ask("/session", { method: "DELETE" });
    leave(t("logged_out"));
  } catch (error) {
    told(error);
  }
});

// The token stands in the fragment, which no server sees.
const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname);
  handle(find("#invitation"), "log_in", async (form, element) => {
    const who = await ask("/invitation/acceptance", { method: "POST", body: { token, ...form } });
    element.reset();
    find("#invitation-picture").replaceChildren();
    find("#invitation-secret").textContent = "";
    await enter(who);
  });
  try {
    const { name, secret, uri } = await ask("/invitation", { method: "POST", body: { token } });
    find("#invited").textContent = t("invitation.lead", { name });
    find("#invitation-picture").replaceChildren(await picture(uri, t("invitation.picture")));
    find("#invitation-secret").textContent = secret.replace(/(.{4})(?=.)/g, "$1 ");
    open("invitation");
  } catch (error) {
    open("log-in");
    tellRefusal("log_in", error);
  }
} else {
  try {
    const who = await ask("/session");
    if (who) await enter(who);
    else open("log-in");
  } catch (error) {
    open("log-in");
    told(error);
  }
}
session.addEventListener("ended", () => find("#acts").hidden || leave(t("session_ended")));
