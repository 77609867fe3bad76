// The reference receiver's page: what has come, on a map and as a list, and the answers of the people who look at it.

import { card, draw, nameOf } from "./card.js";
import { incidentMap } from "./map.js";
import { soundFor, sounds } from "./sound.js";
import { changeLanguage, find, hasWord, language, number, t } from "./words.js";

/** The program says something every 15 s. */
const silenceMax = 40_000;
const cards = new Map();
const told = new Set();

for (const place of document.querySelectorAll("[data-word]")) place.textContent = t(place.dataset.word);
find("#language").textContent = t("other_language");
find("#language").lang = language === "it" ? "en" : "it";
find("#language").addEventListener("click", changeLanguage);
document.title = t("title");
find("#page").hidden = false;
sounds();

function choose(id) {
  const own = cards.get(id);
  if (!own) return;
  for (const other of cards.values()) other.classList.toggle("chosen", other === own);
  own.focus();
}

const map = await incidentMap(choose);

/** A second press while the first is on its way does nothing. */
async function act(button, id, word, body) {
  if (button.getAttribute("aria-disabled") === "true") return;
  button.setAttribute("aria-disabled", "true");
  find("#failure").textContent = "";
  try {
    const answer = await fetch(`/incidents/${id}/${word}`, {
      method: "POST", headers: { "Ambulance-Request": "page", "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    if (answer.ok) return;
    const { code = "" } = await answer.json().catch(() => ({}));
    find("#failure").textContent = hasWord(`failures.${code}`) ? t(`failures.${code}`) : t("failures.other", { status: answer.status });
  } catch {
    find("#failure").textContent = t("no_connection");
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

function show({ incidents, more }) {
  const waiting = incidents.filter(({ state }) => state === "waiting");
  const text = t("count", { waiting: number(waiting.length), all: number(incidents.length + more) });
  if (find("#count").textContent !== text) find("#count").textContent = text;
  document.title = waiting.length > 0 ? `(${waiting.length}) ${t("title")}` : t("title");
  find("#none").hidden = incidents.length > 0;
  find("#more").hidden = more === 0;
  find("#more").textContent = t("more", { count: number(more) });
  const known = new Set(incidents.map(({ id }) => id));
  for (const [id, own] of cards) {
    if (known.has(id)) continue;
    own.remove();
    cards.delete(id);
  }
  const list = find("#incidents");
  incidents.forEach((incident, place) => {
    const own = cards.get(incident.id) ?? card(incident.id);
    cards.set(incident.id, own);
    draw(own, incident, act);
    // Moved only when it has to be: what is moved loses the focus.
    if (list.children[place] !== own) list.insertBefore(own, list.children[place] ?? null);
  });
  announce(waiting);
  soundFor(waiting.length, waiting.every(({ is_exercise: isExercise }) => isExercise));
  map.show(incidents.filter(({ message }) => message?.position).map((incident) => ({
    id: incident.id, at: [incident.message.position.latitude, incident.message.position.longitude], accuracy: incident.message.position.accuracy_m,
    name: nameOf(incident), state: incident.state,
  })));
}

/** New ones are told to whoever does not see the page. */
function announce(waiting) {
  const fresh = waiting.filter(({ id }) => !told.has(id));
  for (const { id } of fresh) told.add(id);
  if (fresh.length > 0) find("#news").textContent = fresh.map((one) => t(one.is_exercise ? "new_exercise" : "new", { name: nameOf(one) })).join(" ");
}

let silence;
function connect() {
  const events = new EventSource("/events");
  const lost = () => (find("#connection").hidden = false);
  const heard = () => {
    find("#connection").hidden = true;
    clearTimeout(silence);
    silence = setTimeout(() => {
      lost();
      events.close();
      connect();
    }, silenceMax);
  };
  events.addEventListener("board", ({ data }) => {
    heard();
    show(JSON.parse(data));
  });
  events.addEventListener("still", heard);
  events.addEventListener("error", () => {
    lost();
    if (events.readyState !== EventSource.CLOSED) return;
    clearTimeout(silence);
    silence = setTimeout(connect, 2000);
  });
}
connect();
