"""ACC in the browser: the link that confirms, new terms, the tour, the own profile, password and sessions."""

import random
import tempfile
import urllib.request
import zipfile
from datetime import date

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions
from selenium.webdriver.support.ui import Select

from browser import PageTest
from suite import BASE, PASSWORD, Device, Refused, app_code, call, demo, eventually, fiscal_code, link_token, mail_link, new_individual, token

# Who is new has no score yet, which the browser logs.
NEW = "/ingestion/v1/me/health "


class Confirming(PageTest):
    expected = ("status of 410", "status of 422")

    def test_pasted_and_expired(self):
        """ACC-06: the link can be pasted; one that is not valid is told in words, and another one can be sent."""
        browser, address = self.browser, new_individual(confirmed=False)
        browser.open("/confirm")
        browser.press("Conferma l'indirizzo", "#confirm")
        browser.wait_text("Incolla tutto il collegamento del messaggio.")
        browser.fill("Collegamento del messaggio", "http://example.org/confirm#" + "A" * 43)
        browser.press("Conferma l'indirizzo", "#confirm")
        browser.wait_text("Qui sotto puoi fartene mandare un altro.")
        browser.fill("E-mail", address)
        browser.press("Manda di nuovo il messaggio", "#again")
        browser.wait_text("un nuovo messaggio è in viaggio")
        browser.fill("Collegamento del messaggio", mail_link(address))
        browser.press("Conferma l'indirizzo", "#confirm")
        browser.wait_text("Indirizzo confermato")
        self.assertTrue(token(address))

    def test_the_link_is_not_kept(self):
        """ACC-06: the token comes in the fragment, nothing happens before the button, and it is gone afterwards."""
        browser, address = self.browser, new_individual(confirmed=False)
        link = mail_link(address)
        browser.driver.get(link)
        browser.find("#confirm button")
        self.assertFalse(browser.has("#token-field"))
        with self.assertRaises(Refused):
            token(address)
        browser.press("Conferma l'indirizzo", "#confirm")
        browser.wait_text("Indirizzo confermato")
        self.assertNotIn(link_token(link), browser.driver.current_url)
        requests = browser.driver.execute_script("return performance.getEntriesByType('resource').map(r => r.name)")
        self.assertFalse([name for name in requests if link_token(link) in name])


class Leaving(PageTest):
    # The password that is wrong, and what is asked after the session has ended.
    expected = (NEW, "status of 403", "status of 404", "status of 401", "status of 422")

    def test_leaving(self):
        """ACC-12: who leaves gives the password, is logged out, sees the receipt fill, and gets its link by mail."""
        browser, address = self.browser, new_individual()
        browser.log_in(address)
        browser.open("/account")
        browser.press("Cancellare i dati o andarsene", "main")
        browser.wait_path("/leave")
        browser.settle()
        browser.press("Cancella per sempre", "#leave")
        browser.wait_text("Scegli che cosa va cancellato.")
        browser.find("#scope-account").click()
        browser.fill("La tua password, per sicurezza", "un'altra parola")
        browser.find("#sure").click()
        browser.press("Cancella per sempre", "#leave")
        browser.wait_text("La password non è questa.")
        self.assertTrue(token(address))
        browser.fill("La tua password, per sicurezza", PASSWORD)
        browser.press("Cancella per sempre", "#leave")
        browser.wait_path("/receipt")
        browser.wait_text("L’account è cancellato ovunque")
        browser.wait_text("Account con profilo e password")
        browser.picture("receipt-of-an-account")
        self.assertEqual(browser.violations(), [])
        with self.assertRaises(Refused):
            token(address)
        kept = browser.driver.current_url.split("#")[1]
        eventually("the receipt by mail", lambda: link_token(mail_link(address)) == kept)
        browser.open("/today")
        browser.wait_path("/login")

    def test_collected_data(self):
        """ACC-12: only what was collected goes; the account and its session stay."""
        browser, address = self.browser, new_individual()
        browser.log_in(address)
        browser.open("/leave")
        browser.settle()
        browser.find("#scope-data").click()
        browser.fill("La tua password, per sicurezza", PASSWORD)
        browser.find("#sure").click()
        browser.press("Cancella per sempre", "#leave")
        browser.wait_path("/receipt")
        browser.wait_text("I dati raccolti sono cancellati")
        browser.open("/account")
        browser.wait_text(address)

    def test_pasted(self):
        """ACC-12: the link of a receipt can be pasted; one of none is told in words."""
        browser = self.browser
        browser.open("/receipt")
        browser.settle()
        browser.fill("Collegamento del messaggio", "A" * 43)
        browser.press("Mostra la ricevuta", "#receipt")
        browser.wait_text("Questa ricevuta non c’è: controlla il collegamento.")


