// Kinds of events in words, and choosing among them.

import { findAll } from "../web/dom.js";
import { hasWord, t } from "../web/words.js";

/** A kind that is newer than this page stands as it is called. */
export function kindWords(kind) {
  const key = `data-events.kinds.${kind.replace(".", "-")}`;
  return hasWord(key) ? t(key) : kind;
}

const boxes = () => findAll("#kinds-box input");

export const chosenKinds = () => boxes().filter(({ checked }) => checked).map(({ value }) => value);

/** Checks the boxes of these kinds, and no others. */
export function chooseKinds(kinds) {
  for (const box of boxes()) box.checked = kinds.includes(box.value);
}
