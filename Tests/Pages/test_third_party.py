"""REQ, GRP in the browser of a third party: asking for a person's data, a question about a group."""

import random

from browser import PageTest
from suite import call, demo, token


class ThirdParty(PageTest):
    size = "desk"
    # Nobody has the invented address: 404; too few people: 403.
    expected = ("status of 404", "status of 403")

    def test_ask_for_a_person(self):
        """REQ-01 REQ-02 REQ-12: a person who does not exist, a request that is sent, its state, its end."""
        browser, person = self.browser, demo("Individuals")[4]
        browser.log_in(demo("Third party")[0], to="/data-requests")
        browser.find("summary").click()
        browser.fill("Codice fiscale o e-mail", f"nobody.{random.randrange(10**9)}@example.org")
        browser.find("#type-heart-rate").click()
        browser.fill("Dal", "2026-11-01")
        browser.fill("Al", "2026-11-20")
        reason = f"Controllo {random.randrange(10**6)}"
        browser.fill("Perché li chiedi", reason)
        browser.press("Chiedi", "#ask")
        browser.wait_text("Nessuno è registrato")
        browser.fill("Codice fiscale o e-mail", person)
        browser.press("Chiedi", "#ask")
        browser.wait_text("Richiesta mandata.")
        browser.wait_text(reason, "#requests")
        asked = call("GET", "/query/v1/me/requests", token=token(person))["requests"][0]
        self.assertEqual((asked["reason"], asked["state"], asked["mode"]), (reason, "pending", "once"))
        call("POST", f"/query/v1/me/requests/{asked['id']}/acceptance", {}, token(person))
        browser.open("/data-requests")
        browser.wait_text("Accettata", "#requests")
        browser.press("Scarica (CSV)", "#requests")
        _, *samples = browser.download(".csv").splitlines()
        self.assertIn("heart-rate", samples[0])
        self.assertGreater(len(samples), 1000)
        browser.press("Termina", "#requests")
        browser.driver.switch_to.alert.accept()
        browser.wait_text("La richiesta è terminata.")

    def test_ask_about_a_group(self):
        """GRP-01 GRP-02 GRP-05: the answer with its intervals; a group that is too small is refused in words."""
        browser = self.browser
        browser.log_in(demo("Third party")[0], to="/data-requests")
        browser.open("/group-requests")
        browser.fill("Età, da", "0")
        browser.press("Chiedi", "#ask")
        browser.wait_text("Intervallo 95 %", "#answer")
        self.assertGreater(len(browser.driver.find_elements("css selector", "#rows tr")), 3)
        browser.fill("Età, da", "119")
        browser.press("Chiedi", "#ask")
        browser.wait_text("non riguarda più di mille persone")
        self.assertFalse(browser.has("#answer"))
