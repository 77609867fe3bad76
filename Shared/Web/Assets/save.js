// Answers of the API that are saved as files.

import { file } from "./api.js";
import { element } from "./dom.js";

/** Saves the answer at `path` under `name`; `accept` is the media type that is asked for. Throws `Refused`. */
export async function save(path, name, accept = "*/*") {
  const address = URL.createObjectURL(await file(path, { headers: { Accept: accept } }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
