"""PAY-01, PAY-02 in the browser of a third party: what is due and paid, and paying at the sandbox broker."""

import urllib.parse

from browser import PageTest
from suite import call, demo, invoice_link, new_third_party, pay_link, priced_request, token


class Payments(PageTest):
    size = "desk"
    # Of another browser another question, which is not paid yet.
    age = 1

    def test_pay(self):
        """PAY-01b PAY-02b: what an accepted request costs is shown, data comes once it is paid; a payment that fails is told."""
        browser, company, person = self.browser, new_third_party(), demo("Individuals")[5]
        browser.log_in(company, to="/data-requests")
        browser.open("/payments")
        browser.wait_text("Non c'è nulla da pagare.")
        browser.wait_text("Ancora nessun pagamento.")
        request = priced_request(self, person, company)
        link = urllib.parse.urlsplit(pay_link(request, company))
        # The broker's pages.
        self.expected = (f"{link.scheme}://{link.netloc}",)
        browser.open(f"/data-requests/{request}")
        browser.wait_text("I dati arrivano dopo il pagamento di 5,00", "#pay")
        browser.wait_text("Da pagare", "#facts")
        self.assertFalse(browser.has("#data"))
        self.at_the_broker("Let it fail", "is failed: 200", "#pay")
        browser.open("/payments")
        browser.wait_text("In tutto: 5,00", "#sum")
        browser.wait_text(person, "#due")
        browser.wait_text("Un pagamento non è riuscito", "#due")
        self.assertEqual(browser.violations(), [])
        self.at_the_broker("Pay", "is paid: 200", "#due")
        browser.open("/payments")
        browser.wait_text("Pagato il", "#paid")
        browser.wait_text("5,00", "#paid")
        browser.wait_text("Non c'è nulla da pagare.")
        self.assertFalse(browser.has("#sum"))
        browser.press(person, "#paid")
        browser.wait_path(f"/data-requests/{request}")
        browser.wait_text("Pagata", "#facts")
        browser.wait_text("Misure lette:", "#told")
        browser.open("/data-events")
        browser.wait_text("Da pagare", "#rows")
        browser.wait_text("Pagata", "#rows")

    def test_pay_for_a_group(self):
        """PAY-01ab: what an answer about a group costs is shown before the question, the answer comes once it is paid."""
        browser, company = self.browser, demo("Third party")[0]
        browser.log_in(company, to="/data-requests")
        browser.open("/group-requests")
        browser.wait_text("Una risposta costa 20,00", "#price")
        browser.fill("Età, da", str(self.age))
        browser.press("Chiedi", "#ask")
        browser.wait_text("si può leggere dopo il pagamento di 20,00", "#pay")
        browser.wait_text("Da pagare: 20,00", "#history")
        self.assertFalse(browser.has("#answer"))
        self.assertEqual(browser.violations(), [])
        questions = call("GET", "/query/v1/group-requests", token=token(company))["group_requests"]
        asked = next(one for one in questions if one["question"]["where"] == {"age": {"min": self.age}})
        link = urllib.parse.urlsplit(invoice_link(asked["payment"]["invoice"], company))
        self.expected = (f"{link.scheme}://{link.netloc}",)
        self.at_the_broker("Pay", "is paid: 200", "#pay")
        browser.open("/group-requests")
        browser.wait_text("Pagata: 20,00", "#history")
        browser.press("Mostra la risposta", "#history")
        browser.wait_text("intervallo 95 %", "#answer")
        browser.wait_text(f"da {self.age} a 120 anni", "#question")
        browser.open("/payments")
        browser.wait_text("Una risposta su un gruppo", "#paid")
        # Asked again it costs nothing.
        browser.open("/group-requests")
        browser.fill("Età, da", str(self.age))
        browser.press("Chiedi", "#ask")
        browser.wait_text("intervallo 95 %", "#answer")
        self.assertFalse(browser.has("#pay p"))

    def at_the_broker(self, act, said, within):
        """Goes to the broker by the link within this part of the page, and does that."""
        browser = self.browser
        browser.press("Paga", within)
        browser.wait(lambda driver: "Sandbox broker" in driver.title, "the broker's page")
        browser.press(act)
        browser.wait_text(said, "body")

    def test_nothing_is_owed(self):
        """PAY-01b: a request that ends unpaid owes nothing, and is shown so."""
        browser, company, person = self.browser, new_third_party(), demo("Individuals")[5]
        request = priced_request(self, person, company)
        call("DELETE", f"/query/v1/requests/{request}", token=token(company))
        browser.log_in(company, to="/data-requests")
        browser.wait_text("Non dovuto: 5,00", "#requests")
        browser.press("Pagamenti", "#ways")
        browser.wait_path("/payments")
        browser.wait_text("Non più dovuto dal", "#cancelled")
        self.assertFalse(browser.has("#due li") or browser.has("#paid li"))
        self.assertFalse(browser.has("#cancelled a.button"))
