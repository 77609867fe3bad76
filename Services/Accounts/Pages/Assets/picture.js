// The own picture. The browser turns it upright, cuts the middle out of it and makes it small, so that a phone's large file is
// none on the way.

import { call } from "../web/api.js";
import { find, notice } from "../web/dom.js";
import { handle, mark } from "../web/form.js";
import { busy } from "../web/touches.js";
import { t } from "../web/words.js";

const place = "/accounts/v1/me/picture";
const side = 512;
const quality = 0.85;

/** `changedAt`: when the picture was put there, of a person who has one. Companies have no place for one. */
export function showPicture(changedAt) {
  if (!find("#picture-form")) return;
  show(changedAt);
  handle(find("#picture-form"), "picture", put);
  find("#picture-remove").addEventListener("click", ({ currentTarget }) => busy(currentTarget, async () => {
    await call(place, { method: "DELETE" });
    show(null);
    notice(t("picture.removed"), "good");
  }));
}

function show(changedAt) {
  const image = find("#picture");
  // Another address for another picture, since the browser keeps what one address has shown.
  if (changedAt) image.src = `${place}#${changedAt}`;
  else image.removeAttribute("src");
  image.hidden = !changedAt;
  find("#picture-none").hidden = Boolean(changedAt);
  find("#picture-remove").hidden = !changedAt;
}

async function put(_, form) {
  const { file } = form.elements;
  let body;
  try {
    body = await small(file.files[0]);
  } catch {
    mark(form, "file", t("picture.fault.unreadable"));
    return;
  }
  await call(place, { method: "PUT", body, headers: { "Content-Type": body.type } });
  form.reset();
  show(new Date().toISOString());
  notice(t("picture.saved"), "good");
}

async function small(file) {
  const whole = await createImageBitmap(file);
  const cut = Math.min(whole.width, whole.height);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.min(side, cut);
  canvas.getContext("2d").drawImage(
    whole, (whole.width - cut) / 2, (whole.height - cut) / 2, cut, cut, 0, 0, canvas.width, canvas.height);
  whole.close();
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject()), "image/jpeg", quality));
}
