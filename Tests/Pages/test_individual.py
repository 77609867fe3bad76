"""ACC, ING, REQ in the browser: registering, logging in and out, seeing the own data, deciding who gets it."""

import random
import re
from datetime import datetime, timedelta, timezone


from browser import PageTest
from suite import PASSWORD, Device, call, demo, eventually, fiscal_code, mail_link, new_individual, new_third_party, token


class Registering(PageTest):
    # The browser logs every refusal: of the wrong password, of the fields; and that who is new has no score yet.
    expected = ("status of 401", "status of 403", "status of 422", "/ingestion/v1/me/health ")

    def test_from_registration_to_today(self):
        """ACC-02a ACC-06a ACC-07a: faults stand beside their fields, what was typed stays, the mail's link confirms."""
        browser, address = self.browser, f"anna.{random.randrange(10**9)}@example.org"
        browser.open("/register")
        browser.press("Registrati", "main")
        browser.wait_text("Controlla i campi segnati")
        browser.wait_text("Scrivi il cognome")
        browser.fill("Nome", "Anna <script>alert(1)</script>")
        browser.fill("Cognome", "D'Àvila \u202e")
        browser.fill("Data di nascita", "1958-03-17")
        browser.fill("Codice fiscale", "RSSMRA85T10A562S")
        browser.fill("E-mail", address)
        browser.fill("Password", PASSWORD)
        browser.find("#accepts").click()
        browser.press("Registrati", "main")
        browser.wait_text("Controlla i campi segnati")
        self.assertEqual(browser.value("E-mail"), address)
        browser.fill("Nome", "Anna")
        browser.fill("Cognome", "Rossi")
        browser.fill("Codice fiscale", fiscal_code("1958-03-17").lower())
        browser.press("Registrati", "main")
        browser.wait_text("Quasi fatto")

        browser.open("/login")
        browser.fill("E-mail o codice fiscale", address)
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_text("Manda di nuovo il messaggio")

        browser.driver.get(mail_link(address))
        browser.press("Conferma l'indirizzo", "#confirm")
        browser.wait_text("Indirizzo confermato")
        browser.open("/login")
        browser.fill("E-mail o codice fiscale", address)
        browser.fill("Password", "non è questa qui")
        browser.press("Accedi", "#login")
        browser.wait_text("Nome o password non sono giusti.")
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_path("/tour")
        browser.press("Salta il giro")
        browser.wait_path("/today")
        browser.wait_text("Non ci sono ancora misure.")
        browser.settle()
        self.assertFalse(browser.has(".notice") or browser.has("#health"))


class Seeing(PageTest):
    def test_today_and_a_week(self):
        """ING-06 ING-09: the newest values, the score with reasons, a week as a chart and as a table."""
        self.browser.log_in(demo("Individuals")[0])
        self.browser.wait_text("Frequenza cardiaca")
        self.browser.wait_text("Punteggio di salute")
        self.browser.driver.find_element("css selector", "a[href='/measurements/heart-rate']").click()
        self.browser.wait_path("/measurements/heart-rate")
        self.browser.press("Mese")
        # Its page has the same elements as the one before.
        self.browser.find("[data-span=month][aria-current]")
        self.browser.find("summary").click()
        eventually("a table of a month", lambda: len(self.browser.driver.find_elements("css selector", "#rows tr")) > 20)


class Sessions(PageTest):
    def test_log_out_everywhere(self):
        """ACC-16c: scripts cannot read the tokens; log-out ends every tab; the way back leads to the page asked for."""
        browser = self.browser
        browser.log_in(demo("Individuals")[1])
        cookies = browser.driver.execute_script("return document.cookie")
        self.assertNotIn("trackme", cookies)
        first = browser.driver.current_window_handle
        browser.driver.switch_to.new_window("tab")
        browser.open("/account")
        browser.wait_text("Questo browser")
        second = browser.driver.current_window_handle
        browser.press("Menu")
        browser.press("Esci")
        browser.wait_path("/login")
        browser.driver.switch_to.window(first)
        browser.wait_path("/login")
        browser.open("/requests")
        browser.wait_path("/login")
        browser.fill("E-mail o codice fiscale", demo("Individuals")[1])
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_path("/requests")
        self.assertNotEqual(first, second)

    def test_no_network(self):
        """A network that is gone is told in words, and what was typed stays."""
        self.expected = ("ERR_INTERNET_DISCONNECTED",)
        browser = self.browser
        browser.open("/login")
        browser.settle()
        browser.fill("E-mail o codice fiscale", "anna@example.org")
        browser.fill("Password", PASSWORD)
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
        browser.press("Accedi", "#login")
        browser.wait_text("Sei senza connessione")
        browser.wait_text("Quello che hai scritto è ancora qui.")
        self.assertEqual(browser.field("E-mail o codice fiscale").get_attribute("value"), "anna@example.org")