class Exporting(PageTest):
    expected = (NEW, "status of 403")

    def test_exporting(self):
        """ACC-13: everything comes in one archive that explains itself, and only with the password."""
        browser, address = self.browser, new_individual()
        browser.log_in(address)
        browser.open("/account")
        browser.settle()
        browser.press("Prepara i miei dati", "main")
        browser.wait_text("Pronto fino al")
        browser.find("#export-password").send_keys("un'altra parola")
        browser.press("Scarica l’archivio", "main")
        browser.wait_text("La password non è questa.")
        browser.find("#export-password").clear()
        browser.find("#export-password").send_keys(PASSWORD)
        browser.press("Scarica l’archivio", "main")
        archive = zipfile.ZipFile(browser.downloaded(".zip"))
        self.assertIsNone(archive.testzip())
        self.assertIn("I tuoi dati di TrackMe", archive.read("index.html").decode())
        self.assertIn(address, archive.read("account/profile.json").decode())
        browser.wait_text("L’archivio è salvato.")


class SecondFactor(PageTest):
    # The password alone, and codes that are wrong.
    expected = (NEW, "status of 403", "status of 401")

    def enter(self, address, code):
        browser = self.browser
        browser.fill("E-mail o codice fiscale", address)
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_text("con il codice che la tua app mostra adesso")
        browser.fill("Codice", code)
        browser.press("Accedi", "#login")

    def test_codes(self):
        """ACC-07: a code is set up by picture or text, asked for at the log-in, and switched off; recovery codes stand in for it."""
        browser, address = self.browser, new_individual()
        browser.log_in(address)
        browser.open("/account")
        browser.settle()
        browser.wait_text("L’accesso chiede solo la password.")
        browser.find("#factor-password").send_keys(PASSWORD)
        browser.press("Imposta un codice", "#factor-begin")
        self.assertEqual(browser.find("#factor-picture svg").get_attribute("aria-label"), "Codice QR con il segreto per la tua app")
        secret = browser.find("#factor-secret").text.replace(" ", "")
        self.assertIn(f"secret={secret}&", browser.find("#factor-uri").get_attribute("href"))
        browser.picture("second-factor-set-up")
        self.assertEqual(browser.violations(), [])
        browser.find("#factor-code").send_keys(app_code(secret, 100))
        browser.press("Attiva il codice", "#factor-activate")
        browser.wait_text("Questo codice è sbagliato o già usato")
        browser.find("#factor-code").clear()
        browser.find("#factor-code").send_keys(app_code(secret))
        browser.press("Attiva il codice", "#factor-activate")
        browser.wait_text("L’accesso chiede un codice dal")
        recovery = browser.find("#recovery-codes").text.split()
        self.assertEqual(len(set(recovery)), 10)
        self.assertFalse(browser.has("#factor-secret"))
        browser.picture("second-factor-recovery-codes")
        self.assertEqual(browser.violations(), [])

        browser.driver.delete_all_cookies()
        browser.open("/login")
        browser.settle()
        self.enter(address, recovery[0])
        browser.wait_path("/today")
        browser.driver.delete_all_cookies()
        browser.open("/login")
        browser.settle()
        self.enter(address, recovery[0])
        browser.wait_text("Questo codice è sbagliato o già usato")
        browser.picture("log-in-with-a-code")
        self.assertEqual(browser.violations(), [])
        # The app's clock may be ahead.
        browser.fill("Codice", app_code(secret, 1))
        browser.press("Accedi", "#login")
        browser.wait_path("/today")

        browser.open("/account")
        browser.wait_text("Codici di recupero rimasti: 9.")
        browser.find("#factor-remove summary").click()
        browser.find("#remove-password").send_keys(PASSWORD)
        browser.find("#remove-code").send_keys(recovery[1])
        browser.press("Disattiva il codice", "#factor-removing")
        browser.wait_text("L’accesso chiede solo la password.")
        self.assertTrue(token(address))


