"""SUB-02c in the browser of a third party: webhooks, from their making to their removal, with a receiver that checks signatures."""

from datetime import datetime, timedelta

from browser import PageTest
from receiver import Receiver
from suite import accepted_request, call, demo, eventually, new_third_party, token

MARKUP = "<script>document.title = 'taken'</script>"


class Webhooks(PageTest):
    size = "desk"
    # An address that cannot be called.
    expected = ("status of 422",)

    def hook(self, receiver, company, **more):
        """The path of the page of a webhook that was made otherwise, which the browser is at, logged in."""
        made = call("POST", "/query/v1/webhooks", {"url": receiver.url, **more}, token(company))
        path = f"/webhooks/{made['id']}"
        self.browser.log_in(company, to="/data-requests")
        self.browser.open(path)
        return path, made["secret"]

    def refreshed(self, selector, text=None):
        """Waits until this part of the page shows the text, or is no longer there; the page is asked to look again."""
        def shows(_):
            self.browser.press("Aggiorna", "#log-title ~ .acts")
            self.browser.settle()
            if text is None:
                return not self.browser.has(selector)
            return self.browser.has(selector) and text in self.browser.text(selector)
        self.browser.wait(shows, f"“{text}” in {selector}")

    def row(self, text):
        """A selector of the latest row of the log that shows this."""
        def place(driver):
            rows = driver.find_elements("css selector", "#attempts tr")
            return next((number for number, row in enumerate(rows, 1) if text in row.text), None)
        return f"#attempts tr:nth-child({self.browser.wait(place, text)})"

    def test_make_and_replace_the_secret(self):
        """SUB-02c NFR-09: a webhook is made by a form; its secret is shown once and signs; of two both sign, as long as the page says."""
        browser, company, receiver = self.browser, new_third_party(), Receiver(self)
        browser.log_in(company, to="/data-requests")
        browser.open("/webhooks")
        browser.wait_text("Ancora nessun webhook.")
        browser.press("Crea", "#create")
        browser.wait_text("Scrivi un indirizzo che comincia con https://", "#url-fault")
        browser.fill("Indirizzo", "http://hooks.example.org/eventi")
        browser.press("Crea", "#create")
        browser.wait_text("Scrivi un indirizzo che comincia con https://", "#url-fault")
        browser.fill("Indirizzo", receiver.url)
        browser.fill("Come lo chiami", MARKUP)
        browser.press("Crea", "#create")
        secret = browser.text("#secret")
        browser.wait_text(MARKUP, "#webhooks")
        browser.wait_text("Tutti gli eventi", "#webhooks")
        self.assertEqual(browser.violations(), [])
        self.assertLessEqual(browser.overflow(), 0)
        browser.press("L'ho copiato, nascondi")
        self.assertNotIn(secret, browser.driver.page_source)
        browser.press(receiver.url, "#webhooks")
        browser.wait_text("Attivo", "#state")
        self.assertNotIn(secret, browser.driver.page_source)

        browser.press("Prova a chiamarlo")
        browser.wait_text("Consegnato · risposta 200", "#result")
        browser.wait_text("preso <b>in carico</b>", "#result")
        self.assertTrue(receiver.await_taken("webhook.test")[0].is_signed(secret))
        browser.press("Sostituisci il segreto", "#rotate")
        browser.press("No, lascia così", "#rotate")
        browser.press("Sostituisci il segreto", "#rotate")
        browser.press("Sì, sostituiscilo", "#rotate")
        other = browser.text("#secret")
        self.assertNotEqual(other, secret)
        browser.wait_text("firmiamo anche con quello di prima", "#made-text")
        shown = call("GET", browser.path.replace("/webhooks/", "/query/v1/webhooks/"), token=token(company))
        end = datetime.fromisoformat(shown["previous_secret_until"].replace("Z", "+00:00"))
        browser.wait_text(f"{end.astimezone():%H:%M}", "#facts")
        browser.press("L'ho copiato, nascondi")
        browser.press("Prova a chiamarlo")
        both = receiver.await_taken("webhook.test", 2)[1]
        self.assertTrue(both.is_signed(secret) and both.is_signed(other))
        self.assertFalse(both.is_signed("whsec_" + "A" * 32))
        browser.wait(lambda driver: len(driver.find_elements("css selector", "#attempts tr")) == 2, "both calls in the log")
        self.assertNotEqual(browser.driver.title, "taken")

    def test_events_and_sending_again(self):
        """SUB-02c REQ-07a: outcomes and data arrive, thin as chosen and full once changed; one is sent again, all from one, all since a time."""
        browser, company, person, receiver = self.browser, new_third_party(), demo("Individuals")[5], Receiver(self)
        path, secret = self.hook(receiver, company, payload="thin")
        browser.wait_text("Non è stato mandato ancora nulla.")
        accepted_request(self, person, company, ["heart-rate"])
        accepted, data = receiver.await_taken("request.accepted")[0], receiver.await_taken("data.samples")[0]
        self.assertTrue(accepted.is_signed(secret) and data.is_signed(secret))
        self.assertNotIn("series", data.json["data"])
        self.assertTrue(data.json["data"]["link"].endswith(f"/query/v1/events/{data.id}"))
        self.refreshed("#attempts", "Misure arrivate")
        browser.wait_text("Accettata · " + person, "#attempts")
        browser.wait_text("Tentativo 1", self.row("Accettata"))

        browser.find("#change-box summary").click()
        browser.choose("Che cosa contiene ogni messaggio", "full")
        browser.find("#kind-data-samples").click()
        browser.find("#kind-request-ended").click()
        browser.press("Salva", "#change")
        browser.wait_text("Cambiato.")
        browser.wait_text("L'evento intero, con i dati", "#facts")
        browser.wait_text("Terminata, Misure arrivate", "#facts")
        browser.press("Manda questo", self.row("Accettata"))
        browser.wait_text("Mandato di nuovo, e consegnato.", "#notices")
        self.assertEqual(receiver.await_taken("request.accepted", 2)[1].id, accepted.id)
        browser.wait_text("A mano", self.row("Accettata"))
        browser.press("Tutto da qui", self.row("Accettata"))
        browser.wait_text("Si ricomincia da lì.", "#notices")
        same = lambda: [one for one in receiver.taken("data.samples") if one.id == data.id and "series" in one.json["data"]]
        eventually("the same data, by itself", same)
        browser.fill("Da quando", f"{datetime.now() - timedelta(days=1):%Y-%m-%dT%H:%M}")
        before = len(same())
        browser.press("Manda di nuovo", "#again")
        browser.wait_text("Si ricomincia da lì.", "#notices")
        eventually("the same data once more", lambda: len(same()) > before)
        # It is not among the kinds that are sent by now.
        self.assertEqual(len(receiver.taken("request.accepted")), 2)
        browser.press(person, self.row("Misure arrivate"))
        browser.wait(lambda _: browser.path.startswith("/data-requests/"), "the request")

    def test_a_receiver_that_fails(self):
        """SUB-02c: what is not delivered is told and tried again; a receiver that is gone is disabled, for a reason, and enabled again."""
        browser, company, receiver = self.browser, new_third_party(), Receiver(self, status=500)
        path, _ = self.hook(receiver, company)
        request = accepted_request(self, demo("Individuals")[5], company, ["heart-rate"])
        self.refreshed("#attempts", "risposta 500")
        browser.wait_text("di nuovo ", self.row("risposta 500"))
        self.refreshed("#why", "nessun messaggio è stato consegnato: si riprova da sé")
        self.refreshed("#facts", "Persone di cui un evento non è ancora consegnato")
        receiver.status = 200
        receiver.await_taken("data.samples")
        browser.wait_text("Tentativo", "#attempts")
        self.refreshed("#why")

        receiver.status = 410
        call("DELETE", f"/query/v1/requests/{request}", token=token(company))
        self.refreshed("#state", "Disattivato")
        browser.wait_text("ha risposto 410", "#why")
        self.assertEqual(browser.violations(), [])
        browser.open("/webhooks")
        browser.wait_text("Disattivato: gli eventi aspettano", "#webhooks")
        browser.wait_text("ha risposto 410", "#webhooks")
        browser.open(path)
        receiver.status = 200
        browser.press("Riattiva")
        browser.wait_text("riceve anche quello che aspettava", "#notices")
        receiver.await_taken("request.ended")
        self.assertFalse(browser.has("#why"))

        browser.press("Metti in pausa")
        browser.wait_text("In pausa", "#state")
        self.assertEqual(call("GET", f"/query/v1{path}", token=token(company))["state"], "paused")
        browser.press("Elimina", "#remove")
        browser.press("No, lascia così", "#remove")
        browser.press("Elimina", "#remove")
        browser.press("Sì, elimina subito", "#remove")
        browser.wait_path("/webhooks")
        browser.wait_text("Ancora nessun webhook.")
