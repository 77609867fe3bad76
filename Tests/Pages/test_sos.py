"""SOS in the browser, what people do in need and about it: the button held or confirmed, calling off, pause, contacts and what they see
by their link, own limits, an incident with its file (SOS-01, SOS-03, SOS-08, SOS-09, SOS-12, SOS-13, SOS-14; controls without holding: NFR-08)."""

import random
import re

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PageTest
from suite import Device, call, enrol, eventually, link_token, mail_link, new_individual, token
from suite import Refused as RefusedByAPI

API = "/dispatcher/v1"


class SOSTest(PageTest):
    # Who is new has no score.
    expected = ("/ingestion/v1/me/health ",)

    def setUp(self):
        super().setUp()
        self.person = new_individual()
        self.session = token(self.person)
        self.device = Device("Orologio", ["heart-rate", "position"])
        self.contact, phone = f"luca.{self.person}", f"+39333{random.randrange(10**7):07}"
        call("POST", "/accounts/v1/devices", {"code": self.device.code}, self.session)
        enrol(self.session, contacts=[{"name": "Luca", "phone": phone, "email": self.contact}])
        # Nobody is called for this person afterwards.
        self.addCleanup(self.end)

    def end(self):
        session = token(self.person)
        for incident in call("GET", f"{API}/incidents", token=session)["incidents"]:
            if incident["state"] != "closed" and not incident["is_exercise"]:
                call("POST", f"{API}/incidents/{incident['id']}/false-alarm", token=session)
        call("DELETE", f"{API}/enrolment", token=session)

    def incidents(self):
        return call("GET", f"{API}/incidents", token=self.session)["incidents"]

    def allow_place(self, setting):
        """Answers for the person whether the page may know where the phone is: in Milan."""
        driver = self.browser.driver
        driver.execute_cdp_cmd("Browser.setPermission", {"permission": {"name": "geolocation"}, "setting": setting})
        driver.execute_cdp_cmd("Emulation.setGeolocationOverride", {"latitude": 45.4642, "longitude": 9.19, "accuracy": 30})

    def open_page(self, path="/sos", place="denied"):
        self.allow_place(place)
        self.browser.log_in(self.person)
        self.browser.open(path)
        return self.browser


class Button(SOSTest):
    def test_held(self):
        """SOS-12a SOS-06a SOS-08: held for two seconds it calls, once, with the phone's position; “I am fine” then takes two touches."""
        browser = self.open_page(place="granted")
        button = browser.find("#sos-button")
        self.assertGreaterEqual(button.rect["height"], 120)
        browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        ActionChains(browser.driver).click_and_hold(button).perform()
        browser.wait_text("Continua a tenere premuto", "#sos-said")
        browser.wait_text("La richiesta di aiuto è partita", "#sos-said")
        ActionChains(browser.driver).release().perform()
        browser.wait_text("Emergenza", "#state")
        self.assertFalse(browser.has("#sos-sure"))
        self.assertEqual([(one["trigger"], one["is_exercise"]) for one in self.incidents()], [("manual", False)])
        told = call("GET", f"{API}/incidents/{self.incidents()[0]['id']}/file", token=self.session)["told"]
        self.assertEqual([(fix["latitude"], fix["accuracy_m"]) for fix in told["positions"]], [(45.4642, 30)])
        # No ambulance service answers here: it is being called.
        browser.wait_text("stiamo chiamando", "#state")
        browser.press("Sto bene, è un falso allarme")
        browser.wait_text("se confermi, tornano indietro", "#fine")
        self.assertNotEqual(self.incidents()[0]["state"], "closed")
        browser.press("No, ho bisogno di aiuto")
        browser.press("Sto bene, è un falso allarme")
        browser.press("Sì, sto bene: annullate")
        browser.wait_text("Abbiamo detto al servizio di ambulanza che stai bene", "#notices")
        browser.wait(lambda _: not browser.has("#alarm"), "no alarm any more")
        self.assertEqual([one["outcome"] for one in self.incidents()], ["false-alarm"])

    def test_pressed(self):
        """SOS-12a NFR-08c: whoever cannot hold presses, and confirms; a press that is not confirmed calls nobody, nor does a double one."""
        browser = self.open_page()
        browser.find("#sos-button")
        browser.press_twice("SOS", "#call")
        browser.wait_text("Dobbiamo chiamare un'ambulanza per te?", "#sos-sure")
        browser.press("No, non chiamate")
        browser.wait(lambda _: not browser.has("#sos-sure"), "the question to go")
        self.assertEqual(self.incidents(), [])
        browser.press("SOS", "#call")
        browser.press("Sì, chiamate l'ambulanza")
        browser.wait_text("La richiesta di aiuto è partita", "#sos-said")
        browser.wait_text("Emergenza", "#state")
        self.assertEqual(len(self.incidents()), 1)

    def test_keyboard(self):
        """SOS-12a NFR-08c: by keyboard alone: pressed and confirmed, or held."""
        browser = self.open_page()
        browser.find("#sos-button")
        browser.driver.execute_script("document.getElementById('sos-button').focus()")
        keys = lambda *names: ActionChains(browser.driver).send_keys(*names).perform()
        keys(Keys.ENTER)
        focused = lambda: browser.driver.execute_script("return document.activeElement.id")
        browser.wait(lambda _: focused() == "sos-question", "the question to be read")
        # A second press decides nothing.
        keys(Keys.ENTER)
        keys(Keys.TAB)
        self.assertEqual(focused(), "sos-no")
        keys(Keys.ENTER)
        browser.wait(lambda _: focused() == "sos-button", "the button again")
        self.assertEqual(self.incidents(), [])
        ActionChains(browser.driver).key_down(Keys.SPACE).perform()
        browser.wait_text("La richiesta di aiuto è partita", "#sos-said")
        ActionChains(browser.driver).key_up(Keys.SPACE).perform()
        browser.wait_text("Emergenza", "#state")
        self.assertEqual(len(self.incidents()), 1)

    def test_no_answer(self):
        """SOS-12a SOS-07: without an answer the page says to phone 112, and goes on; what is sent again is one emergency."""
        self.expected = (*SOSTest.expected, "ERR_BLOCKED_BY_CLIENT", "net::ERR")
        browser = self.open_page()
        browser.find("#sos-button")
        browser.driver.execute_cdp_cmd("Network.enable", {})
        block = lambda *urls: browser.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": list(urls)})
        block(f"*{API}/sos")
        browser.press("SOS", "#call")
        browser.press("Sì, chiamate l'ambulanza")
        browser.wait_text("Se puoi, chiama il 112", "#sos-said")
        self.assertEqual(browser.driver.find_element("css selector", "#call a[href='tel:112']").text, "Telefona al 112")
        browser.press("Smetti di provare")
        browser.wait_text("La richiesta di aiuto non è partita: chiama il 112", "#sos-said")
        self.assertEqual(self.incidents(), [])
        browser.press("SOS", "#call")
        browser.press("Sì, chiamate l'ambulanza")
        browser.wait_text("Se puoi, chiama il 112", "#sos-said")
        block()
        browser.wait_text("La richiesta di aiuto è partita", "#sos-said")
        self.assertEqual(len(self.incidents()), 1)


