"""A browser as a person uses it: pages by their paths, fields by their labels, and nothing that goes wrong unnoticed."""

import base64
import json
import os
import pathlib
import tempfile
import unittest

import axe_playwright_python
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from suite import BASE, PASSWORD

SIZES = {"phone": (360, 740), "desk": (1280, 800)}
LANGUAGES = ("it", "en")
THEMES = ("light", "dark")
AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
SCREENSHOTS = os.environ.get("TRACKME_PAGES_SCREENSHOTS")
# Not the script in /usr/bin, which does not give way to it: the driver would end the script alone.
PROGRAM = "/usr/lib/chromium/chromium-headless-shell"
# Between two looks at what is waited for.
LOOK_SECONDS = 0.1

# What a person sees of a page, in one question: the driver's own takes one per element. An option is seen where its field is;
# who has no size is seen by what stands in it.
SEEN = """
    const hasSize = (element) => element.getClientRects().length > 0
      && ((({ width, height }) => width > 0 && height > 0)(element.getBoundingClientRect()) || [...element.children].some(hasSize));
    const isShown = (element) => {
      const seen = element.closest("option, optgroup") ? element.closest("select") : element;
      return seen.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && hasSize(seen);
    };
    const shown = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
    const textOf = (element) => element.innerText.replaceAll("\u00a0", " ").trim();
"""


