// Where this phone is, for who asks for help with it. Only where the reader has allowed it before, and never waited for.

import { find, notice } from "../web/dom.js";
import { t } from "../web/words.js";

/** An older fix says little. */
const options = { enableHighAccuracy: true, maximumAge: 30_000, timeout: 10_000 };

/** `granted`, `prompt` or `denied`; `denied` where the browser cannot tell. */
async function permission() {
  try {
    return (await navigator.permissions.query({ name: "geolocation" })).state;
  } catch {
    return "denied";
  }
}

const fix = () => new Promise((resolve) => navigator.geolocation.getCurrentPosition(
  ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy_m: accuracy }), () => resolve(null), options));

/** As `POST /sos` takes it; `null` where it is not known or not allowed. Nobody is asked. */
export const whereThisIs = async () => ((await permission()) === "granted" ? fix() : null);

/** Shows the button that asks for the permission, as long as it can be asked. */
export async function offerPlace() {
  const box = find("#place");
  box.hidden = (await permission()) !== "prompt";
  find("button", box).addEventListener("click", async () => {
    const isKnown = (await fix()) !== null;
    box.hidden = (await permission()) !== "prompt";
    notice(t(isKnown ? "sos.place_known" : "sos.place_unknown"), isKnown ? "good" : "bad");
  });
}
