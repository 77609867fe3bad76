"""SOS in the browser: enrolling, the state in one glance, a test call, ending; controls are large (NFR-08d)."""

import re

from browser import PageTest
from suite import demo


class Wearer(PageTest):
    # A test call of one browser's test is still open when the next begins.
    person = 3
    # Before enrolling: 404, which the browser logs.
    expected = ("/dispatcher/v1/",)

    def test_enrol_try_and_leave(self):
        browser = self.browser
        browser.log_in(demo("Individuals")[self.person])
        browser.open("/sos")
        browser.wait_text("Non sei sorvegliato.")
        browser.press("Iscriviti")
        browser.wait_path("/sos/enrol")
        browser.press("Iscriviti o salva")
        browser.wait_text("Per iscriverti devi accettare.")
        browser.fill("Telefono per essere richiamato", "+39 333 1234567")
        browser.fill("Malattie", "asma, ipertensione")
        browser.find("#accepts").click()
        browser.press("Iscriviti o salva")
        browser.wait_path("/sos")
        # Watched, or told that nothing has been measured lately.
        browser.wait(lambda _: re.search("Sei sorvegliato|Non arrivano misure", browser.text("#state")), "a state")
        browser.press("Prova la chiamata")
        browser.wait_text("nessuna ambulanza parte")
        browser.open("/sos/enrol")
        browser.settle()
        self.assertEqual(browser.value("Malattie"), "asma, ipertensione")
        for control in browser.driver.find_elements("css selector", ".large button, .large .button, .large .field > input"):
            if control.is_displayed():
                self.assertGreaterEqual(control.rect["height"], 60, control.text)
        browser.open("/sos")
        browser.press("Smetti la sorveglianza")
        browser.accept()
        browser.wait_text("Non sei sorvegliato.")
