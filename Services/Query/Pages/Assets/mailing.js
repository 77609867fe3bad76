// By which mails a third party is told of what is new: how often, and of what.

import { json, requireSession } from "../web/api.js";
import { find, findAll, notice, told } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { datetime, t } from "../web/words.js";
import { chooseKinds, chosenKinds } from "./event-kinds.js";

const api = "/query/v1/mailing";
const form = find("#mailing");

function show({ frequency, kinds, next_at: next }) {
  form.elements.frequency.value = frequency;
  chooseKinds(kinds);
  find("#next").textContent = next ? t("mailing.next", { when: datetime(next) }) : t("mailing.no_mail");
}

if (requireSession()) {
  findAll("#kinds-box input")[0].dataset.members = "kinds";
  handle(form, "mailing", async ({ frequency }) => {
    const kinds = chosenKinds();
    if (kinds.length === 0) {
      mark(form, "kinds", t("mailing.fault.kinds")).focus();
      return notice(t("problem.fields"), "bad");
    }
    show(await json(api, { method: "PUT", body: { frequency, kinds } }));
    return notice(t("mailing.saved"), "good");
  });
  await json(api).then(show).catch(told);
}
