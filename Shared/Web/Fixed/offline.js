// The page for when there is no network: names what can be read without, and gives way when the network is back.

const findAll = (selector) => [...document.querySelectorAll(selector)];
const again = () => location.reload();

// After a little: the network may go again, and the reader may be on the way to another page.
addEventListener("online", () => setTimeout(() => navigator.onLine && again(), 1000));
for (const button of findAll("button")) button.addEventListener("click", again);

const show = (when) => findAll(`[data-when="${when}"]`).forEach((part) => (part.hidden = false));

if (localStorage.getItem("log-out")) show("left");
for (const link of findAll("li a")) {
  if (!(await caches.match(link.href, { ignoreVary: true }))) continue;
  link.parentElement.hidden = false;
  show("seen");
}
