// What is kept of the person: space, which source counts, what is missing, entering by hand, deleting.

import { json, requireSession } from "../web/api.js";
import { told } from "../web/dom.js";
import { prepareDeletion } from "./deletion.js";
import { prepareEntry } from "./entry.js";
import { showSources } from "./sources.js";
import { showTracking } from "./tracking.js";
import { showUsage } from "./usage.js";

if (requireSession()) {
  prepareEntry();
  const deletions = prepareDeletion();
  const devices = json("/accounts/v1/devices").then(({ devices: list }) => list);
  const usage = json("/ingestion/v1/me/usage");
  const latest = json("/ingestion/v1/me/latest");
  await Promise.all([
    showUsage(usage), showSources(devices, usage, latest), showTracking(devices), deletions,
  ].map((shown) => shown.catch(told)));
}
