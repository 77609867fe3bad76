// Sound as long as somebody waits for an answer. Browsers let a page sound only after somebody has pressed something on it.

import { find, t } from "./words.js";

const everyMilliseconds = 2000;
const [alertHertz, exerciseHertz] = [880, 440];
let context = null;
let timer;
let waiting = { count: 0, areExercises: false };

function beep() {
  if (!context || waiting.count === 0) return;
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  tone.frequency.value = waiting.areExercises ? exerciseHertz : alertHertz;
  volume.gain.setValueAtTime(0.3, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.6);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.6);
}

function say() {
  const button = find("#sound");
  button.textContent = t(context ? "sound_on" : "sound_off");
  button.setAttribute("aria-pressed", String(context !== null));
}

export function sounds() {
  say();
  find("#sound").addEventListener("click", async () => {
    if (context) {
      clearInterval(timer);
      await context.close();
      context = null;
    } else {
      context = new AudioContext();
      await context.resume();
      timer = setInterval(beep, everyMilliseconds);
      beep();
    }
    say();
  });
}

/** So many wait for an answer; whether they are test calls alone. A new one is heard at once. */
export function soundFor(count, areExercises) {
  const isMore = count > waiting.count;
  waiting = { count, areExercises };
  if (isMore) beep();
}