class Passkeys(PageTest):
    # The password alone, a passkey that is gone, and who is not logged in.
    expected = (NEW, "status of 403", "status of 401")

    def test_passkey(self):
        """ACC-07: a passkey is added, logs in beside the password, with a code in its place where it is missing, and is removed."""
        browser, address = self.browser, new_individual()
        browser.driver.add_virtual_authenticator(VirtualAuthenticatorOptions(
            transport="internal", has_user_verification=True, is_user_verified=True))
        browser.log_in(address)
        browser.open("/account")
        browser.settle()
        browser.wait_text("Non ci sono passkey.")
        browser.find("#passkey-name").send_keys("Portatile")
        browser.find("#passkey-password").send_keys(PASSWORD)
        browser.press("Aggiungi una passkey", "#passkey-adding")
        browser.wait_text("Portatile: aggiunta il", "#passkey-list")
        recovery = browser.find("#recovery-codes").text.split()
        self.assertEqual(len(set(recovery)), 10)
        browser.picture("passkey-added")
        self.assertEqual(browser.violations(), [])

        for way in ("passkey", "code"):
            browser.driver.delete_all_cookies()
            browser.open("/login")
            browser.settle()
            browser.fill("E-mail o codice fiscale", address)
            browser.fill("Password", PASSWORD)
            browser.press("Accedi", "#login")
            browser.wait_text("usa una passkey o scrivi un codice")
            if way == "passkey":
                browser.picture("log-in-with-a-passkey")
                self.assertEqual(browser.violations(), [])
                browser.press("Usa una passkey", "#login")
            else:
                browser.fill("Codice", recovery[0])
                browser.press("Accedi", "#login")
            browser.wait_path("/today")

        browser.open("/account")
        browser.wait_text("Usata l’ultima volta il", "#passkey-list")
        browser.find("#passkey-remove summary").click()
        browser.find("#passkey-remove-password").send_keys(PASSWORD)
        browser.press("Togli una passkey", "#passkey-removing")
        browser.wait_text("Non ci sono passkey.")
        self.assertTrue(token(address))


class NewTerms(PageTest):
    expected = ("status of 403", NEW)

    def test_accepting(self):
        """ACC-05: terms that have changed are asked for at the log-in, and what was typed stays."""
        browser, address = self.browser, new_individual()
        browser.open("/login")
        browser.settle()
        # As the service answers once the terms have changed; the version that is sent is the one in force.
        browser.driver.execute_script("""
            const send = window.fetch;
            window.sent = [];
            window.fetch = (path, options) => {
              if (!path.endsWith('/browser-session')) return send(path, options);
              window.sent.push(JSON.parse(options.body));
              if (window.sent.at(-1).terms_version) return send(path, options);
              return Promise.resolve(new Response(
                JSON.stringify({status: 403, code: 'terms-not-accepted', title: 'Forbidden'}),
                {status: 403, headers: {'Content-Type': 'application/problem+json'}}));
            };""")
        browser.fill("E-mail o codice fiscale", address)
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_text("Le condizioni sono cambiate")
        browser.press("Accedi", "#login")
        browser.wait_text("Per continuare devi accettare le nuove condizioni.")
        self.assertEqual(len(browser.driver.execute_script("return window.sent")), 1)
        browser.find("#accepts").click()
        browser.press("Accedi", "#login")
        browser.wait_path("/today")


