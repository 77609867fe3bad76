"""ACC in the browser: the link that confirms, the own profile, consents, messages and sessions, the tour, export and leaving."""

import tempfile
import urllib.request
import zipfile

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import PageTest
from suite import BASE, PASSWORD, Device, Refused, call, demo, eventually, link_token, mail_link, new_individual, new_token, token

# Who is new has no score yet, which the browser logs.
NEW = "/ingestion/v1/me/health "


class Confirming(PageTest):
    expected = ("status of 410", "status of 422")

    def test_pasted_and_expired(self):
        """ACC-06ab: the link can be pasted; one that is not valid is told in words, and another one can be sent."""
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
        self.assertTrue(new_token(address))

    def test_the_link_is_not_kept(self):
        """ACC-06a: the token comes in the fragment, nothing happens before the button, and it is gone afterwards."""
        browser, address = self.browser, new_individual(confirmed=False)
        link = mail_link(address)
        browser.driver.get(link)
        browser.find("#confirm button")
        self.assertFalse(browser.has("#token-field"))
        with self.assertRaises(Refused):
            new_token(address)
        browser.press("Conferma l'indirizzo", "#confirm")
        browser.wait_text("Indirizzo confermato")
        self.assertNotIn(link_token(link), browser.driver.current_url)
        requests = browser.driver.execute_script("return performance.getEntriesByType('resource').map(r => r.name)")
        self.assertFalse([name for name in requests if link_token(link) in name])


class Leaving(PageTest):
    # The password that is wrong, and what is asked after the session has ended.
    expected = (NEW, "status of 403", "status of 404", "status of 401", "status of 422")

    def test_leaving(self):
        """ACC-12ac: who leaves gives the password, is logged out, sees the receipt fill, and gets its link by mail."""
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
        self.assertTrue(new_token(address))
        browser.fill("La tua password, per sicurezza", PASSWORD)
        browser.press("Cancella per sempre", "#leave")
        browser.wait_path("/receipt")
        browser.wait_text("L’account è cancellato ovunque")
        browser.wait_text("Account con profilo e password")
        browser.picture("receipt-of-an-account")
        self.assertEqual(browser.violations(), [])
        with self.assertRaises(Refused):
            new_token(address)
        kept = browser.driver.current_url.split("#")[1]
        eventually("the receipt by mail", lambda: link_token(mail_link(address)) == kept)
        browser.open("/today")
        browser.wait_path("/login")

    def test_collected_data(self):
        """ACC-12f: only what was collected goes; the account, its session and its devices stay, which go on."""
        browser, address = self.browser, new_individual()
        session = token(address)
        device = Device("Orologio", ["heart-rate"])
        call("POST", "/accounts/v1/devices", {"code": device.code}, session)
        eventually("an upload that is stored", lambda: device.send("heart-rate", 71)["stored"] == 1)
        latest = lambda: [one["value"] for one in call("GET", "/ingestion/v1/me/latest", token=session)["latest"]]
        self.assertEqual(latest(), [71])
        browser.log_in(address)
        browser.open("/leave")
        browser.settle()
        browser.find("#scope-data").click()
        browser.fill("La tua password, per sicurezza", PASSWORD)
        browser.find("#sure").click()
        browser.press("Cancella per sempre", "#leave")
        browser.wait_path("/receipt")
        browser.wait_text("I dati raccolti sono cancellati")
        self.assertEqual(latest(), [])
        browser.open("/account")
        browser.wait_text(address)
        eventually("an upload that is stored", lambda: device.send("heart-rate", 72)["stored"] == 1)
        browser.open("/today")
        browser.wait_text("72", "#latest")

    def test_pasted(self):
        """ACC-12c: the link of a receipt can be pasted; one of none is told in words."""
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


class Consents(PageTest):
    expected = (NEW,)

    def test_consents(self):
        """ACC-05b: consents are withdrawn by two touches and given by one, and the receipts tell when, which way and of which text."""
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
        browser.find("#consents summary").click()
        told = [receipt.text for receipt in browser.driver.find_elements(By.CSS_SELECTOR, "#receipts li")]
        kept = call("GET", "/accounts/v1/me/consents", token=token(address))["receipts"]
        self.assertEqual((len(told), len(kept)), (5, 5))
        for text, receipt in zip(told, kept):
            self.assertTrue(text.endswith(f"testo del {receipt['version']}"), text)
            self.assertIn(", dato," if receipt["is_given"] else ", non dato,", text)
            self.assertRegex(text, r"^\d{1,2} [a-z]+ \d{4}: ")
        self.assertEqual(sum("in questa pagina" in text for text in told), 2)


class Choices(PageTest):
    expected = (NEW,)

    def test_choosing(self):
        """ACC-17b: which messages come in which way is chosen on the page; what safety requires cannot be left out."""
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
        """ACC-02e ACC-11a: what can be changed is changed, the birthplace is told by name, what was emptied is gone, and faults stand beside their fields."""
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
        browser.choose("Occupazione (facoltativa)", "In pensione")
        browser.choose("Fuso orario", "Europe/London")
        browser.choose("Lingua dei messaggi", "English")
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
        self.assertTrue(new_token(address, "nave-verde-undici"))

    def test_end_one(self):
        """ACC-16c: one session of those in the list is ended, and this one goes on."""
        browser, address = self.browser, new_individual()
        other = token(address)
        browser.log_in(address)
        browser.open("/account")
        browser.wait_text("Questo browser", "#sessions")
        browser.press("Termina", "#sessions")
        browser.wait_text("L'accesso è terminato.", "#sessions")
        eventually("the other session has ended", lambda: self.has_ended(other))
        browser.open("/account")
        browser.wait_text("Questo browser", "#sessions")
        self.assertFalse(any(button.text == "Termina" for button in browser.driver.find_elements(By.CSS_SELECTOR, "#sessions button")))

    def has_ended(self, session):
        try:
            call("GET", "/accounts/v1/me", token=session)
        except Refused as refused:
            return refused.status == 401
        return False

    def test_log_out_everywhere(self):
        """ACC-16c: all sessions end, this one too."""
        browser, address = self.browser, new_individual()
        other = token(address)
        browser.log_in(address)
        browser.open("/account")
        browser.wait_text("Questo browser")
        self.assertEqual(len(browser.driver.find_elements(By.CSS_SELECTOR, "#sessions > li")), 2)
        browser.press("Esci da tutti i dispositivi")
        browser.driver.switch_to.alert.accept()
        browser.wait_path("/login")
        eventually("the other session has ended", lambda: self.has_ended(other))


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
