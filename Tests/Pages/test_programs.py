"""ACC-15, NFR-09 in the browser: a company's programs, and the reference of the API, which anybody reads."""

import random

from browser import PageTest
from suite import Refused, call, demo

HEBREW = "\u05e9\u05dc\u05d5\u05dd"


def grant(client, secret):
    return call("POST", "/accounts/v1/oauth/token", form={
        "grant_type": "client_credentials", "client_id": client, "client_secret": secret})


class Programs(PageTest):
    size = "desk"
    # A name that deceives.
    expected = ("status of 422",)

    def test_make_replace_and_remove(self):
        """ACC-15ab: a secret that is shown once and works, a second one, the removal, after which the first is refused."""
        browser = self.browser
        browser.log_in(demo("Third party")[0], to="/data-requests")
        browser.open("/clients")
        browser.press("Crea", "#create")
        browser.wait_text("Scrivi un nome")
        browser.fill("Nome del programma", "Robot \u202e")
        browser.press("Crea", "#create")
        browser.wait_text("Scegli almeno una cosa")
        browser.find("#scope-requests").click()
        browser.press("Crea", "#create")
        browser.wait_text("senza caratteri invisibili")
        name = f"<b>Robot {random.randrange(10**6)}</b> {HEBREW} {'a' * 1000}"[:80]
        browser.fill("Nome del programma", name + "a" * 1000)
        browser.press("Crea", "#create")
        client, secret = browser.text("#client-id"), browser.text("#client-secret")
        browser.wait_text(name, "#clients")
        self.assertLessEqual(browser.overflow(), 0)
        granted = grant(client, secret)
        self.assertEqual(granted["scope"], "requests")
        call("GET", "/query/v1/requests", token=granted["access_token"])
        browser.press("L'ho copiato, nascondi")
        self.assertNotIn(secret, browser.driver.page_source)

        browser.press("Sostituisci il segreto", self.card(client))
        browser.wait(lambda _: browser.text("#client-id") != client, "another id")
        other, new = browser.text("#client-id"), browser.text("#client-secret")
        self.remove(client)
        with self.assertRaises(Refused) as refused:
            grant(client, secret)
        self.assertEqual(refused.exception.status, 401)
        self.assertEqual(grant(other, new)["scope"], "requests")
        self.remove(other)
        self.assertFalse(browser.has("#made"))
        with self.assertRaises(Refused):
            grant(other, new)

    def card(self, client):
        """A selector of the card that shows this id."""
        def place(driver):
            cards = driver.find_elements("css selector", "#clients > li")
            return next((number for number, card in enumerate(cards, 1) if client in card.text), None)
        return f"#clients > li:nth-child({self.browser.wait(place, client)})"

    def remove(self, client):
        card = self.card(client)
        self.browser.press("Rimuovi", card)
        self.browser.press("Sì, rimuovi subito", card)
        self.browser.wait(lambda _: client not in self.browser.text("#own-title ~ ul, #none"), f"{client} is gone")


class Reference(PageTest):
    size = "desk"

    def test_every_service(self):
        """NFR-09: an operation of each service with its parameters, answers and an example; the search; a link to one."""
        browser = self.browser
        browser.open("/developers")
        browser.wait_text("Chiamate:", "#found")
        for service in ("accounts", "ingestion", "query", "dispatcher", "track4run"):
            paths = call("GET", f"/{service}/openapi.json")["paths"]
            operation = next(operation for item in paths.values() for operation in item.values() if "operationId" in operation)
            box = f"[id='{service}/{operation['operationId']}']"
            browser.find(f"{box} summary").click()
            for text in (operation["summary"], "Risposte", "Errori", "curl "):
                browser.wait_text(text, box)
        self.assertEqual(browser.violations(), [])
        self.assertLessEqual(browser.overflow(), 0)
        browser.fill("Cerca una chiamata", "showarequest")
        browser.wait_text("Chiamate trovate: 1.", "#found")
        self.assertFalse(browser.has("#accounts-title"))
        browser.find("[id='query/showARequest'] summary").click()
        browser.wait_text("/query/v1/requests/01979c2e-8f00-7a31-9c2b-5d3f2a1b4c6d", "[id='query/showARequest']")
        browser.open("/login")
        browser.open("/developers#accounts/token")
        browser.wait_text("grant_type=client_credentials", "[id='accounts/token']")

    def test_without_script(self):
        """NFR-09: how to begin, and where the documents are, are read without JavaScript."""
        self.browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.browser.open("/developers")
        for text in ("Come si comincia", "grant_type=client_credentials", "/dispatcher/openapi.json"):
            self.assertIn(text, self.browser.driver.page_source)
