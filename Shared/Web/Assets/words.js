// The words of the page's language: those all pages share and those of its service, in one look-up.

const root = document.documentElement;
export const language = root.lang;
/** Whose way of writing numbers and times is used: in English that of Europe, as in what the services write. */
export const locale = language === "en" ? "en-GB" : language;

async function catalogue(name) {
  const answer = await fetch(`${root.dataset.assets}/words/${name}.${language}.json`);
  if (!answer.ok) throw new Error(`the words of ${name} cannot be loaded: ${answer.status}`);
  return answer.json();
}

const catalogues = await Promise.all([catalogue("web"), catalogue(root.dataset.service)]);

function find(key) {
  for (const words of catalogues) {
    const found = key.split(".").reduce((part, name) => part?.[name], words);
    if (typeof found === "string") return found;
  }
  return undefined;
}

/** Whether there is a word for `key`. */
export const hasWord = (key) => find(key) !== undefined;

/** The word for `key` with `{name}` replaced by `values.name`. A key that is missing shows itself, and is told in the console. */
export function t(key, values = {}) {
  const word = find(key);
  if (word === undefined) {
    console.error(`there is no word “${key}”`);
    return key;
  }
  return word.replace(/\{([\w.]+)(?:\|\w+)?\}/g, (_, name) => String(values[name] ?? ""));
}

const numbers = new Map();
/** A number in the reader's way, with at most so many decimals. */
export function number(value, decimals = 0) {
  if (!numbers.has(decimals)) numbers.set(decimals, new Intl.NumberFormat(locale, { maximumFractionDigits: decimals }));
  return numbers.get(decimals).format(value);
}

const clocks = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const dates = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric" });
const both = new Intl.DateTimeFormat(locale, {
  day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});
const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
export const dayAndMonth = (time) => days.format(new Date(time));
export const clock = (time) => clocks.format(new Date(time));
export const date = (time) => dates.format(new Date(time));
export const datetime = (time) => both.format(new Date(time));

const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
/** The reader's calendar day of a time, counted. */
const dayNumber = (time) => Math.floor((new Date(time).setHours(12, 0, 0, 0) - new Date(time).getTimezoneOffset() * 60e3) / 86400e3);
/** How long ago a time is, roughly: “3 minutes ago”; “yesterday” is the calendar's. */
export function ago(time) {
  const seconds = (new Date(time) - Date.now()) / 1000;
  const days = dayNumber(time) - dayNumber(Date.now());
  if (Math.abs(seconds) >= 86400 && days !== 0) return relative.format(days, "day");
  for (const [unit, length] of [["hour", 3600], ["minute", 60]]) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? t("time.now") : relative.format(Math.round(seconds), "second");
}

/** `1:02:03` or `4:05`. */
export function duration(seconds) {
  const whole = Math.round(seconds);
  const two = (value) => String(value).padStart(2, "0");
  return whole >= 3600
    ? `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
    : `${Math.floor(whole / 60)}:${two(whole % 60)}`;
}