class Helped(PageTest):
    expected = (NEW, "status of 403", "status of 422", "status of 410")

    def fill_in(self, address, birth, who):
        browser = self.browser
        browser.open("/register")
        browser.settle()
        Select(browser.field("Chi compila questo modulo?")).select_by_value(who)
        browser.fill("Nome", "Ada")
        browser.fill("Cognome", "Conti")
        browser.fill("Data di nascita", birth)
        browser.fill("Codice fiscale", fiscal_code(birth))
        browser.fill("E-mail", address)
        browser.fill("Password", PASSWORD)
        browser.find("#accepts").click()

    def test_relative(self):
        """ACC-02: a relative fills the form in; the person decides on the consents at the first log-in."""
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
        """ACC-02: who is under 14 is registered by a parent, who sees what it is about and agrees by a link of its own."""
        browser, number = self.browser, random.randrange(10**9)
        birth = f"{date.today().year - 10}-01-15"
        self.fill_in(f"ada.{number}@example.org", birth, "self")
        browser.press("Registrati", "main")
        browser.wait_text("Chi ha meno di 14 anni viene registrato da un genitore")
        Select(browser.field("Chi compila questo modulo?")).select_by_value("parent")
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

    def test_consents(self):
        """ACC-05: consents are withdrawn by two touches and given by one, and the receipts tell of it."""
        browser, address = self.browser, new_individual()
        browser.log_in(address)
        browser.open("/account")
        browser.wait_text("Acconsenti dal")
        browser.press_twice("Revoca", "[data-consent=position]")
        browser.press("Sì, revoca", "[data-consent=position]")
        browser.wait_text("Il tuo consenso è revocato.")
        own = lambda: call("GET", "/accounts/v1/me/consents", token=token(address))["consents"]
        self.assertEqual(own(), {"health_data": True, "position": False})
        browser.press("Acconsento", "[data-consent=position]")
        browser.wait_text("Il tuo consenso è registrato.")
        self.assertEqual(own(), {"health_data": True, "position": True})
        self.assertEqual(len(browser.driver.find_elements(By.CSS_SELECTOR, "#receipts li")), 5)


class Choices(PageTest):
    expected = (NEW,)

    def test_choosing(self):
        """ACC-17: which messages come in which way is chosen on the page; what safety requires cannot be left out."""
        browser, address = self.browser, new_individual()
        browser.log_in(address)
        browser.open("/account")
        browser.wait_text("Arrivano sempre", "[data-kind=emergencies]")
        self.assertFalse(browser.find("[data-kind=emergencies] input").is_enabled())
        browser.find("#devices-mail").click()
        browser.press("Salva la scelta")
        browser.wait_text("La scelta è salvata.")
        chosen = call("GET", "/accounts/v1/me/notifications", token=token(address))["choices"]
        self.assertEqual([choice["kind"] for choice in chosen if not choice["mail"]], ["devices"])


class Tour(PageTest):
    expected = (NEW,)

    def test_steps(self):
        """ACC-18a: the tour goes step by step, also with the keyboard, and comes back from the help."""
        browser = self.browser
        browser.log_in(new_individual())
        browser.open("/help")
        browser.press("Fai il giro di TrackMe")
        browser.wait_path("/tour")
        browser.wait_text("Passo 1 di 4")
        browser.wait_text("Collega un dispositivo")
        browser.press("Avanti")
        browser.wait_text("Passo 2 di 4")
        focused = browser.driver.switch_to.active_element
        self.assertEqual(focused.text, "Chi vede i tuoi dati")
        browser.press("Indietro")
        browser.wait_text("Passo 1 di 4")
        for _ in range(3):
            browser.find("#next").send_keys(Keys.ENTER)
        browser.wait_text("Passo 4 di 4")
        browser.press("Comincia")
        browser.wait_path("/today")

    def test_each_kind(self):
        """ACC-18a: companies and organisers have a tour of what they can do."""
        browser = self.browser
        for heading, to, steps in (
            ("Third party", "/data-requests", ("Chiedi i dati di una persona", "Decide la persona", "Statistiche di gruppo")),
            ("Organiser", "/organise", ("Organizza una corsa", "Il check-in", "Dal vivo")),
        ):
            browser.driver.delete_all_cookies()
            browser.log_in(demo(heading)[0], to=to)
            browser.open("/tour")
            browser.wait_text("Passo 1 di 3")
            for step in steps:
                browser.wait_text(step)
                browser.find("#next").click()
            browser.wait_path(to)

    def test_help(self):
        """ACC-18b: the help answers what people ask, and says how support is reached."""
        browser = self.browser
        browser.open("/help")
        for question in ("Chi vede i miei dati?", "E se perdo la password o il telefono?", "La tua domanda non c’è?"):
            browser.wait_text(question)
        link = browser.find("main a[href^='mailto:']")
        self.assertEqual(link.get_attribute("href"), f"mailto:{link.text}")

    def test_without_script(self):
        """NFR-08: all steps are there without JavaScript."""
        self.browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.browser.open("/tour")
        for text in ("Collega un dispositivo", "Chi vede i tuoi dati", "AutomatedSOS", "Corse"):
            self.assertIn(text, self.browser.driver.page_source)


