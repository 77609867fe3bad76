// A button that does its work when it is held, so that no touch in passing does it; and for whoever cannot hold: a press asks first.

/** So long it has to be held. */
export const holdMilliseconds = 2000;
/** After this long at most browsers tell a press that has been taken up already as a click, too. */
const clickMilliseconds = 500;
const isPressing = ({ key }) => key === "Enter" || key === " ";

/**
 * `begun()` when somebody begins to hold `button`, with a finger, a mouse or a key; then `held()` once it was long enough, or `pressed()`
 * when it was let go before. What assistive technology presses is pressed. `ended()` follows each `begun`.
 */
export function onHoldOrPress(button, { begun, held, pressed, ended }) {
  let [timer, isTold] = [undefined, false];

  function begin() {
    if (timer !== undefined) return;
    button.classList.add("holding");
    timer = setTimeout(() => {
      end();
      held();
    }, holdMilliseconds);
    begun();
  }

  /** Whether it was being held. */
  function end() {
    if (timer === undefined) return false;
    clearTimeout(timer);
    timer = undefined;
    button.classList.remove("holding");
    ended();
    return true;
  }

  /** The click that browsers tell after it is the same press. */
  function passOverClick() {
    isTold = true;
    setTimeout(() => (isTold = false), clickMilliseconds);
  }

  button.addEventListener("pointerdown", ({ isPrimary, button: which, pointerId }) => {
    if (!isPrimary || which !== 0) return;
    // A hand that trembles leaves the button without letting go.
    button.setPointerCapture(pointerId);
    begin();
  });
  button.addEventListener("pointerup", () => {
    passOverClick();
    if (end()) pressed();
  });
  for (const name of ["pointercancel", "lostpointercapture", "blur"]) button.addEventListener(name, () => end());
  document.addEventListener("visibilitychange", () => document.hidden && end());
  // A long touch is meant for the button.
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    if (!isPressing(event)) return;
    event.preventDefault();
    if (!event.repeat) begin();
  });
  button.addEventListener("keyup", (event) => {
    if (!isPressing(event)) return;
    event.preventDefault();
    if (end()) pressed();
  });
  button.addEventListener("click", () => {
    if (isTold) isTold = false;
    else pressed();
  });
}
