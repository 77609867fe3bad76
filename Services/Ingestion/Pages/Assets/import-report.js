// What became of a file, as the report of an import tells it.

import { element } from "../web/dom.js";
import { hasWord, number, t } from "../web/words.js";
import { table } from "./table.js";

const place = ({ file, line, byte }) => [
  file, line === undefined ? t("imports.report.byte", { byte: number(byte) }) : t("imports.report.line", { line: number(line) }),
].filter(Boolean).join(", ");

/** Why something was skipped, in the reader's language where the reason is known, else as the service says it. */
function reasonWords({ reason, explanation }) {
  if (hasWord(`imports.reasons.${reason}`)) return t(`imports.reasons.${reason}`);
  for (const beginning of ["malformed", "not-collected"]) {
    if (reason.startsWith(`${beginning}-`)) {
      return t(`imports.reasons.${beginning}`, { name: reason.slice(beginning.length + 1) });
    }
  }
  return explanation;
}

/** Samples of the file that were not here before and are now. */
export function newOf({ taken, repeated, dropped, deleted, beyond_quota: beyondQuota }) {
  const all = Object.values(taken).reduce((sum, count) => sum + count, 0);
  return Math.max(0, all - repeated - dropped - deleted - beyondQuota);
}

/** The report as elements. */
export function reportOf(report) {
  const parts = [];
  const taken = Object.entries(report.taken);
  if (taken.length > 0) {
    parts.push(table(t("imports.report.taken"), [t("imports.report.type"), [t("imports.report.count"), "number"]],
      taken.map(([type, count]) => [t(`types.${type}`), number(count)])));
  }
  const sentences = ["repeated", "doubled", "dropped", "deleted", "beyond_quota"].filter((name) => report[name] > 0)
    .map((name) => t(`imports.report.${name}`, { count: number(report[name]) }));
  parts.push(...sentences.map((text) => element("p", {}, text)));
  if (report.skipped.length > 0) {
    parts.push(table(t("imports.report.skipped"),
      [t("imports.report.what"), [t("imports.report.count"), "number"], t("imports.report.where")],
      report.skipped.map((skip) => [
        [skip.type && t(`types.${skip.type}`), reasonWords(skip)].filter(Boolean).join(": "), number(skip.count),
        skip.places.map(place).join("; "),
      ])));
  }
  if (report.failure) {
    parts.push(element("p", { class: "notice bad" },
      t("imports.report.failure", { place: place(report.failure.place), explanation: t(`imports.failures.${report.failure.reason}`) })));
  }
  return parts;
}
