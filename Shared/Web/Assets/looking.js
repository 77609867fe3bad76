// Pages that look again and again how things stand.

import { told } from "./dom.js";

/**
 * Looks every so many milliseconds, and as soon as the page is seen again or the network is back; not while nobody sees the
 * page. What asks while a look goes on is answered by one more look after it: that one may be failing on what has just changed.
 * `lost(error)` tells what fails; the notice that it may return is taken away when a look has succeeded again. Returns what looks
 * at once.
 */
export function keepLooking(look, every, lost = told) {
  let [isLooking, isAsked, notice] = [false, false, undefined];
  async function once() {
    isAsked = isLooking;
    if (isLooking) return;
    isLooking = true;
    try {
      await look();
      notice?.remove();
      notice = undefined;
    } catch (error) {
      notice = lost(error);
    } finally {
      isLooking = false;
    }
    if (isAsked) await once();
  }
  const again = () => document.visibilityState === "visible" && once();
  setInterval(() => isLooking || again(), every);
  document.addEventListener("visibilitychange", again);
  addEventListener("online", again);
  return once;
}
