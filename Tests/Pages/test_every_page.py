"""NFR-08: every page, in both languages, themes and sizes: accessible, within the window, without a fault."""

import itertools
import random
import unittest
from datetime import datetime, timedelta, timezone

from browser import LANGUAGES, SCREENSHOTS, SIZES, THEMES, Browser
from suite import Device, accepted_request, call, current_run, demo, enrol, eventually, new_individual, new_third_party, pay, priced_request, token
from test_runner import made_run

OPEN = ["/", "/login", "/confirm", "/forgot", "/reset", "/parent", "/receipt", "/tour", "/register", "/register/third-party", "/register/organiser", "/terms", "/help",
        "/runs", "/developers", "/sos/contact"]
INDIVIDUAL = ["/today", "/measurements/heart-rate", "/measurements/steps?span=month", "/measurements/activity", "/week",
              "/places", "/imports", "/my-data", "/requests", "/access-log", "/inbox", "/devices", "/authorize", "/account", "/leave", "/tour",
              "/sos", "/sos/enrol", "/sos/contacts", "/sos/limits", "/my-runs", "/organise", "/organise/new"]
THIRD_PARTY = ["/data-requests", "/data-events", "/group-requests", "/webhooks", "/mailing", "/payments", "/clients", "/account", "/leave", "/tour"]

# Each two of size, language and theme together; for pictures all three.
LOOKS = list(itertools.product(SIZES, LANGUAGES, THEMES)) if SCREENSHOTS else [
    ("phone", "it", "light"), ("phone", "en", "dark"), ("desk", "it", "dark"), ("desk", "en", "light")]


class EveryPage(unittest.TestCase):
    def walk(self, browser, paths):
        for path in paths:
            with self.subTest(path=path, browser=browser.name):
                browser.open(path)
                browser.settle()
                # Who is not enrolled in AutomatedSOS is told so with 404, which the browser logs; so is who comes without an application.
                absent = {"/authorize": ("/accounts/v1/authorizations/",)}
                expected = ("/dispatcher/v1/",) if path.startswith("/sos") else absent.get(path, ())
                self.assertEqual(browser.faults(expected), [])
                self.assertEqual(browser.violations(), [])
                self.assertLessEqual(browser.overflow(), 0)
                self.assertTrue(browser.driver.title.endswith("– TrackMe"), browser.driver.title)
                browser.picture(path.strip("/").replace("/", "-").split("?")[0] or "home")

    def own_run(self, organiser):
        """The code of a run that is cancelled in the end."""
        day = (datetime.now() + timedelta(days=20)).strftime("%Y-%m-%d")
        run = call("POST", "/track4run/v1/runs", {
            "name": "Corsa delle pagine", "place": "Isola del Giglio",
            "path": {"type": "LineString", "coordinates": [[10.9, 42.36], [10.91, 42.36], [10.91, 42.37]]},
            "start": f"{day}T08:00:00Z", "end": f"{day}T10:00:00Z", "enrolment_deadline": f"{day}T07:00:00Z",
            "participants_max": 50}, token(organiser))["code"]
        # A token of then: those of now have ended by the end.
        self.addCleanup(lambda: call("DELETE", f"/track4run/v1/runs/{run}", token=token(organiser)))
        return run

    def short_run(self, organiser):
        """The code of a run that is over soon: 110 m, which take 16 seconds at least."""
        access, path = token(organiser), [[12.9, 43.9], [12.9014, 43.9]]
        end = datetime.now(timezone.utc) + timedelta(seconds=40)
        return made_run(
            access, timedelta(seconds=10), path={"type": "LineString", "coordinates": path},
            checkpoints=[{"name": "Ponte", "coordinates": path[1]}], end=end.isoformat())["code"]

    def company(self):
        """A company that has something to pay and something paid, and a webhook that nobody answers, and pages with these."""
        company, (owing, paid) = new_third_party(), demo("Individuals")[5:7]
        requests = [priced_request(self, person, company) for person in (owing, paid)]
        pay(requests[1], company)
        # Nobody listens there.
        session = token(company)
        hook = call("POST", "/query/v1/webhooks", {"url": "http://127.0.0.1:1/", "description": "Prova", "payload": "thin"}, session)["id"]
        self.addCleanup(lambda: call("DELETE", f"/query/v1/webhooks/{hook}", token=token(company)))
        call("POST", f"/query/v1/webhooks/{hook}/test", token=session)
        call("POST", f"/query/v1/webhooks/{hook}/secret", token=session)
        return company, ["/webhooks", f"/webhooks/{hook}", "/mailing", "/payments", "/data-requests", f"/data-requests/{requests[0]}"]

    def wearer(self):
        """A person whom AutomatedSOS watches, with a contact and a test call, and the pages of that."""
        person = new_individual()
        session = token(person)
        call("POST", "/accounts/v1/devices", {"code": Device("Orologio", ["heart-rate", "position"]).code}, session)
        enrol(session, contacts=[{"name": "Luca", "phone": f"+39333{random.randrange(10**7):07}", "email": f"luca.{person}"}])
        self.addCleanup(lambda: call("DELETE", "/dispatcher/v1/enrolment", token=token(person)))
        incident = call("POST", "/dispatcher/v1/exercise", token=session)["id"]
        return person, ["/sos", "/sos/enrol", "/sos/contacts", "/sos/limits", f"/sos/incidents/{incident}"]

    def ways(self):
        """Who sees which pages: log-in, the page after it, paths."""
        individual, third_party, organiser = demo("Individuals")[0], demo("Third party")[0], demo("Organiser")[0]
        request = accepted_request(self, demo("Individuals")[10], third_party, ["heart-rate", "position"])
        (company, paths), (wearer, watched) = self.company(), self.wearer()
        return [(individual, "/today", INDIVIDUAL),
                (third_party, "/data-requests", THIRD_PARTY + [f"/data-requests/{request}"]),
                (company, "/data-requests", paths),
                (wearer, "/today", watched),
                (organiser, "/organise", [f"/organise/{self.own_run(organiser)}"])]

    def test_pages(self):
        ways = self.ways()
        run, over = current_run()["code"], self.short_run(demo("Organiser")[0])
        for look in LOOKS:
            browser = Browser(*look)
            try:
                self.walk(browser, OPEN + [f"/runs/{run}"])
                for login, home, paths in ways:
                    browser.log_in(login, to=home)
                    browser.settle()
                    # Who is new has no score.
                    self.assertEqual(browser.faults(("/ingestion/v1/me/health ",)), [])
                    self.walk(browser, paths)
                    browser.driver.delete_all_cookies()
                # It went by while the others were looked at.
                eventually("the end of a run", lambda: call("GET", f"/track4run/v1/runs/{over}")["state"] == "past", 60)
                self.walk(browser, [f"/runs/{over}"])
            finally:
                browser.close()

    def test_reflow(self):
        """WCAG 1.4.10: at 320 pixels nothing has to be scrolled sideways."""
        browser = Browser("phone")
        self.addCleanup(browser.close)
        browser.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": True})
        for login, home, paths in self.ways():
            browser.log_in(login, to=home)
            for path in OPEN + paths:
                with self.subTest(path=path):
                    browser.open(path)
                    browser.settle()
                    self.assertLessEqual(browser.overflow(), 0)
            browser.driver.delete_all_cookies()
