"""PAY-01, PAY-02 in the browser of a third party: what is due and paid, and paying at the sandbox broker."""

import urllib.parse

from browser import PageTest
from suite import call, demo, new_third_party, pay_link, priced_request, token


class Payments(PageTest):
    size = "desk"

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
