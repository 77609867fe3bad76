// The tour, a step at a time. It counts as shown once it is open, and comes back from the help.

import { kind } from "../web/api.js";
import { find, findAll } from "../web/dom.js";
import { t } from "../web/words.js";
import { firstPage, markShown } from "./start.js";

const steps = findAll("#steps > li");
const [next, back] = [find("#next"), find("#back")];
let at = 0;

function show(step) {
  at = step;
  steps.forEach((box, number) => (box.hidden = number !== at));
  find("#place").textContent = t("tour.place", { step: at + 1, steps: steps.length });
  back.hidden = at === 0;
  next.textContent = t(at === steps.length - 1 ? "tour.end" : "tour.next");
}

function turn(step) {
  if (step === steps.length) return location.assign(firstPage(kind()));
  show(step);
  find("h2", steps[at]).focus();
}

next.addEventListener("click", () => turn(at + 1));
back.addEventListener("click", () => turn(at - 1));
find("#skip").addEventListener("click", () => turn(steps.length));
show(0);
find("#acts").hidden = false;
markShown();
