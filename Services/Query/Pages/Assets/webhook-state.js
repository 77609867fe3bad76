// How a webhook stands, in words.

import { datetime, number, t } from "../web/words.js";
import { kindWords } from "./event-kinds.js";

export const stateWords = ({ state }) => t(`webhooks.states.${state}`);

/** Why it is disabled, or since when nothing was delivered; `null` when all is well. */
export function whyWords({ state, reason, failing_since: since }) {
  const values = { since: since ? datetime(since) : "" };
  if (state === "disabled") return t(`webhooks.reasons.${reason}`, values);
  return since && state === "active" ? t("webhooks.failing", values) : null;
}

export const kindsWords = ({ events }) => (events ? events.map(kindWords).join(", ") : t("webhooks.all_kinds"));

/** How many people's events wait behind one that is tried again; `null` when nobody's do. */
export const heldWords = ({ held_people: held }) => (held > 0 ? t("webhooks.held", { count: number(held) }) : null);
