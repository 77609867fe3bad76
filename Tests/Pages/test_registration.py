"""ACC in the browser: what people say of themselves when they register, relatives and parents, companies and their profiles."""

import random
from datetime import date

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import PageTest
from suite import PASSWORD, call, fiscal_code, link_token, mail_link, new_third_party, token, vat_number

# Who is new has no score yet, which the browser logs.
NEW = "/ingestion/v1/me/health "


class RegistrationTest(PageTest):
    # Faults of the form, what others have, and a log-in before the address is confirmed.
    expected = (NEW, "status of 422", "status of 409", "status of 403")

    def send(self, told):
        self.browser.press("Registrati", "main")
        self.browser.wait_text(told)

    def enter(self, login):
        browser = self.browser
        browser.open("/login")
        browser.settle()
        browser.fill("E-mail o codice fiscale", login)
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")


class Individual(RegistrationTest):
    def test_what_may_be_said(self):
        """ACC-02bdg ACC-07a: a residence by its name, occupation and phone are kept; what is wrong is told; the fiscal code logs in."""
        browser, address, code = self.browser, f"pia.{random.randrange(10**9)}@example.org", fiscal_code("1949-08-21")
        browser.open("/register")
        browser.settle()
        for label, text in (("Nome", "Pia"), ("Cognome", "Marchetti"), ("Data di nascita", "1949-08-22"), ("Codice fiscale", code),
                            ("E-mail", address), ("Password", PASSWORD), ("Telefono (facoltativo)", "+39 0522 123456")):
            browser.fill(label, text)
        browser.choose("Occupazione (facoltativa)", "In pensione")
        residence = browser.field("Comune o Stato di residenza (facoltativo)")
        residence.send_keys("reggio emi")
        browser.wait_text("Reggio nell'Emilia (RE)", "#residence-list")
        residence.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.send("Per registrarti devi accettare le condizioni.")
        browser.find("#accepts").click()
        self.send("La data di nascita non è quella del codice fiscale.")
        browser.fill("Data di nascita", "1949-08-21")
        browser.fill("Password", "marchetti-1949")
        self.send("Questa password è troppo facile")
        browser.fill("Password", PASSWORD)
        self.send("Quasi fatto")
        self.enter(code)
        browser.wait_text("Manda di nuovo il messaggio")
        call("POST", "/accounts/v1/confirmations/confirm", {"token": link_token(mail_link(address))})
        self.enter(code.lower())
        browser.wait_path("/tour")
        own = call("GET", "/accounts/v1/me", token=token(address))
        person = own["person"]
        self.assertEqual((person["residence"], person["occupation"], person["phone"], own["language"]),
                         ("H223", "retired", "+390522123456", "it"))


