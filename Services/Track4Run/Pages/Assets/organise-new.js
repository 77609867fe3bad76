// A new run.

import { json, requireSession } from "../web/api.js";
import { runForm } from "./run-form.js";

if (requireSession()) {
  runForm(null, (body) => json("/track4run/v1/runs", { method: "POST", body }),
    ({ code }) => location.assign(`/organise/${code}#created`));
}
