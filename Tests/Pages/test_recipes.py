"""The page of recipes for third parties, and an external tester of the published document: with what anybody has."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from datetime import datetime, timedelta, timezone

from suite import BASE, STATE, call, eventually, new_third_party, token, variables

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MARK = "# => "


def segments(text):
    """The shell commands of a page, each with the lines that it prints, or `None` where the page does not say it."""
    for block in re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        commands, expected = [], []
        for line in block.splitlines():
            if line.startswith(MARK):
                expected.append(line.removeprefix(MARK))
                continue
            if expected:
                yield "\n".join(commands), expected
                commands, expected = [], []
            commands.append(line)
        if commands:
            yield "\n".join(commands), expected or None


def faults(text, directory, environment, seconds=300):
    """Runs the page in one shell; what did not come out as it says."""
    parts = list(segments(text))
    script = "set -euo pipefail\n" + "".join(
        f"{{\n{commands}\n}} >'{directory}/out.{number}'\n" for number, (commands, _) in enumerate(parts))
    done = subprocess.run(["bash", "-c", script], cwd=directory, env=environment, capture_output=True, text=True, timeout=seconds)
    found = []
    for number, (commands, expected) in enumerate(parts):
        file = directory / f"out.{number}"
        if not file.exists():
            found.append(f"not reached: {commands}")
            continue
        printed = file.read_text()
        if expected is not None:
            pattern = "\n".join(".*".join(map(re.escape, line.split("…"))) for line in expected)
            if not re.fullmatch(pattern, printed.strip("\n")):
                found.append(f"{commands}\nprints\n{printed[:2000]}\nand not\n{expected}")
    if done.returncode:
        found.append(f"ends with {done.returncode}: {done.stderr[-2000:]}")
    return found


class Recipes(unittest.TestCase):
    def run_page(self, text, **variables):
        with tempfile.TemporaryDirectory() as directory:
            return faults(text, pathlib.Path(directory), {"PATH": "/usr/bin:/bin", **variables})

    def test_every_recipe(self):
        """NFR-09 REQ-01a REQ-05a REQ-10c REQ-12ab SUB-01b SUB-02abc: from the token to the webhook by copying the page."""
        text = (REPOSITORY / "Services/Query/RECIPES.md").read_text()
        parts = list(segments(text))
        self.assertGreater(sum(expected is not None for _, expected in parts), 25)
        self.assertEqual(text.count("```sh\n") * 2, text.count("```"), "a block that is not run")
        self.assertEqual(self.run_page(text, SANDBOX=str(STATE / "sandbox.sh")), [])

    def test_what_a_page_says_is_looked_at(self):
        """A wrong line, a command that fails and one that is not reached are found; what is printed before is kept."""
        page = "```sh\nA=$(echo one)\necho $A two\n# => one …\n```\nand\n```sh\necho $A\n# => {}\n{}\necho end\n# => end\n```\n"
        self.assertEqual(self.run_page(page.format("one", "true")), [])
        self.assertIn("and not\n['two']", self.run_page(page.format("two", "true"))[0])
        broken = self.run_page(page.format("one", "false"))
        self.assertEqual([fault.split()[0] for fault in broken], ["false", "ends"])


class External(unittest.TestCase):
    """Schemathesis makes requests of the document, right ones and wrong ones, and looks at the answers."""
    CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    SEED = 118

    @classmethod
    def setUpClass(cls):
        cls.document = call("GET", "/query/openapi.json")
        cls.company = token(new_third_party())
        client = call("POST", "/accounts/v1/clients", {"name": "External tester", "scopes": ["requests"]}, cls.company)
        cls.program = call("POST", "/accounts/v1/oauth/token", form={
            "grant_type": "client_credentials", "client_id": client["client_id"], "client_secret": client["client_secret"]})["access_token"]
        cls.person = variables("sandbox.sh")["WALKS"]
        cls.request = call("POST", "/query/v1/requests", {
            "email": cls.person, "data_types": ["heart-rate", "position"], "from": "2025-01-01T00:00:00Z",
            "to": (datetime.now(timezone.utc) + timedelta(days=7)).isoformat(), "mode": "subscription", "reason": "A tester"}, cls.program)["id"]
        path = f"/query/v1/requests/{cls.request}"
        eventually("the acceptance", lambda: call("GET", path, token=cls.program)["state"] == "accepted", 60)
        eventually("data", lambda: call("GET", path + "/data", token=cls.program)["series"])
        cls.event = call("GET", "/query/v1/events?limit=1", token=cls.program)["events"][0]["id"]
        # Nobody listens there.
        cls.webhook = call("POST", "/query/v1/webhooks", {"url": "http://127.0.0.1:1/"}, cls.company)["id"]

    @classmethod
    def tearDownClass(cls):
        # The tester may have ended it.
        path = f"/query/v1/requests/{cls.request}"
        if call("GET", path, token=cls.program)["state"] == "accepted":
            call("DELETE", path, token=cls.program)

    def operations(self, wanted=lambda operation: True):
        """By id; without streams, which do not end: those whose answer is Server-Sent Events."""
        every = [operation for item in self.document["paths"].values() for operation in item.values() if "operationId" in operation]
        return sorted(
            operation["operationId"] for operation in every
            if "text/event-stream" not in operation["responses"].get("200", {}).get("content", {}) and wanted(operation))

    def configuration(self):
        """What there is stands for what the document shows, where nothing is changed by it; and nothing waits."""
        there = [
            (["showARequest", "fetchResultsAgain"], {"path.id": self.request}),
            (["readAPersonsData"], {"path.id": self.request, "query.wait_ms": 10}),
            (["readAllEvents"], {"query.wait_ms": 10}),
            (["readOneEvent"], {"path.id": self.event}),
            (["showAWebhook", "listTheAttemptsOfAWebhook", "replaceTheSecretOfAWebhook", "testAWebhook"], {"path.id": self.webhook}),
        ]
        lines = []
        for names, parameters in there:
            values = ", ".join(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in parameters.items())
            lines += ["[[operations]]", f"include-operation-id = {json.dumps(names)}", f"parameters = {{ {values} }}"]
        # The answer to a method that HTTP servers need not know (RFC 9110 §15.6.2).
        lines += ["[checks.not_a_server_error]", 'expected-statuses = ["2xx", "3xx", "4xx", 501]']
        return "\n".join(lines) + "\n"

    def check(self, bearer, names, examples):
        self.assertGreater(len(names), 0)
        with tempfile.TemporaryDirectory() as directory:
            configuration = pathlib.Path(directory) / "schemathesis.toml"
            configuration.write_text(self.configuration())
            words = [pathlib.Path(sys.executable).with_name("schemathesis"), "--config-file", configuration, "run", f"{BASE}/query/openapi.json"]
            words += ["--checks", self.CHECKS, "--phases", "examples,coverage,fuzzing", "--max-examples", examples, "--seed", self.SEED]
            # Python 3.11 parses in one thread at a time only (python/cpython#106905).
            words += ["--generation-database", "none", "--workers", 1, "--request-timeout", 20, "--no-color", "--warnings", "off"]
            words += ["--header", f"Authorization: Bearer {bearer}"]
            words += [word for name in names for word in ("--include-operation-id", name)]
            done = subprocess.run([str(word) for word in words], cwd=directory, capture_output=True, text=True, timeout=170)
        self.assertEqual(done.returncode, 0, done.stdout[-20_000:] + done.stderr[-2000:])
        # None was left out for a reason of the tester's own.
        self.assertEqual(int(re.search(r"Tested: (\d+)", done.stdout).group(1)), len(names), done.stdout)

    def test_by_a_program(self):
        """NFR-09: no answer to a program of a third party is a fault of the server, or something that the document does not say."""
        self.check(self.program, self.operations(), 12)

    def test_by_somebody_of_the_company(self):
        """NFR-09: nor to somebody who has logged in, of webhooks."""
        self.check(self.company, self.operations(lambda operation: "Webhooks" in operation["tags"]), 12)

    def test_by_a_person(self):
        """NFR-09: nor to a person who is asked for data."""
        self.check(token(self.person), self.operations(), 6)
