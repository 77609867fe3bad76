"""Firefox as a person uses it, driven by Marionette: Debian 12 has no geckodriver for Selenium."""

import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

from marionette_driver.errors import StaleElementException
from marionette_driver.marionette import Marionette

from browser import Browser
from suite import BASE

START_SECONDS_MAX = 60
# What a page logs; messages of the browser about itself are not the page's.
PAGE_FAULTS = """
    const faults = Services.console.getMessageArray()
      .filter((line) => line instanceof Ci.nsIScriptError && line.sourceName.startsWith(arguments[0]))
      .map((line) => line.errorMessage);
    Services.console.reset();
    return faults;
"""


class Driver:
    """What the tests use of a Selenium driver, over Marionette."""

    def __init__(self, marionette):
        self._marionette = marionette

    def get(self, address):
        self._marionette.navigate(address)

    @property
    def title(self):
        return self._marionette.title

    @property
    def page_source(self):
        return self._marionette.page_source

    def find_elements(self, by, target):
        return self._marionette.find_elements(by, target)

    def find_element(self, by, target):
        return self._marionette.find_element(by, target)

    def execute_script(self, script, *arguments):
        return self._marionette.execute_script(script, script_args=arguments, sandbox=None)

    def execute_async_script(self, script, *arguments):
        return self._marionette.execute_async_script(script, script_args=arguments, sandbox=None)

    def delete_all_cookies(self):
        self._marionette.delete_all_cookies()


class Firefox(Browser):
    stale = (StaleElementException,)

    def __init__(self, size="desk", language="it", theme="light"):
        self.name = f"firefox-{language}-{theme}"
        self._downloads = tempfile.TemporaryDirectory()
        self._profile = pathlib.Path(tempfile.mkdtemp())
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        settings = {
            "marionette.port": port, "intl.accept_languages": language, "ui.prefersReducedMotion": 1,
            "ui.systemUsesDarkTheme": int(theme == "dark"), "browser.download.folderList": 2,
            "browser.download.dir": self._downloads.name, "browser.download.alwaysOpenPanel": False,
            # It asks no host but the suite.
            "app.update.enabled": False, "browser.safebrowsing.update.enabled": False,
            "datareporting.policy.dataSubmissionEnabled": False, "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False, "services.settings.server": "data:,#remote-settings-dummy/v1",
        }
        as_script = lambda value: {True: "true", False: "false"}[value] if isinstance(value, bool) else (
            str(value) if isinstance(value, int) else f'"{value}"')
        (self._profile / "user.js").write_text(
            "".join(f'user_pref("{name}", {as_script(value)});\n' for name, value in settings.items()))
        self._process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", str(self._profile)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            self._marionette = Marionette(host="127.0.0.1", port=port)
            self._marionette.raise_for_port(timeout=START_SECONDS_MAX)
            self._marionette.start_session()
            self._marionette.set_context("content")
            self._marionette.switch_to_window(self._marionette.window_handles[0])
            self._marionette.timeout.page_load = 30
            self._marionette.timeout.script = 30
        except BaseException:
            self.close()
            raise
        self.driver = Driver(self._marionette)

    def close(self):
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._downloads.cleanup()
        shutil.rmtree(self._profile, ignore_errors=True)

    def accept(self):
        self._marionette.switch_to_alert().accept()

    def faults(self, expected=()):
        with self._marionette.using_context("chrome"):
            faults = self._marionette.execute_script(PAGE_FAULTS, script_args=(BASE,))
        # Firefox says these, too, of a page that is left before it is there; what is lacking fails Chromium's tests.
        left = ("Loading failed for the module", "A ServiceWorker intercepted the request")
        return [fault for fault in faults if not any(text in fault for text in (*left, *expected))]