class Company(RegistrationTest):
    size = "desk"

    def fill_in(self, kind, vat, address):
        browser = self.browser
        browser.open(f"/register/{kind}")
        browser.settle()
        for label, text in (("Ragione sociale", f"Ditta {vat}"), ("Partita IVA", vat), ("E-mail", address), ("Password", PASSWORD)):
            browser.fill(label, text)
        browser.find("#accepts").click()

    def confirm(self, address):
        browser = self.browser
        browser.driver.get(mail_link(address))
        browser.press("Conferma l'indirizzo", "#confirm")
        browser.wait_text("Indirizzo confermato")

    def test_third_party(self):
        """ACC-03a ACC-06a: a company registers; faults stand beside their fields; it comes to the requests by the tour of its kind."""
        browser, vat, address = self.browser, vat_number(), f"ditta.{random.randrange(10**9)}@example.org"
        browser.open("/register/third-party")
        browser.settle()
        self.send("Scrivi la ragione sociale.")
        browser.wait_text("Per registrarti devi accettare le condizioni.")
        self.fill_in("third-party", f"{vat[:10]}{(int(vat[10]) + 1) % 10}", address)
        self.send("La partita IVA non è giusta")
        browser.fill("Partita IVA", vat)
        self.send("Quasi fatto")
        self.enter(address)
        browser.wait_text("Manda di nuovo il messaggio")
        self.confirm(address)
        self.enter(address)
        browser.wait_path("/tour")
        browser.wait_text("Passo 1 di 3")
        browser.press("Salta il giro")
        browser.wait_path("/data-requests")
        own = call("GET", "/accounts/v1/me", token=token(address))
        self.assertEqual((own["kind"], own["company"]["vat_number"]), ("third-party", vat))

    def test_organiser_alone(self):
        """ACC-04a: an organiser registers with nothing else, is confirmed, and comes to a form for a run."""
        browser, vat, address = self.browser, vat_number(), f"corse.{random.randrange(10**9)}@example.org"
        self.fill_in("organiser", vat, address)
        self.send("Quasi fatto")
        self.confirm(address)
        self.enter(address)
        browser.wait_path("/tour")
        browser.press("Salta il giro")
        browser.wait_path("/organise")
        browser.wait_text("Nessuna corsa in programma.")
        browser.press("Organizza una corsa", "main")
        browser.wait_path("/organise/new")
        browser.wait_text("Ancora nessun punto.")
        self.assertEqual(call("GET", "/accounts/v1/me", token=token(address))["kind"], "organiser")

    def test_shared_address(self):
        """ACC-01c: another company is told that the address, or the VAT number, is taken; the same company gets its second account."""
        address = new_third_party()
        vat = call("GET", "/accounts/v1/me", token=token(address))["company"]["vat_number"]
        self.fill_in("organiser", vat_number(), address)
        self.send("C'è già un account con questo indirizzo e-mail.")
        self.fill_in("organiser", vat, f"altra.{random.randrange(10**9)}@example.org")
        self.send("C'è già un account con questa partita IVA.")
        self.fill_in("organiser", vat, address)
        self.send("Quasi fatto")

    def test_profile(self):
        """ACC-03b ACC-11ab: a company says where and how it works, who represents it and how it pays; what never changes has no field."""
        browser, address = self.browser, new_third_party()
        own = lambda: call("GET", "/accounts/v1/me", token=token(address))["company"]
        vat = own()["vat_number"]
        browser.log_in(address, to="/data-requests")
        browser.open("/account")
        browser.wait_text(vat, "#profile")
        browser.wait_text(address, "#profile")
        self.assertFalse(browser.has("#profile-form [name=vat_number]") or browser.has("#profile-form [name=email]"))
        code = fiscal_code("1961-02-11")
        for label, text in (
            ("Settore (facoltativo)", "Cardiologia"), ("Sede legale (facoltativa)", "Via Roma 1, Milano"),
            ("Indirizzo di fatturazione (facoltativo)", "Via Po 2, Torino"), ("Modo di pagamento (facoltativo)", "bonifico"),
            ("Nome", "Carla"), ("Cognome", "Neri"), ("Indirizzo dell'ufficio", "Via Dante 3, Milano"), ("Telefono", "abc"),
            ("E-mail", "neri@example.org"), ("Codice fiscale", code.lower()),
        ):
            browser.fill(label, text)
        browser.press("Salva il profilo")
        browser.wait_text("Scrivi il numero con il prefisso internazionale", "#profile-form")
        browser.fill("Telefono", "+39 02 7654321")
        browser.press("Salva il profilo")
        browser.wait_text("Il profilo è salvato.")
        company = own()
        self.assertEqual(
            [company[name] for name in ("sector", "legal_address", "billing_address", "payment_method", "vat_number")],
            ["Cardiologia", "Via Roma 1, Milano", "Via Po 2, Torino", "bonifico", vat])
        self.assertEqual(company["legal_representative"], {
            "name": "Carla", "surname": "Neri", "office_address": "Via Dante 3, Milano", "phone": "+39027654321",
            "email": "neri@example.org", "fiscal_code": code})
        browser.open("/account")
        browser.wait_text(vat, "#profile")
        self.assertEqual(browser.value("Indirizzo di fatturazione (facoltativo)"), "Via Po 2, Torino")
        self.assertEqual(browser.value("Cognome"), "Neri")
        browser.fill("Settore (facoltativo)", "")
        browser.press("Salva il profilo")
        browser.wait_text("Il profilo è salvato.")
        self.assertIsNone(own().get("sector"))