class Deciding(PageTest):
    def test_accept_a_part_and_withdraw(self):
        """REQ-04 REQ-05 REQ-10: who asks, for what and why; part-acceptance; withdrawal in two touches."""
        person, asking = demo("Individuals")[2], token(demo("Third party")[0])
        now = datetime.now(timezone.utc)
        reason = f"Studio sul cuore <b>{random.randrange(10**6)}</b>"
        made = call("POST", "/query/v1/requests", {
            "email": person, "data_types": ["heart-rate", "steps"], "from": (now - timedelta(days=7)).isoformat(),
            "to": (now + timedelta(days=30)).isoformat(), "mode": "subscription", "reason": reason}, asking)
        browser = self.browser
        browser.log_in(person)
        browser.open("/requests")
        browser.wait_text(reason, "#pending")
        self.assertIn("Lombardy Heart Study", browser.text("#pending"))
        steps = next(box for box in browser.driver.find_elements("css selector", "#pending input")
                     if box.get_attribute("value") == "steps")
        steps.click()
        browser.press("Accetta", "#pending")
        browser.wait_text("Hai accettato.")
        browser.wait_text("Vede: Frequenza cardiaca", "#followers")
        state = lambda: call("GET", f"/query/v1/requests/{made['id']}", token=asking)
        self.assertEqual(state()["accepted_types"], ["heart-rate"])
        # Who presses twice at the same place has decided nothing, also where the page ends.
        browser.driver.execute_script("document.querySelector('#past').replaceChildren()")
        browser.press_twice("Revoca", "#followers")
        browser.press("Revoca", "#followers")
        self.assertEqual(state()["state"], "accepted")
        browser.press("Sì, revoca subito", "#followers")
        browser.wait_text("Consenso revocato")
        self.assertEqual(state()["state"], "withdrawn")
        browser.open("/access-log")
        browser.wait_text("Ti ha cercato", "#accesses")

    def test_terms_followers_and_log(self):
        """REQ-04b REQ-10a REQ-11 SUB-01b: how fine and how often stand in words before the decision; who follows, since and until
        when, and what was received last; the log has who, which way, how many of each type and of when; look-ups by themselves."""
        person, company = demo("Individuals")[3], new_third_party()
        asking, session, now = token(company), token(person), datetime.now(timezone.utc)
        reason = f"Termini {random.randrange(10**6)}"
        made = call("POST", "/query/v1/requests", {
            "email": person, "data_types": ["heart-rate", "steps"], "from": (now - timedelta(days=4)).isoformat(),
            "to": (now + timedelta(days=30)).isoformat(), "mode": "subscription", "granularity": "hour",
            "frequency": "interval", "every_minutes": 30, "reason": reason}, asking)["id"]
        self.addCleanup(lambda: call("GET", f"/query/v1/requests/{made}", token=token(company))["state"] in ("pending", "accepted")
                        and call("DELETE", f"/query/v1/requests/{made}", token=token(company)))
        browser = self.browser
        browser.log_in(person)
        browser.open("/requests")
        browser.wait_text(reason, "#pending")
        card = next(card for card in browser.driver.find_elements("css selector", "#pending > li") if reason in card.text)
        self.assertIn("Un valore per ogni ora, ogni 30 minuti", card.text)
        browser.driver.execute_script("arguments[0].id = 'asked'", card)
        browser.press("Accetta", "#asked")
        browser.wait_text("Hai accettato.", "#asked")
        follower = lambda: next(card.text for card in browser.driver.find_elements("css selector", "#followers > li") if reason in card.text)
        self.assertIn("ancora nulla", follower())
        data = lambda: call("GET", f"/query/v1/requests/{made}/data?limit=20000", token=asking).get("sums", ())
        eventually("sums of the past of both types", lambda: {one["type"] for one in data()} == {"heart-rate", "steps"})
        read = lambda: next((one for one in call("GET", "/query/v1/me/requests", token=session)["requests"] if one["id"] == made), {})
        eventually("when it was received last", lambda: "last_read_at" in read())
        browser.open("/requests")
        browser.wait_text(reason, "#followers")
        for words in ("Un valore per ogni ora, ogni 30 minuti", "Da quando", "Fino a quando", "Ultima ricezione"):
            self.assertIn(words, follower())
        self.assertNotIn("ancora nulla", follower())

        entries = lambda way: [one for one in call("GET", "/query/v1/me/access-log?limit=100", token=session)["accesses"]
                               if one.get("request_id") == made and one["way"] == way]
        entry, *_ = eventually("the read of both types in the log",
                               lambda: [one for one in entries("page") if len(one["counts"]) == 2])
        browser.open("/access-log")
        browser.wait_text("Letti a pagine", "#accesses")
        cards = [card.text for card in browser.driver.find_elements("css selector", "#accesses > li") if entry["requester_name"] in card.text]
        received = next(text for text in cards if "Letti a pagine" in text)
        # Italian groups digits from five on.
        count = entry["counts"]["heart-rate"]
        self.assertIn(f"Frequenza cardiaca: {count if count < 10_000 else f'{count:,}'.replace(',', '.')}", received.splitlines())
        self.assertIn("Misurati dal", received)
        looked_up = next(text for text in cards if "Ti ha cercato" in text)
        self.assertNotIn("Misurati dal", looked_up)
        browser.press("Chi ti ha cercato", "#shown")
        browser.wait(lambda _: not browser.has("#accesses > li:not([data-way=look-up])"), "nothing but look-ups")
        self.assertIn(entry["requester_name"], browser.text("#accesses"))
        browser.press("Dati ricevuti", "#shown")
        browser.wait(lambda _: not browser.has("#accesses > li[data-way=look-up]"), "no look-ups")
        browser.wait_text("Letti a pagine", "#accesses")

    def test_one_of_two(self):
        """REQ-05: who presses twice decides one request, and what was chosen in the other one stays; faults are told in sight."""
        person, now = demo("Individuals")[11], datetime.now(timezone.utc)
        asking = [token(new_third_party()) for _ in range(2)]
        made = [call("POST", "/query/v1/requests", {
            "email": person, "data_types": ["heart-rate", "steps"], "from": (now - timedelta(days=7)).isoformat(),
            "to": (now - timedelta(days=1)).isoformat(), "mode": "once", "reason": f"Motivo {number}"}, company)["id"]
            for number, company in enumerate(asking)]
        browser = self.browser
        browser.log_in(person)
        browser.open("/requests")
        browser.wait_text("Motivo 0", "#pending")
        cards = browser.driver.find_elements("css selector", "#pending > li")
        first, second = (next(card for card in cards if f"Motivo {number}" in card.text) for number in range(2))
        boxes = second.find_elements("css selector", "input")
        boxes[0].click()
        boxes[1].click()
        id_of = lambda card: browser.driver.execute_script("return arguments[0].id = arguments[0].id || 'card-' + Math.random().toString(36).slice(2)", card)
        browser.press("Accetta", f"#{id_of(second)}")
        browser.wait_text("Scegli almeno un tipo di dati", "#notices")
        top, bottom, height = browser.driver.execute_script(
            "const { top, bottom } = document.querySelector('#notices .notice').getBoundingClientRect(); return [top, bottom, innerHeight]")
        self.assertTrue(0 <= top < bottom <= height)
        browser.press_twice("Rifiuta", f"#{id_of(first)}")
        browser.wait_text("Hai rifiutato.", f"#{id_of(first)}")
        browser.wait(lambda _: browser.driver.execute_script("return arguments[0].contains(document.activeElement)", first), "the focus on the outcome")
        self.assertFalse(any(box.is_selected() for box in second.find_elements("css selector", "input")))
        # The next card is not where the button was.
        bottom = browser.driver.execute_script("return arguments[0].querySelector('.notice').getBoundingClientRect().bottom", first)
        self.assertLessEqual(bottom, browser.driver.execute_script("return innerHeight"))
        states = [call("GET", f"/query/v1/requests/{one}", token=company)["state"] for one, company in zip(made, asking)]
        self.assertEqual(states, ["refused", "pending"])


