// Answers of the API that are saved as files, of which the media type has to be asked for.

import { call, Refused } from "./api.js";
import { element } from "./dom.js";

/** Saves the answer at `path` under `name`; `accept` is the media type. One that is cut off is not saved. Throws `Refused`. */
export async function save(path, name, accept, options = {}) {
  const answer = await call(path, { ...options, headers: { Accept: accept } });
  let content;
  try {
    content = await answer.blob();
  } catch (error) {
    throw error instanceof TypeError ? new Refused(0) : error;
  }
  const address = URL.createObjectURL(content);
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