class Watching(SOSTest):
    def test_place(self):
        """SOS-06a: the page asks for the position only when somebody wants it, and says so."""
        browser = self.open_page(place="prompt")
        browser.wait_text("Con il tasto SOS possiamo mandare anche la posizione", "#place")
        self.allow_place("granted")
        browser.press("Permetti la posizione")
        browser.wait_text("mandiamo anche la posizione", "#notices")
        self.assertFalse(browser.has("#place"))

    def test_pause(self):
        """SOS-01f: a pause with its end, told as what it is; the button stays; and going on before it is over."""
        browser = self.open_page()
        browser.find("#pause-box summary").click()
        browser.choose("Per quanto tempo", "30 minuti")
        browser.press("Comincia la pausa")
        browser.wait_text("La sorveglianza è in pausa fino al", "#state")
        self.assertTrue(browser.has("#sos-button") and not browser.has("#pause-box"))
        self.assertIn("paused_until", call("GET", f"{API}/enrolment", token=self.session))
        browser.press("Riprendi la sorveglianza")
        browser.wait_text("La sorveglianza riprende adesso", "#notices")
        browser.wait(lambda _: "in pausa" not in browser.text("#state"), "the watch")
        self.assertNotIn("paused_until", call("GET", f"{API}/enrolment", token=self.session))

    def test_limits(self):
        """SOS-03b: the limits that hold; own ones with a doctor, within what is safe, and back; no proposal without a history."""
        self.expected = (*SOSTest.expected, "/me/thresholds", "status of 409")
        browser = self.open_page("/sos/limits")
        own = lambda: call("GET", f"{API}/me/thresholds", token=self.session).get("own")
        browser.wait_text("Frequenza cardiaca", "#in-force")
        browser.wait_text("regole per età", "#in-force")
        browser.press("Proponi soglie")
        browser.wait_text("Servono misure di almeno 7 giorni", "#notices")
        low = browser.find("#heart_rate-low")
        low.send_keys("20")
        browser.press("Salva le soglie")
        browser.wait_text("Scrivi il nome del medico", "#own")
        self.assertEqual(low.get_attribute("aria-invalid"), "true")
        self.assertIsNone(own())
        browser.fill("Nome del medico", "Dott.ssa Anna Neri")
        low.clear()
        low.send_keys("45")
        browser.find("#pacemaker").click()
        browser.press("Salva le soglie")
        browser.wait_text("Le nuove soglie valgono da adesso", "#notices")
        browser.wait_text("stabilite con Dott.ssa Anna Neri", "#whose")
        self.assertEqual((own()["heart_rate"], own()["pacemaker"]), ({"low": 45}, True))
        browser.find("#oxygen_saturation-low").send_keys("90")
        browser.find("#scale").click()
        browser.press("Salva le soglie")
        browser.wait_text("Con la seconda scala non si scrive una soglia", "#own")
        browser.press("Togli le mie soglie")
        browser.press("Sì, valgono quelle per età")
        browser.wait_text("Valgono di nuovo le soglie per età", "#notices")
        self.assertIsNone(own())

    def test_file(self):
        """SOS-14 SOS-12b: a test call with every step, and its file in the reader's language and as JSON."""
        browser = self.open_page()
        browser.press("Prova la chiamata")
        link = browser.find("#incidents a")
        browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
        link.click()
        incident = self.incidents()[0]["id"]
        browser.wait_path(f"/sos/incidents/{incident}")
        browser.wait_text("Emergenza aperta", "#step-rows")
        self.assertIn("chiamata di prova", browser.text("#facts"))
        for cell in browser.driver.find_elements("css selector", "#step-rows td.time"):
            self.assertRegex(cell.text, r"^\d\d:\d\d:\d\d$")
        browser.press("Scarica da stampare")
        self.assertIn('<html lang="it">', browser.download(".html"))
        browser.press("Scarica per programmi (JSON)")
        self.assertIn(incident, browser.download(".json"))
        browser.open("/sos/incidents/01979c2e-8f00-7a31-9c2b-5d3f2a1b4c6d")
        browser.wait_text("Questa emergenza non c'è")
        self.expected = (*SOSTest.expected, "status of 404")