class Browser:
    """Chromium."""

    # What is thrown for an element that the page has removed.
    stale = (StaleElementReferenceException,)

    def __init__(self, size="phone", language="it", theme="light"):
        self.name = f"{size}-{language}-{theme}"
        options = webdriver.ChromeOptions()
        options.binary_location = PROGRAM
        for argument in ("--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", f"--lang={language}",
                         f"--accept-lang={language}", "--force-prefers-reduced-motion"):
            options.add_argument(argument)
        width, height = SIZES[size]
        options.add_argument(f"--window-size={width},{height}")
        if size == "phone":
            options.add_experimental_option(
                "mobileEmulation", {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 1.0}})
        self._downloads = tempfile.TemporaryDirectory()
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": theme}]})
        self.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": self._downloads.name})
        self.driver.set_page_load_timeout(30)

    def close(self):
        self.driver.quit()
        self._downloads.cleanup()

    def open(self, path):
        self.driver.get(BASE + path)

    @property
    def path(self):
        return self.driver.execute_script("return location.pathname")

    def wait(self, found, what):
        """The first true answer of `found(driver)`. While a page gives way to the next its elements go: asked again."""
        wait = WebDriverWait(self.driver, 20, poll_frequency=LOOK_SECONDS, ignored_exceptions=self.stale)
        return wait.until(found, f"{what} on {self.path}")

    def find(self, selector):
        """The first visible element, waited for."""
        return self.wait(lambda driver: driver.execute_script(SEEN + "return shown(arguments[0])[0]", selector), selector)

    def has(self, selector):
        return self.driver.execute_script(SEEN + "return shown(arguments[0]).length > 0", selector)

    def text(self, selector="main"):
        """The text of the first visible element; a table that is drawn anew meanwhile is read again."""
        return self.wait(lambda _: (self.find(selector).text,), f"the text of {selector}")[0]

    def wait_text(self, text, selector="main"):
        self.wait(lambda _: text in self.text(selector), f"“{text}” in {selector}")

    def wait_path(self, path):
        self.wait(lambda _: self.path == path, f"{path}, but")

    def value(self, label):
        """What stands in the field with this label."""
        return self.driver.execute_script("return arguments[0].value", self.field(label))

    def download(self, suffix):
        """The text of the file with this suffix that the browser has downloaded, waited for."""
        return self.downloaded(suffix).read_text()

    def downloaded(self, suffix):
        """The file with this suffix that the browser has downloaded, waited for."""
        def whole(_):
            # Firefox makes an empty file at once, and another one that it writes into.
            files = list(pathlib.Path(self._downloads.name).iterdir())
            is_writing = any(file.suffix in (".part", ".crdownload") for file in files)
            return not is_writing and next((file for file in files if file.name.endswith(suffix) and file.stat().st_size > 0), None)
        return self.wait(whole, f"a download {suffix}")

    def forget_downloads(self):
        """Removes what was downloaded, so that the next file of the same name is told apart."""
        for file in pathlib.Path(self._downloads.name).iterdir():
            file.unlink()

    def field(self, label):
        """The field that the label with this text belongs to, as a person finds it."""
        field = self.driver.execute_script(
            SEEN + "return shown('label').find((one) => textOf(one) === arguments[0])?.control", label)
        if field is None:
            raise AssertionError(f"no field “{label}” on {self.path}")
        return field

    def fill(self, label, text):
        field = self.field(label)
        if field.get_attribute("type") in ("date", "datetime-local"):
            self.driver.execute_script(
                "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
                field, text)
            return
        field.clear()
        field.send_keys(text)

    def choose(self, field, option):
        """Chooses the option with this text or value; the field is an element or its label's text."""
        element = self.field(field) if isinstance(field, str) else field
        for one in element.find_elements(By.TAG_NAME, "option"):
            if option in (one.text.strip(), one.get_attribute("value")):
                one.click()
                return
        raise AssertionError(f"no option “{option}” on {self.path}")

    def press(self, name, within="body"):
        """Presses the button or link with this name; one that is drawn anew meanwhile is looked for again."""
        def pressed(_):
            self._named(name, within).click()
            return True
        self.wait(pressed, f"“{name}”")

    def press_twice(self, name, within="body"):
        """A double press at the place of the button with this name."""
        self.driver.execute_script(
            "const { left, top, width, height } = arguments[0].getBoundingClientRect();"
            "for (let press = 0; press < 2; press++) document.elementFromPoint(left + width / 2, top + height / 2).click();",
            self._named(name, within))

    def _named(self, name, within):
        def named(driver):
            return driver.execute_script(
                SEEN + """
                const found = shown(arguments[0]).find((one) => textOf(one) === arguments[1]);
                found?.scrollIntoView({ block: "center" });
                return found;""", f"{within} button, {within} a", name)
        return self.wait(named, f"“{name}”")

    def accept(self):
        """Answers the question that the page asks."""
        self.driver.switch_to.alert.accept()

    def log_in(self, login, to="/today"):
        self.open("/login")
        self.settle()
        self.driver.find_element(By.ID, "name").send_keys(login)
        self.driver.find_element(By.ID, "password").send_keys(PASSWORD)
        self.find("#login button").click()
        self.wait_path(to)

    def settle(self):
        """Waits until the page has got and shown all it asked for."""
        self.wait(lambda driver: driver.execute_script("return document.readyState") == "complete", "a complete page")
        self.driver.execute_async_script(
            "const done = arguments[0]; const idle = () => requestAnimationFrame(() => setTimeout(done, 50));"
            "let last = -1; const look = () => { const now = performance.getEntriesByType('resource').length;"
            "if (now === last) idle(); else { last = now; setTimeout(look, 150); } }; look();")

    def violations(self):
        """What axe-core finds on the page, WCAG 2.2 AA and best practices."""
        self.driver.execute_script(AXE)
        result = self.driver.execute_async_script(
            "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then(done, e => done({violations: [{id: String(e), nodes: []}]}))")
        return [f"{v['id']}: {v.get('help', '')} {[n['html'][:120] for n in v['nodes'][:3]]}" for v in result["violations"]]

    def overflow(self):
        """By how many pixels the page is wider than the window."""
        return self.driver.execute_script(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def picture(self, name):
        if SCREENSHOTS:
            pathlib.Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
            # Runners are drawn only while their map is looked at.
            self.driver.execute_async_script("""
                document.querySelector("canvas.runners")?.scrollIntoView({ block: "center" });
                setTimeout(arguments[0], 200);""")
            width, height = self.driver.execute_script(
                "const { scrollWidth, scrollHeight } = document.documentElement; return [scrollWidth, scrollHeight]")
            taken = self.driver.execute_cdp_cmd("Page.captureScreenshot", {
                "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": width, "height": min(height, 6000), "scale": 1}})
            pathlib.Path(f"{SCREENSHOTS}/{name}-{self.name}.png").write_bytes(base64.b64decode(taken["data"]))

    def faults(self, expected=()):
        """Messages in the console and requests to other hosts since the last call, but for those expected."""
        found = []
        for line in self.driver.get_log("browser"):
            if line["level"] in ("SEVERE", "WARNING") and not any(text in line["message"] for text in expected):
                found.append(line["message"])
        for line in self.driver.get_log("performance"):
            message = json.loads(line["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith((BASE, "data:", "about:", "chrome")) and not any(text in url for text in expected):
                    found.append(f"request to {url}")
        return found


class PageTest(unittest.TestCase):
    """One browser for a test; a fault in its console fails the test."""

    size, language, theme = "phone", "it", "light"
    new_browser = Browser
    expected = ()

    def setUp(self):
        self.browser = self.new_browser(self.size, self.language, self.theme)
        self.addCleanup(self.browser.close)

    def tearDown(self):
        # A service that has heard nothing of ended sessions for a second refuses third parties, as when the machine is busy for so
        # long; pages ask again, and whatever they show is looked for by the test.
        faults = self.browser.faults((*self.expected, "status of 503"))
        self.assertEqual(faults, [])
