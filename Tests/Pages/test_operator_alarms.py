"""SOS-13 at the operators' pages: AutomatedSOS's alarms are seen and acknowledged, and counted where all services are watched."""

import re

from operators import command
from suite import eventually
from test_operator_acts import ActsTest


class Alarms(ActsTest):
    def row(self, browser):
        """The newest row of an alarm that this test has rung."""
        rows = browser.driver.find_elements("css selector", "#alarms tbody tr")
        return next((row for row in rows if "test by the operator" in row.text), None)

    def test_acknowledged(self):
        """SOS-13b: an alarm is rung by the command, seen with its time, and acknowledged under the operator's name."""
        self.assertIn("Rung", command("alarms", "test", service="dispatcher"))
        browser, name, _ = self.accept("desk", "en")
        browser.wait(lambda _: self.row(browser), "the alarm")
        self.assertRegex(browser.text("#alarms-lead"), r"^Open: \d+; acknowledged by nobody: [1-9]")
        act = self.row(browser).find_element("css selector", "button")
        self.assertRegex(act.get_attribute("aria-label"), "^Acknowledge: test by the operator")
        browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", act)
        act.click()
        browser.wait_text("Alarms acknowledged: 1.", "#notices")
        browser.wait(lambda _: f"acknowledged by {name}" in self.row(browser).text, "who has taken notice")
        self.assertEqual(self.row(browser).find_elements("css selector", "button"), [])
        self.assertIn(f"acknowledged by {name}", command("alarms", "show", service="dispatcher"))
        self.assertEqual(browser.violations(), [])
        self.assertEqual(self.faults(browser), [])

        def noted():
            self.read(browser, "Read the latest entries")
            return any((row["Who"], row["What"]) == (f"operator {name}", "acknowledged alarms") for row in self.rows(browser, "audit"))
        eventually("the entry in the audit trail of accounts", noted)
        browser.press("Log out")
        browser.wait(lambda _: not browser.has("#alarms"), "nothing of it")
        self.assertIsNone(self.row(browser))

    def test_watched(self):
        """SOS-13d: where all services are watched stand the open alarms, whether hooks answer, and the last synthetic incident."""
        command("alarms", "test", service="dispatcher")
        self.addCleanup(command, "alarms", "acknowledge", "pages", "all", service="dispatcher")
        browser = self.open("desk", "en")
        found = lambda: {row["Alarm"]: row for row in self.rows(browser, "alarms")}
        browser.wait(lambda _: "test by the operator" in found(), "the alarm")
        self.assertRegex(found()["test by the operator"]["Not acknowledged"], r"^[1-9]\d*$")
        self.assertTrue(re.search(r"nobody has acknowledged: \d+ \(test by the operator\)", browser.text("#attention")))
        # The simulator's hook is not probed.
        self.assertEqual([row["Answers probes"] for row in self.rows(browser, "hooks")], ["–"])
        jobs = {(row["Service"], row["Job"]) for row in self.rows(browser, "jobs")}
        self.assertIn(("dispatcher", "Synthetic incident"), jobs)
