"""NFR-08: every page, in both languages, themes and sizes: accessible, within the window, without a fault."""

import unittest

from browser import LANGUAGES, SIZES, THEMES, Browser
from suite import call, demo

OPEN = ["/", "/login", "/confirm", "/tour", "/register", "/register/third-party", "/register/organiser", "/terms", "/help", "/runs"]
INDIVIDUAL = ["/today", "/measurements/heart-rate", "/measurements/steps?span=month", "/requests", "/access-log",
              "/inbox", "/devices", "/account", "/tour", "/sos", "/sos/enrol"]
THIRD_PARTY = ["/data-requests", "/group-requests", "/account", "/tour"]


class EveryPage(unittest.TestCase):
    def walk(self, browser, paths):
        for path in paths:
            with self.subTest(path=path, browser=browser.name):
                browser.open(path)
                browser.settle()
                # Who is not enrolled in AutomatedSOS is told so with 404, which the browser logs.
                self.assertEqual(browser.faults(("/dispatcher/v1/",) if path.startswith("/sos") else ()), [])
                self.assertEqual(browser.violations(), [])
                self.assertLessEqual(browser.overflow(), 0)
                self.assertTrue(browser.driver.title.endswith("– TrackMe"), browser.driver.title)
                browser.picture(path.strip("/").replace("/", "-").split("?")[0] or "home")

    def test_pages(self):
        runs = call("GET", "/track4run/v1/runs")["runs"]
        individual, third_party = demo("Individuals")[0], demo("Third party")[0]
        for size in SIZES:
            for language in LANGUAGES:
                for theme in THEMES:
                    browser = Browser(size, language, theme)
                    try:
                        self.walk(browser, OPEN + [f"/runs/{run['code']}" for run in runs[:1]])
                        browser.log_in(individual)
                        self.walk(browser, INDIVIDUAL)
                        browser.driver.delete_all_cookies()
                        browser.log_in(third_party, to=browser_home("third-party"))
                        self.walk(browser, THIRD_PARTY)
                    finally:
                        browser.close()

    def test_reflow(self):
        """WCAG 1.4.10: at 320 pixels nothing has to be scrolled sideways."""
        browser = Browser("phone")
        self.addCleanup(browser.close)
        browser.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": True})
        browser.log_in(demo("Individuals")[0])
        for path in OPEN + INDIVIDUAL:
            with self.subTest(path=path):
                browser.open(path)
                browser.settle()
                self.assertLessEqual(browser.overflow(), 0)


def browser_home(kind):
    return {"third-party": "/data-requests", "organiser": "/runs", "individual": "/today"}[kind]