class Contact(SOSTest):
    # A link that has ended.
    expected = (*SOSTest.expected, f"{API}/contact-links")

    def new_link(self, *former):
        """The token of the newest link to the contact that is none of these."""
        found = lambda: (lambda one: one not in former and one)(link_token(mail_link(self.contact)))
        return eventually("a message to the contact", found, seconds=40)

    def test_link(self):
        """SOS-09 SOS-13e: a contact says yes by the link, the wearer sees it; in an emergency the link shows where, and ends with it."""
        question = self.new_link()
        contact = self.new_browser(self.size, self.language, self.theme)
        self.addCleanup(contact.close)
        contact.open(f"/sos/contact#{question}")
        contact.wait_text("Vuoi esserlo?", "#state")
        wearer = self.open_page("/sos/contacts")
        wearer.wait_text("Non ha ancora risposto", "#contacts")
        contact.press("Sì, avvisatemi")
        contact.wait_text("Sei un contatto di emergenza", "#state")
        wearer.wait_text("Ha detto di sì", "#contacts")

        incident = call("POST", f"{API}/sos", {
            "id": "6f0f3c1e-9b7a-4d7e-8d0e-3f6c9a1b2c3d", "position": {"latitude": 45.4642, "longitude": 9.19, "accuracy_m": 20}},
            self.session)["incident"]
        emergency = self.new_link(question)
        contact.open(f"/sos/contact#{emergency}")
        contact.wait_text("Emergenza", "#state")
        contact.wait_text("45.46420, 9.19000", "#facts")
        contact.wait_text("circa 20 m", "#facts")
        contact.find("#map.leaflet-container")
        self.assertEqual(contact.find("#call").get_attribute("href"), "tel:+39021234567")
        self.assertFalse(contact.has("#withheld"))
        self.assertEqual(contact.violations(), [])
        self.assertLessEqual(contact.overflow(), 0)
        wearer.wait_text("Emergenza: e-mail a Luca", "#messages")
        call("POST", f"{API}/incidents/{incident}/false-alarm", token=self.session)
        contact.wait_text("Questa emergenza è conclusa", "#state")
        self.assertFalse(contact.has("#incident"))
        # Nothing of it stays in the page.
        kept = contact.driver.execute_script("return document.body.innerHTML")
        self.assertFalse(re.search(r"45\.4642|\+39021234567", kept))
        self.assertEqual(contact.faults(self.expected), [])

    def test_no(self):
        """SOS-09: who has not answered sees neither place nor cause; no is taken, and is final."""
        question = self.new_link()
        call("POST", f"{API}/sos", {
            "id": "0d4a7c52-51b8-4c5e-9f0b-7e2d1c3b4a59", "position": {"latitude": 45.4642, "longitude": 9.19}}, self.session)
        browser = self.browser
        browser.open(f"/sos/contact#{self.new_link(question)}")
        browser.wait_text("Emergenza", "#state")
        browser.wait_text("lo vede solo chi ha accettato", "#withheld")
        self.assertNotIn("45.4642", browser.text("#incident"))
        self.assertFalse(browser.has("#where"))
        browser.open(f"/sos/contact#{question}")
        browser.press("No, non avvisatemi mai")
        browser.wait_text("non ti avvisiamo", "#state")
        with self.assertRaises(RefusedByAPI) as refused:
            call("POST", f"{API}/contact-links/answer", {"token": question, "answer": "confirmed"})
        self.assertEqual(refused.exception.status, 409)