class Devices(PageTest):
    # A wrong number, and that who is new has no score yet.
    expected = ("status of 404", "status of 422", "/ingestion/v1/me/health ")

    def test_pair_and_remove(self):
        """ACC-14ab: a device is paired by the six digits that it shows, pasted with spaces too; what it measures is seen; it is removed."""
        browser, person = self.browser, new_individual()
        browser.log_in(person)
        browser.open("/devices")
        browser.wait_text("Nessun dispositivo collegato.")
        device = Device("Orologio <b>", ["heart-rate"])
        for wrong, told in (("12", "Scrivi le sei cifre"), (f"{(int(device.code) + 1) % 10**6:06}", "Nessun dispositivo mostra ora questo numero")):
            browser.fill("Numero di sei cifre", wrong)
            browser.press("Collega", "#pair")
            browser.wait_text(told)
        browser.fill("Numero di sei cifre", f"{device.code[:3]}-{device.code[3:]}")
        browser.press("Collega", "#pair")
        browser.wait_text("Orologio <b> è collegato.")
        browser.wait_text("Frequenza cardiaca", "#devices")
        device.send("heart-rate", 64)
        browser.open("/today")
        browser.wait_text("64", "#latest")
        browser.open("/devices")
        browser.wait_text("Ultimo collegamento", "#devices")
        browser.press_twice("Rimuovi", "#devices")
        browser.press("Sì, rimuovilo", "#devices")
        browser.wait_text("Nessun dispositivo collegato.")

    def test_change_and_replace(self):
        """ACC-14bc: a device is renamed, told what to provide, which alone is taken, and replaced by another one that takes its place."""
        browser, person = self.browser, new_individual()
        session = token(person)
        old = Device("Orologio", ["heart-rate", "steps"])
        call("POST", "/accounts/v1/devices", {"code": old.code}, session)
        browser.log_in(person)
        browser.open("/devices")
        browser.wait_text("Orologio", "#devices")
        browser.find("#devices summary").click()
        browser.fill("Nome", "Al polso")
        browser.find("#devices input[value=steps]").click()
        browser.press("Salva", "#devices")
        browser.wait_text("Il dispositivo è modificato.")
        eventually("steps that are not taken", lambda: self.taken(old, "steps", 120) == (0, ["steps"]))
        self.assertEqual(self.taken(old, "heart-rate", 64), (1, []))
        new = Device("Altro", ["heart-rate", "steps"])
        browser.fill("Numero di sei cifre", new.code)
        browser.choose("Sostituisce un tuo dispositivo?", "Al polso")
        browser.press("Collega", "#pair")
        browser.wait_text("Al polso è collegato.")
        browser.wait_text("Al posto di un altro", "#devices")
        devices = call("GET", "/accounts/v1/devices", token=session)["devices"]
        self.assertEqual([(device["name"], device["data_types"]) for device in devices], [("Al polso", ["heart-rate"])])

    def taken(self, device, data_type, value):
        """How many values of an upload are stored, and the types that the device is told not to provide."""
        answer = device.send(data_type, value)
        return answer["stored"], answer["withheld"]

    def test_types(self):
        """ACC-14c: a type that is not collected is taken from no device, which is told; other types are, and it comes back."""
        browser, person = self.browser, new_individual()
        session = token(person)
        watch, phone = Device("Orologio", ["heart-rate", "steps"]), Device("Telefono", ["steps"])
        for device in (watch, phone):
            call("POST", "/accounts/v1/devices", {"code": device.code}, session)
        eventually("an upload that is stored", lambda: self.taken(watch, "steps", 11) == (1, []))

        def choose(is_collected):
            """Ticks or clears the steps on a page that is opened anew, and saves."""
            browser.open("/devices")
            browser.wait_text("Si raccoglie.", "[data-group=health]")
            browser.find("[aria-labelledby=collection-title] summary").click()
            box = browser.find("#types input[value=steps]")
            self.assertNotEqual(box.is_selected(), is_collected)
            box.click()
            browser.press("Salva", "#types")
            browser.wait_text("La scelta è salvata.")

        browser.log_in(person)
        choose(False)
        excluded = lambda: call("GET", "/accounts/v1/me/collection", token=session)["excluded_types"]
        self.assertEqual(excluded(), ["steps"])
        # Ingestion learns of the choice, and of a device, within a moment.
        refused = lambda device, value: eventually("steps that are not taken", lambda: self.taken(device, "steps", value) == (0, ["steps"]))
        for device in (watch, phone):
            refused(device, 120)
            self.assertEqual(self.taken(device, "steps", 121), (0, ["steps"]))
        self.assertEqual(self.taken(watch, "heart-rate", 64), (1, []))
        # One that comes later provides none either.
        later = Device("Anello", ["steps"])
        call("POST", "/accounts/v1/devices", {"code": later.code}, session)
        refused(later, 130)
        self.assertEqual(self.taken(later, "steps", 131), (0, ["steps"]))
        newest, = [one["value"] for one in call("GET", "/ingestion/v1/me/latest", token=session)["latest"] if one["type"] == "steps"]
        self.assertNotIn(newest, (121, 131))
        browser.open("/today")
        browser.wait_text("64", "#latest")

        choose(True)
        self.assertEqual(excluded(), [])
        for number, device in enumerate((watch, phone, later)):
            eventually("steps that are taken again", lambda: self.taken(device, "steps", 140 + number) == (1, []))

    def test_number_of_the_page(self):
        """ACC-14a: the page shows a number, a device gets it, and its owner says that it is the own one."""
        browser, person = self.browser, new_individual()
        browser.log_in(person)
        browser.open("/devices")
        browser.press("Mostra un numero")
        browser.wait_text("vale fino alle", "#number")
        code = re.match(r"(\d{3}) (\d{3})", browser.text("#number"))
        call("POST", "/accounts/v1/pairings/redeem", {"code": "".join(code.groups()), "name": "Telefono", "data_types": ["steps"]})
        browser.wait_text("«Telefono» vuole essere collegato")
        browser.press("È mio: collegalo")
        browser.wait_text("Telefono è collegato.")
        browser.wait_text("Telefono", "#devices")

    def test_pause(self):
        """ACC-14e ING-14a: health data is paused by two touches, what is measured meanwhile is not stored, and it goes on."""
        browser, person = self.browser, new_individual()
        session = token(person)
        device = Device("Orologio", ["heart-rate", "position"])
        call("POST", "/accounts/v1/devices", {"code": device.code}, session)
        browser.log_in(person)
        browser.open("/devices")
        health = "[data-group=health]"
        browser.wait_text("Si raccoglie.", health)
        browser.press_twice("Metti in pausa", health)
        browser.press("Sì, in pausa", health)
        browser.wait_text("La raccolta è in pausa.")
        paused = lambda: "health" in device.send("heart-rate", 64)["paused"]
        eventually("an upload that is paused", paused)
        browser.press("Riprendi la raccolta", health)
        browser.wait_text("La raccolta è ripresa.")
        eventually("an upload that is stored", lambda: device.send("heart-rate", 65)["stored"] == 1)

    def test_pause_with_an_end(self):
        """ACC-14e: the position is paused for an hour by itself, the page says until when, and health data goes on."""
        browser, person = self.browser, new_individual()
        browser.log_in(person)
        browser.open("/devices")
        position = "[data-group=position]"
        browser.wait_text("Si raccoglie.", position)
        browser.choose(browser.find("#pause-position"), "Un'ora")
        browser.press("Metti in pausa", position)
        browser.press("Sì, in pausa", position)
        browser.wait_text("In pausa fino al", position)
        self.assertIn("Si raccoglie.", browser.text("[data-group=health]"))
        session = token(person)
        own = lambda: call("GET", "/accounts/v1/me/collection", token=session)
        until = datetime.fromisoformat(own()["position"]["paused_until"].replace("Z", "+00:00"))
        self.assertLess(abs(until - datetime.now(timezone.utc) - timedelta(hours=1)), timedelta(minutes=2))
        self.assertFalse(own()["position"]["is_collected"])
        self.assertTrue(own()["health"]["is_collected"])
        browser.press("Riprendi la raccolta", position)
        browser.wait_text("Si raccoglie.", position)
        self.assertTrue(own()["position"]["is_collected"])


class WithoutScript(PageTest):
    def test_reading(self):
        """NFR-08: runs, terms and help are read without JavaScript."""
        self.browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        for path, text in (("/runs", "In corso e in programma"), ("/terms", "Informativa sulla privacy"), ("/help", "Come si comincia")):
            self.browser.open(path)
            self.assertIn(text, self.browser.driver.page_source)