class Helped(PageTest):
    expected = (NEW, "status of 403", "status of 422", "status of 410")

    def fill_in(self, address, birth, who):
        browser = self.browser
        browser.open("/register")
        browser.settle()
        browser.choose("Chi compila questo modulo?", who)
        browser.fill("Nome", "Ada")
        browser.fill("Cognome", "Conti")
        browser.fill("Data di nascita", birth)
        browser.fill("Codice fiscale", fiscal_code(birth))
        browser.fill("E-mail", address)
        browser.fill("Password", PASSWORD)
        browser.find("#accepts").click()

    def test_relative(self):
        """ACC-02h: a relative fills the form in; the person decides on the consents at the first log-in."""
        browser, address = self.browser, f"ada.{random.randrange(10**9)}@example.org"
        self.fill_in(address, "1941-05-30", "relative")
        self.assertFalse(browser.has("#consents"))
        browser.fill("Il tuo nome", "Luca")
        browser.press("Registrati", "main")
        browser.wait_text("Scrivi il tuo cognome.")
        browser.fill("Il tuo cognome", "Verdi")
        browser.press("Registrati", "main")
        browser.wait_text("Quasi fatto")
        call("POST", "/accounts/v1/confirmations/confirm", {"token": link_token(mail_link(address))})
        browser.open("/login")
        browser.fill("E-mail o codice fiscale", address)
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_text("Questo account è stato preparato per te")
        browser.find("#consent-health_data").click()
        browser.find("#accepts").click()
        browser.press("Accedi", "#login")
        browser.wait_path("/tour")
        browser.open("/account")
        browser.wait_text("Luca Verdi")
        own = call("GET", "/accounts/v1/me/consents", token=token(address))["consents"]
        self.assertEqual(own, {"health_data": True, "position": False})

    def test_parent(self):
        """ACC-02h: who is under 14 is registered by a parent, who sees what it is about and agrees by a link of its own."""
        browser, number = self.browser, random.randrange(10**9)
        birth = f"{date.today().year - 10}-01-15"
        self.fill_in(f"ada.{number}@example.org", birth, "self")
        browser.press("Registrati", "main")
        browser.wait_text("Chi ha meno di 14 anni viene registrato da un genitore")
        browser.choose("Chi compila questo modulo?", "parent")
        browser.fill("Il tuo nome", "Luca")
        browser.fill("Il tuo cognome", "Conti")
        browser.fill("Il tuo codice fiscale", fiscal_code("1980-02-02"))
        browser.fill("La tua e-mail", f"luca.{number}@example.org")
        browser.find("#consent-health_data").click()
        browser.press("Registrati", "main")
        browser.wait_text("Quasi fatto")
        browser.driver.get(mail_link(f"ada.{number}@example.org"))
        browser.press("Conferma l'indirizzo", "#confirm")
        browser.wait_text("Manca il consenso del genitore")
        browser.driver.get(mail_link(f"luca.{number}@example.org"))
        browser.press("Mostra di che cosa si tratta")
        browser.wait_text("Ada Conti vuole usare TrackMe")
        self.assertEqual(
            [state.text for state in browser.driver.find_elements(By.CSS_SELECTOR, "[data-state]")],
            ["Acconsenti anche a questo.", "A questo non acconsenti."])
        browser.press("Sono il genitore e acconsento")
        browser.wait_text("Ora l'account si può usare.")
        self.assertTrue(token(f"ada.{number}@example.org"))
