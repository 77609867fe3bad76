// The page for when there is no network: names what can be read without, and gives way when the network is back.

const findAll = (selector) => [...document.querySelectorAll(selector)];
const again = () => location.reload();

addEventListener("online", again);
for (const button of findAll("button")) button.addEventListener("click", again);

const show = (when) => findAll(`[data-when="${when}"]`).forEach((part) => (part.hidden = false));

if (localStorage.getItem("log-out")) show("left");
for (const link of findAll("li a")) {
  if (!(await caches.match(link.href, { ignoreVary: true }))) continue;
  link.parentElement.hidden = false;
  show("seen");
}
