// Links to requests: with the request's number until it is known who it is about.

import { json } from "../web/api.js";
import { element, findAll } from "../web/dom.js";

/** Who a request is about, by the request's id; `null` while it is not known. */
const people = new Map();
const links = () => findAll("a[data-request]");

export const requestLink = (id) =>
  element("a", { href: `/data-requests/${id}`, "data-request": id }, people.get(id) ?? id.slice(0, 8));

function name({ id, individual }) {
  people.set(id, individual);
  for (const link of links()) if (link.dataset.request === id) link.textContent = individual;
}

/** Gets who the latest requests are about, by one call. Throws `Refused`. */
export async function learnLatestNames() {
  const { requests } = await json("/query/v1/requests?limit=100");
  requests.forEach(name);
}

let isLearning = false;
/** Gets who the links on the page are about, one after the other; a request that is gone keeps its number. Throws `Refused`. */
export async function learnNames() {
  if (isLearning) return;
  isLearning = true;
  try {
    const unknown = () => links().map(({ dataset }) => dataset.request).find((request) => !people.has(request));
    for (let request = unknown(); request; request = unknown()) {
      people.set(request, null);
      try {
        name(await json(`/query/v1/requests/${request}`));
      } catch (error) {
        if (error.status !== 404) throw error;
      }
    }
  } finally {
    isLearning = false;
  }
}