class Profile(PageTest):
    expected = (NEW, "status of 403", "status of 422")

    def test_editing(self):
        """ACC-11: what can be changed is changed, what was emptied is gone, and faults stand beside their fields."""
        browser, address = self.browser, new_individual()
        own = lambda: call("GET", "/accounts/v1/me", token=token(address))
        browser.log_in(address)
        browser.open("/account")
        browser.wait_text(address, "#profile")
        browser.fill("Nome", "Eva Maria")
        browser.fill("Telefono (facoltativo)", "abc")
        browser.press("Salva il profilo")
        browser.wait_text("Scrivi il numero con il prefisso internazionale", "#profile-form")
        self.assertEqual(browser.field("Nome").get_attribute("value"), "Eva Maria")
        browser.fill("Telefono (facoltativo)", "+39 333 1234567")
        residence = browser.field("Comune o Stato di residenza (facoltativo)")
        residence.send_keys("nessuno si chiama così")
        browser.press("Salva il profilo")
        browser.wait_text("Scegli un comune o uno Stato dall'elenco.", "#profile-form")
        residence.clear()
        residence.send_keys("reggio emi")
        browser.wait_text("Reggio nell'Emilia (RE)", "#residence-list")
        self.assertEqual(browser.violations(), [])
        residence.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
        self.assertEqual(residence.get_attribute("value"), "Reggio nell'Emilia (RE)")
        browser.wait_text("Milano (MI)", "#profile")
        Select(browser.field("Occupazione (facoltativa)")).select_by_visible_text("In pensione")
        Select(browser.field("Fuso orario")).select_by_value("Europe/London")
        Select(browser.field("Lingua dei messaggi")).select_by_visible_text("English")
        browser.press("Salva il profilo")
        browser.wait_text("Il profilo è salvato.")
        person = own()["person"]
        self.assertEqual((person["name"], person["residence"], person["occupation"], person["zone"]),
                         ("Eva Maria", "H223", "retired", "Europe/London"))
        self.assertEqual(own()["language"], "en")
        browser.open("/account")
        browser.settle()
        self.assertEqual(browser.value("Comune o Stato di residenza (facoltativo)"), "Reggio nell'Emilia (RE)")
        browser.fill("Telefono (facoltativo)", "")
        browser.press("Salva il profilo")
        browser.wait_text("Il profilo è salvato.")
        self.assertIsNone(own()["person"].get("phone"))

    def test_password(self):
        """ACC-10: the old password is asked for; the new one holds at once."""
        browser, address = self.browser, new_individual()
        browser.log_in(address)
        browser.open("/account")
        browser.wait_text("Questo browser")

        def change(old, new, again):
            browser.fill("Password attuale", old)
            browser.fill("Password nuova", new)
            browser.fill("Password nuova, un'altra volta", again)
            browser.press("Cambia la password", "#password-form")

        change("non è questa qui", "nave-verde-undici", "nave-verde-undici")
        browser.wait_text("La password attuale non è questa.", "#password-form")
        change(PASSWORD, "nave-verde-undici", "nave-verde-dodici")
        browser.wait_text("Le due password nuove sono diverse.", "#password-form")
        change(PASSWORD, "nave-verde-undici", "nave-verde-undici")
        browser.wait_text("La password è cambiata")
        self.assertTrue(token(address, "nave-verde-undici"))

    def test_log_out_everywhere(self):
        """ACC-16: all sessions end, this one too."""
        browser, address = self.browser, new_individual()
        other = token(address)
        browser.log_in(address)
        browser.open("/account")
        browser.wait_text("Questo browser")
        self.assertEqual(len(browser.driver.find_elements(By.CSS_SELECTOR, "#sessions > li")), 2)
        browser.press("Esci da tutti i dispositivi")
        browser.driver.switch_to.alert.accept()
        browser.wait_path("/login")

        def has_ended():
            try:
                call("GET", "/accounts/v1/me", token=other)
            except Refused as refused:
                return refused.status == 401
            return False
        eventually("the other session has ended", has_ended)


