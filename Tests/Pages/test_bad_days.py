"""NFR-02 NFR-09: a service that is down is told in words, nothing typed is lost, and it works again by itself."""

from browser import PageTest
from suite import PASSWORD, away, demo


class ServiceAway(PageTest):
    # The proxy answers for a service that is down; the browser logs that.
    expected = ("status of 503",)

    def test_form_of_a_service_that_is_down(self):
        browser = self.browser
        browser.open("/login")
        browser.fill("E-mail o codice fiscale", demo("Individuals")[0])
        browser.fill("Password", PASSWORD)
        with away("accounts", "/login"):
            browser.press("Accedi", "#login")
            browser.wait_text("non risponde")
            self.assertEqual(browser.field("Password").get_attribute("value"), PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_path("/today")

    def test_page_of_a_service_that_is_down(self):
        browser = self.browser
        browser.log_in(demo("Individuals")[0])
        with away("query", "/requests"):
            browser.open("/requests")
            browser.wait_text("non è disponibile")
            browser.open("/today")
            browser.wait_text("Frequenza cardiaca")
        browser.open("/requests")
        browser.find("#pending-title")
