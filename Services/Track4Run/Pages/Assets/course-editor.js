// Drawing a course (RUN-02): on the map, from a GPX file, or as a list of coordinates. All three edit the same points, and
// each step can be taken back.

import { element, find, notice, told } from "../web/dom.js";
import { mark, unmark } from "../web/form.js";
import { placesFor } from "../web/places.js";
import { number, t } from "../web/words.js";
import {
  distances, fault, passages, pointAt, project, readGPX, readList, readPoint, rounded, thinned, writeList,
} from "./course.js";
import { drawingMap } from "./drawing-map.js";

const stepsMax = 100;
const fileBytesMax = 20e6;
/** Metres within which a file's points are left out, and that no two kept ones are apart without need. */
const [tolerance, gapMax] = [2, 1000];

const word = (key, values) => t(`run-form.${key}`, values);
const without = (list, index) => list.filter((_, other) => other !== index);
const inserted = (list, index, item) => [...list.slice(0, index), item, ...list.slice(index)];

/**
 * The course of the form `form`. `limits` are the service's, `seconds()` says how long the run lasts, if that is known;
 * `changed()` is called when the course has changed. Returns the course, and how to put another one in its place.
 */
export function courseEditor(form, limits, seconds, changed) {
  let course = { points: [], checkpoints: [] };
  let chosen = null;
  let isPlacing = false;
  /** The first line of the list that is no point. Until it is put right the list is not written over. */
  let wrongLine = 0;
  const steps = [];
  const { path: list, where, gpx, km } = form.elements;
  const [length, chosenText, chosenActs, checkpoints] = ["course-length", "chosen", "chosen-acts", "checkpoints"].map((id) => find(`#${id}`));
  const placing = find("#place-checkpoint");
  const ground = find("#map");
  const map = drawingMap(ground, word("map_label"), {
    tapped: tap, taken: choose, moved: move, crowded: (isCrowded) => (find("#crowded").hidden = !isCrowded),
  });

  function tell(field, text) {
    unmark(field);
    if (text) mark(form, field.id, text);
  }

  /** Tells the length, and of the list of coordinates whether the course can be sent. */
  function check() {
    const { points } = course;
    const [key, values] = fault(points, seconds(), limits) ?? [];
    const problem = wrongLine > 0 ? word("wrong_line", { line: wrongLine }) : key ? word(`impossible.${key}`, values) : "";
    list.setCustomValidity(problem);
    const along = (distances(points).at(-1) ?? 0) / 1000;
    const text = points.length === 0 ? word("no_course")
      : [word("length", { km: number(along, 2), points: number(points.length) }), problem].filter(Boolean).join(" ");
    if (length.value !== text) length.value = text;
  }

  function draw() {
    map.show(course, chosen);
    chosenActs.hidden = chosen === null;
    chosenText.textContent = isPlacing ? word("tap_checkpoint") : chosen === null ? "" : word("chosen", { number: chosen + 1 });
    placing.setAttribute("aria-pressed", String(isPlacing));
  }

  function show(next) {
    [course, chosen, isPlacing] = [next, null, false];
    list.value = writeList(course.points);
    for (const field of [list, gpx]) tell(field, "");
    drawCheckpoints();
    draw();
    check();
    changed();
  }

  /** Makes a step, which can be taken back. `false` while the list holds what is no point: it would be lost. */
  function change(next) {
    if (wrongLine > 0) {
      tell(list, word("wrong_line", { line: wrongLine }));
      list.focus();
      return false;
    }
    steps.push(course);
    if (steps.length > stepsMax) steps.shift();
    show(next);
    return true;
  }

  const changePoints = (points) => change({ ...course, points });

  function tap(at) {
    const { points } = course;
    if (isPlacing) placeCheckpoint(project(points, at).along);
    else if (chosen === null) changePoints([...points, rounded(at)]);
    else move(chosen, at);
  }

  function move(index, at) {
    // The map goes back to what is known when the step cannot be made.
    if (!changePoints(course.points.map((point, other) => (other === index ? rounded(at) : point)))) draw();
  }

  function choose(index) {
    if (isPlacing) return tap(course.points[index]);
    chosen = chosen === index ? null : index;
    draw();
  }

  const on = (selector, act) => find(selector).addEventListener("click", act);
  on("#undo", () => {
    // A list that cannot be read is a step that was not made: before it stands the course.
    const isWrong = wrongLine > 0 && course.points.length > 0;
    if (!isWrong && steps.length === 0) return notice(word("no_step"));
    wrongLine = 0;
    show(isWrong ? course : steps.pop());
  });
  on("#back-to-start", () => (course.points.length > 1
    ? changePoints([...course.points, course.points[0]]) : notice(word("course_first"), "bad")));
  on("#clear", () => course.points.length > 0 && change({ points: [], checkpoints: [] }));
  on("#remove-point", () => {
    changePoints(without(course.points, chosen));
    ground.focus({ preventScroll: true });
  });
  on("#insert-point", () => {
    const { points } = course;
    const [from, to] = [chosen, Math.min(chosen + 1, points.length - 1)].map((index) => points[index]);
    const added = chosen + 1;
    if (changePoints(inserted(points, added, rounded([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2])))) choose(added);
  });
  on("#keep-point", () => {
    choose(chosen);
    ground.focus({ preventScroll: true });
  });

  // The list. It is read when the field is left.
  list.addEventListener("change", () => {
    const { points, wrong } = readList(list.value);
    wrongLine = 0;
    if (wrong === 0) {
      changePoints(points.map(rounded));
      return map.fit();
    }
    wrongLine = wrong;
    tell(list, word("wrong_line", { line: wrong }));
    check();
  });

  // A file. Only its coordinates are read; it is not sent.
  gpx.addEventListener("change", async () => {
    const [file] = gpx.files;
    if (!file) return;
    tell(gpx, "");
    if (file.size > fileBytesMax) return tell(gpx, word("file_too_large", { megabytes: fileBytesMax / 1e6 }));
    let [points, wrong] = [];
    try {
      ({ points, wrong } = readGPX(await file.text()));
    } catch {
      return tell(gpx, word("file_unreadable"));
    }
    if (points.length < 2) return tell(gpx, word("file_without_course"));
    const kept = thinned(points, tolerance, gapMax).map(rounded);
    if (!change({ points: kept, checkpoints: [] })) return;
    gpx.value = "";
    map.fit();
    const read = word("file_read", { all: number(points.length + wrong), kept: number(kept.length) });
    if (wrong === 0) notice(read, "good");
    else notice(`${read} ${word("file_points_left_out", { count: number(wrong) })}`, "bad");
  });

  // What the map shows.
  async function go() {
    const asked = where.value.trim();
    const at = readPoint(asked);
    const [place] = at || asked === "" ? [] : await placesFor(asked);
    tell(where, at || place ? "" : word("wrong_place"));
    if (place) notice(word("found", { name: place.name }));
    if (at || place) map.go(at ?? [place.longitude, place.latitude]);
    else where.focus();
  }
  on("#go", () => go().catch(told));
  on("#here", () => navigator.geolocation.getCurrentPosition(
    ({ coords }) => map.go([coords.longitude, coords.latitude]), () => notice(word("no_position"), "bad")));

  // Checkpoints.
  on("#place-checkpoint", () => {
    if (course.points.length < 2) return notice(word("course_first"), "bad");
    [isPlacing, chosen] = [!isPlacing, null];
    draw();
  });

  function placeCheckpoint(along) {
    if (course.checkpoints.length >= limits.checkpointsMax) {
      return notice(word("checkpoints_full", { checkpoints: limits.checkpointsMax }), "bad");
    }
    const next = passages(course, limits).findIndex((known) => known !== null && known > along);
    const index = next < 0 ? course.checkpoints.length : next;
    const checkpoint = { name: "", coordinates: pointAt(course.points, along) };
    if (change({ ...course, checkpoints: inserted(course.checkpoints, index, checkpoint) })) find(`#checkpoint-${index}`).focus();
  }

  function placeAt() {
    const along = Number(km.value.trim().replace(",", ".") || Number.NaN) * 1000;
    const isOn = along >= 0 && along <= (distances(course.points).at(-1) ?? -1);
    tell(km, isOn ? "" : word("wrong_km"));
    if (!isOn) return km.focus();
    km.value = "";
    placeCheckpoint(along);
  }
  on("#place-at", placeAt);

  /** A row for each checkpoint. Their places in the list are those in what the service is sent. */
  function drawCheckpoints() {
    const passed = passages(course, limits);
    checkpoints.replaceChildren(...course.checkpoints.map(({ name }, index) => {
      const id = `checkpoint-${index}`;
      const field = element("input", {
        id, name: `checkpoints.${index}.name`, value: name, autocomplete: "off", "aria-describedby": `${id}-hint`,
      });
      const judge = () => field.setCustomValidity(
        passed[index] === null ? word("off_course") : field.value.trim() === "" ? word("unnamed") : "");
      judge();
      field.addEventListener("input", () => {
        judge();
        const named = course.checkpoints.map((known, other) => (other === index ? { ...known, name: field.value } : known));
        course = { ...course, checkpoints: named };
        map.show(course, chosen);
      });
      return element("li", {}, element("div", { class: "field" },
        element("label", { for: id }, word("checkpoint_name", { number: index + 1 })),
        element("p", { class: "hint", id: `${id}-hint` },
          passed[index] === null ? word("off_course") : word("at", { km: number(passed[index] / 1000, 2) })), field),
      element("button", {
        type: "button", class: "second", onclick: () => {
          if (change({ ...course, checkpoints: without(course.checkpoints, index) })) placing.focus();
        },
      }, word("remove_checkpoint", { number: index + 1 })));
    }));
  }

  // Enter does what stands beside the field, and does not send the form.
  for (const [field, act] of [[where, () => go().catch(told)], [km, placeAt]]) {
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      act();
    });
  }

  check();
  draw();
  return {
    check,
    get course() {
      return course;
    },
    /** Begins with another course. */
    begin(other) {
      steps.length = 0;
      show(other);
      map.fit();
    },
  };
}