class Forgotten(PageTest):
    # Log-in with the old password, an old link, and that who is new has no score yet.
    expected = (NEW, "status of 401", "status of 410", "status of 422")

    def test_forgotten_password(self):
        """ACC-09ab: a link by mail, a new password, once; faults beside their fields."""
        browser, address, new = self.browser, new_individual(), "carro-verde-tredici"
        browser.open("/login")
        browser.press("Password dimenticata?")
        browser.wait_path("/forgot")
        browser.fill("E-mail", address)
        browser.press("Manda il collegamento")
        browser.wait_text("Guarda la posta")
        link = eventually("the mail", lambda: (lambda found: "/reset#" in found and found)(mail_link(address)))
        browser.driver.get(link)
        browser.fill("Password nuova", "corta")
        browser.fill("Password nuova, un'altra volta", "corta")
        browser.press("Cambia la password")
        browser.wait_text("Questa password è troppo facile")
        for label in ("Password nuova", "Password nuova, un'altra volta"):
            browser.fill(label, new)
        browser.press("Cambia la password")
        browser.wait_text("La password è cambiata")
        self.assertNotIn("#", browser.driver.current_url)
        browser.driver.get(link)
        for label in ("Password nuova", "Password nuova, un'altra volta"):
            browser.fill(label, new)
        browser.press("Cambia la password")
        browser.wait_text("Questo collegamento non è valido")
        token(address, new)


class Picture(PageTest):
    size = "desk"
    expected = (NEW,)

    def test_put_and_remove(self):
        """ACC-02b: a photograph from a phone is cut and made small in the browser, seen, replaced, and removed; no Exif of it is kept."""
        browser, person = self.browser, new_individual()
        browser.log_in(person)
        browser.open("/account")
        browser.wait_text("Nessuna foto.")
        seen = "const image = document.querySelector('#picture'); return image.complete ? image.naturalWidth : 0"

        def choose(colour, width, height):
            """A file as a camera makes it, with Exif; drawn by the browser itself."""
            data = browser.driver.execute_async_script("""
                const [colour, width, height, done] = arguments;
                const canvas = new OffscreenCanvas(width, height), pen = canvas.getContext("2d");
                pen.fillStyle = colour;
                pen.fillRect(0, 0, width, height);
                canvas.convertToBlob({ type: "image/jpeg" }).then((blob) => blob.arrayBuffer())
                    .then((buffer) => done([...new Uint8Array(buffer)]));
                """, colour, width, height)
            exif = b"Exif\0\0MM\0*\0\0\0\x08\0\0 Via Roma 1"
            file = bytes(data[:2]) + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + bytes(data[2:])
            with tempfile.NamedTemporaryFile(suffix=".jpg") as photo:
                photo.write(file)
                photo.flush()
                browser.field("Scegli una foto").send_keys(photo.name)
                browser.press("Usa questa foto")
                browser.wait_text("La foto è salvata.", "#notices")

        choose("red", 1600, 1200)
        browser.wait(lambda driver: driver.execute_script(seen) == 512, "the picture")
        session = token(person)
        with urllib.request.urlopen(urllib.request.Request(
                f"{BASE}/accounts/v1/me/picture", headers={"Authorization": f"Bearer {session}"})) as answer:
            kept = answer.read()
        self.assertEqual((answer.headers["Content-Type"], kept[:2]), ("image/jpeg", b"\xff\xd8"))
        self.assertNotIn(b"Via Roma", kept)
        choose("blue", 200, 300)
        browser.wait(lambda driver: driver.execute_script(seen) == 200, "the other picture")
        self.assertEqual(browser.violations(), [])
        browser.open("/account")
        browser.wait(lambda driver: driver.execute_script(seen) == 200, "the other picture, on a new page")
        browser.press("Togli la foto")
        browser.wait_text("Nessuna foto.")
        browser.field("Scegli una foto").send_keys(__file__)
        browser.press("Usa questa foto")
        browser.wait_text("non è un’immagine")


class LiveInbox(PageTest):
    expected = (NEW,)

    def test_message_comes(self):
        """ACC-17a: a message appears in the inbox that is open, without being asked for, and counts as read."""
        browser, person = self.browser, new_individual()
        browser.log_in(person)
        session = token(person)
        browser.open("/inbox")
        browser.settle()
        device = Device("Bilancia", ["weight"])
        call("POST", "/accounts/v1/devices", {"code": device.code}, session)
        browser.wait_text("Bilancia", "#messages")
        browser.wait_text("Nuovo messaggio", "#notices")
        self.assertEqual(browser.violations(), [])

        def read():
            messages = call("GET", "/accounts/v1/inbox", token=session)["messages"]
            return any("Bilancia" in one["subject"] and one["is_read"] for one in messages)
        eventually("the message is read", read)
