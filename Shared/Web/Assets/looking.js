// Pages that look again and again how things stand.

import { notice, told } from "./dom.js";

/**
 * Looks every so many milliseconds, and as soon as the page is seen again or the network is back; not while nobody sees the
 * page, nor while the look before goes on. `lost(error)` tells what fails, `found()` takes that away when it has succeeded
 * again. Returns what looks at once.
 */
export function keepLooking(look, every, { lost = told, found = () => notice("") } = {}) {
  let [isLooking, isLost] = [false, false];
  async function once() {
    if (isLooking) return;
    isLooking = true;
    try {
      await look();
      if (isLost) found();
      isLost = false;
    } catch (error) {
      isLost = true;
      lost(error);
    } finally {
      isLooking = false;
    }
  }
  const again = () => document.visibilityState === "visible" && once();
  setInterval(again, every);
  document.addEventListener("visibilitychange", again);
  addEventListener("online", again);
  return once;
}
