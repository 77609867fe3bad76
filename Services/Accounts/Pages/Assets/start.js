// Where people begin: the first page of each kind of account, and the tour for who is new. That somebody is new is known to
// the browser alone that registered or confirmed the address.

const first = { individual: "/today", "third-party": "/data-requests", organiser: "/organise" };
const place = "tour";

/** The page that an account of this kind begins with. */
export const firstPage = (kind) => first[kind] ?? "/";

export const markNew = () => localStorage.setItem(place, "due");
export const isNew = () => localStorage.getItem(place) === "due";
export const markShown = () => localStorage.removeItem(place);
