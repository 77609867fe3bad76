"""SOS in the browser: enrolling, the state in one glance, a test call, ending; controls are large (NFR-08d)."""

import re
import urllib.parse

from browser import PageTest
from suite import Device, call, demo, enrol, eventually, new_individual, token

ENROLMENT = "/dispatcher/v1/enrolment"


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
        browser.wait_text("Per iscriverti devi permettere la chiamata.")
        browser.wait_text("Per iscriverti devi accettare il prezzo.")
        browser.fill("Telefono per essere richiamato", "+39 333 1234567")
        browser.fill("Malattie", "asma, ipertensione")
        for box in ("#accepts", "#grants", "#accepts-price"):
            browser.find(box).click()
        browser.press("Iscriviti o salva")
        browser.wait_path("/sos")
        # Watched, or told that nothing has been measured lately.
        browser.wait(lambda _: re.search("Sei sorvegliato|Non arrivano misure|Non possiamo ancora sorvegliarti", browser.text("#state")), "a state")
        browser.press("Prova la chiamata")
        browser.wait_text("nessuna ambulanza parte")
        browser.wait(lambda _: re.search("Prova.*(La prova è in corso|Prova riuscita)", browser.text("#incidents"), re.S), "the test")
        self.assertNotIn("mergenza", browser.text("#incidents"))
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


class Enrolment(PageTest):
    # Refused values, and who is new has no score.
    expected = ("status of 422", "/dispatcher/v1/", "/ingestion/v1/me/health ")

    def test_change_keeps_the_rest(self):
        """SOS-01: a change keeps all contacts, languages and rules; faults stand beside their fields, those of lists too."""
        browser, person = self.browser, new_individual()
        call("POST", "/accounts/v1/devices", {"code": Device("Orologio", ["heart-rate", "position"]).code}, token(person))
        mine = lambda: call("GET", ENROLMENT, token=token(person))
        contacts = [{"name": f"Contatto {number}", "phone": f"+3902123456{number}", "email": f"c{number}@example.org"} for number in (1, 2)]
        enrol(token(person), contacts=contacts, conditions=["asma"], languages=["it", "de"], abort_window_s=45, rules="fixed-40-130")
        browser.log_in(person)
        browser.open("/sos/enrol")
        browser.wait_text("Contatto 2")
        browser.press("Aggiungi un contatto")
        phones = lambda: [field for field in browser.driver.find_elements("css selector", "[data-part=phone]")]
        names = lambda: [field for field in browser.driver.find_elements("css selector", "[data-part=name]")]
        names()[2].send_keys("Vicina")
        phones()[2].send_keys("12")
        browser.fill("Malattie", "asma, " + "x" * 121)
        browser.find("#accepts").click()
        browser.find("#grants").click()
        browser.press("Iscriviti o salva")
        browser.wait_text("Controlla i campi segnati")
        self.assertEqual(phones()[2].get_attribute("aria-invalid"), "true")
        phones()[2].clear()
        phones()[2].send_keys("+39 02 123 4569")
        # The first one is taken out: the others close up.
        for field in (names()[0], phones()[0], browser.driver.find_element("css selector", "[data-part=email]")):
            field.clear()
        browser.press("Iscriviti o salva")
        browser.wait_text("Al massimo 20 voci di 120 caratteri")
        browser.fill("Malattie", "asma, diabete")
        browser.press("Iscriviti o salva")
        browser.wait_path("/sos")
        # Nothing has ever been measured: that is not "all is well".
        browser.wait_text("Non possiamo ancora sorvegliarti", "#state")
        browser.find("#to-devices a")
        changed = mine()
        self.assertEqual(changed["contacts"], [contacts[1], {"name": "Vicina", "phone": "+39021234569"}])
        self.assertEqual([changed[name] for name in ("conditions", "languages", "abort_window_s", "rules")],
                         [["asma", "diabete"], ["it", "de"], 45, "fixed-40-130"])


class Price(PageTest):
    # Before enrolling: 404; who is new has no score.
    expected = ("/dispatcher/v1/enrolment", "/ingestion/v1/me/health ")

    def test_pay(self):
        """PAY-01b PAY-02b SOS-12: what watching costs is shown before it is accepted, what is due until it is paid; the SOS button is there all the time."""
        browser, person = self.browser, new_individual()
        session = token(person)
        call("POST", "/accounts/v1/devices", {"code": Device("Orologio", ["heart-rate", "position"]).code}, session)
        browser.log_in(person)
        browser.open("/sos/enrol")
        browser.wait_text("Accetto che 30 giorni costano 9,00")
        browser.wait_text("il tasto SOS funziona sempre", "#price-hint")
        browser.fill("Telefono per essere richiamato", "+39 333 1234567")
        for box in ("#accepts", "#grants", "#accepts-price"):
            browser.find(box).click()
        self.assertEqual(browser.violations(), [])
        browser.press("Iscriviti o salva")
        browser.wait_path("/sos")
        due = lambda: call("GET", "/dispatcher/v1/price", token=session)["accepted"].get("due")
        # Invoices are made once a minute.
        link = urllib.parse.urlsplit(eventually("the way to pay", lambda: (due() or {}).get("pay_url"), seconds=90))
        # The broker's pages.
        self.expected = (*self.expected, f"{link.scheme}://{link.netloc}")
        for act, said in (("Let it fail", "is failed: 200"), ("Pay", "is paid: 200")):
            browser.open("/sos")
            browser.wait_text("Devi pagare 9,00")
            self.assertTrue(browser.has("#sos-button"))
            self.assertEqual(browser.violations(), [])
            browser.find("[aria-labelledby=due-title] a.button").click()
            browser.wait(lambda driver: "Sandbox broker" in driver.title, "the broker's page")
            browser.press(act)
            browser.wait_text(said, "body")
        browser.open("/sos")
        browser.settle()
        self.assertTrue(browser.has("#sos-button"))
        self.assertFalse(browser.has("#due-title"))
        self.assertIsNone(due())
        call("DELETE", ENROLMENT, token=session)


class Emergency(PageTest):
    expected = ("/ingestion/v1/me/health ",)

    def test_a_test_call_hides_nothing(self):
        """SOS-08: a real emergency stays in sight beside a test call, and is called off before anybody is called."""
        browser, person = self.browser, new_individual()
        session = token(person)
        device = Device("Orologio", ["heart-rate", "position"])
        call("POST", "/accounts/v1/devices", {"code": device.code}, session)
        enrol(session, abort_window_s=60)
        incidents = lambda: call("GET", "/dispatcher/v1/incidents", token=session)["incidents"]

        eventually("an emergency", lambda: (device.send("heart-rate", 190), incidents())[1])
        browser.log_in(person)
        browser.open("/sos")
        browser.wait_text("Emergenza", "#state")
        seconds = lambda: int(re.fullmatch(r"Chiamiamo fra (\d+) s", browser.text("#countdown"))[1])
        first = seconds()
        self.assertLessEqual(first, 60)
        browser.wait(lambda _: seconds() < first, "the time to go by")
        browser.press("Prova la chiamata")
        browser.wait_text("Prova cominciata", "#notices")
        browser.wait(lambda _: len(browser.driver.find_elements("css selector", "#incidents > li")) == 2, "both in the history")
        browser.wait_text("Emergenza", "#state")
        browser.press("Sto bene, è un falso allarme")
        browser.wait_text("nessuno è stato chiamato", "#notices")
        self.assertEqual(next(one for one in incidents() if not one["is_exercise"])["outcome"], "suppressed")
