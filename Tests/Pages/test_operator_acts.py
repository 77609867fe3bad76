"""NFR-06 and ACC-05, ACC-14, ACC-15 at the operators' page of accounts: the log-in, and what operators do behind it."""

import json
import re
import secrets
import tempfile

from selenium.webdriver.common.keys import Keys

from browser import LANGUAGES, SIZES, THEMES, Browser
from operators import CHECKOUT, command, status
from suite import app_code, call, eventually, fiscal_code, mail_link, new_individual, new_third_party, new_token
from suite import Refused as RefusedByAPI
from test_operators import OperatorsTest

PASSWORD = "altalena-verde-undici"


class ActsTest(OperatorsTest):
    def invite(self):
        """A new operator: the name, and the token of the invitation. Both go with the test."""
        name = f"op.{secrets.token_hex(4)}"
        said = command("operator", "invite", name)
        self.addCleanup(command, "operator", "remove", name)
        return name, said.split("/accounts/#")[1].split()[0]

    def page(self, *kind, path="/accounts/"):
        browser = Browser(*kind)
        self.addCleanup(browser.close)
        browser.driver.get(self.entrance.base + path)
        browser.find("h1")
        return browser

    def enter(self, browser, name, secret, later):
        browser.find("#name").send_keys(name)
        browser.find("#password").send_keys(PASSWORD)
        browser.find("#code").send_keys(app_code(secret, later))
        browser.find("#log-in button").click()
        browser.wait_text(name, "#who")

    def accept(self, *kind):
        """A browser in which a new operator has accepted the invitation; the name and the secret of the app."""
        name, invitation = self.invite()
        browser = self.page(*kind, path=f"/accounts/#{invitation}")
        browser.find("#invitation-picture svg")
        secret = browser.text("#invitation-secret").replace(" ", "")
        browser.find("#new-password").send_keys(PASSWORD)
        browser.find("#first-code").send_keys(app_code(secret))
        browser.find("#invitation button").click()
        browser.wait_text(name, "#who")
        return browser, name, secret

    def read(self, browser, name, within="body"):
        """Presses the button that reads entries of the audit trail, and waits for the answer."""
        browser.press(name, within)
        browser.wait(lambda driver: not driver.find_elements("css selector", "#acts button[aria-disabled]"), "the entries")

    def search(self, browser, by, value):
        browser.choose(browser.find("#by"), by)
        for field, text in (("#value", value), ("#search-reason", "segnalazione 7")):
            browser.find(field).clear()
            browser.find(field).send_keys(text)
        browser.find("#search button").click()


class LogIn(ActsTest):
    def test_invitation_and_log_in(self):
        """ACC-07a: a link from the command, an app, a password; out and in again; the link is good once, wrong codes are told."""
        browser, name, secret = self.accept("phone", "it")
        self.assertEqual(browser.driver.execute_script("return location.hash"), "")
        browser.press("Esci")
        browser.wait_text("Sei uscito.", "#notices")
        browser.find("#name").send_keys(name)
        browser.find("#password").send_keys(PASSWORD)
        browser.find("#code").send_keys("000000")
        browser.find("#log-in button").click()
        browser.wait_text("oppure la password o il codice sono sbagliati", "#notices")
        for field in ("#name", "#password", "#code"):
            browser.find(field).clear()
        self.enter(browser, name, secret, 1)
        # A page that is opened anew finds the session; another browser has none.
        browser.driver.refresh()
        browser.wait_text(name, "#who")
        other = self.page("phone", "it")
        other.find("#log-in")
        self.assertEqual(self.faults(browser, ("status of 403",)), [])
        self.assertEqual(self.faults(other), [])

    def test_used_invitation(self):
        """NFR-06: an invitation that is not good, in words; nothing is reachable without certificate or session."""
        browser = self.page("desk", "en", path=f"/accounts/#{secrets.token_urlsafe(32)}")
        browser.wait_text("This invitation was used, or is older than a day.", "#notices")
        self.assertTrue(browser.has("#log-in"))
        self.assertEqual(self.faults(browser, ("status of 410",)), [])
        for path in ("queues", "audit", "applications"):
            self.assertEqual(status(f"/accounts/v1/operator/{path}")[0], 403)
            self.assertEqual(status(f"/accounts/v1/operator/{path}", "simulator")[0], 404)
            code, problem = status(f"/accounts/v1/operator/{path}", "operator")
            self.assertEqual((code, json.loads(problem)["code"]), (401, "log-in-needed"))

    def test_document(self):
        """NFR-09: what the page asks is documented at the operators' address, for whoever has the certificate."""
        path = "/accounts/v1/operator/openapi.json"
        self.assertEqual(status(path)[0], 403)
        code, document = status(path, "operator")
        self.assertEqual(code, 200)
        documented = json.loads(document)["paths"]
        asked = {
            re.sub(r"\$\{[^}]*\}", "[^/]+", found.partition("?")[0])
            for module in (CHECKOUT / "deploy/proxy/operators/accounts").glob("*.js")
            for found in re.findall(r'\bask\(["`](/[^"`]*)', module.read_text())}
        self.assertGreater(len(asked), 8)
        for one in asked:
            self.assertTrue(any(re.fullmatch(f"/accounts/v1/operator{one}", known) for known in documented), one)


class Acts(ActsTest):
    def test_suspension(self):
        """NFR-06: a person is found by e-mail address, suspended with a reason, and restored; the log-in follows at once."""
        address = new_individual()
        browser, _, _ = self.accept("phone", "it")
        self.search(browser, "email", address)
        browser.wait_text("Persona", "#found")
        self.assertNotIn(address, browser.text("#found"))
        browser.press("Sospendi", "#found")
        browser.press("Sospendi adesso", "#found")
        browser.wait_text("Di' perché.", "#found")
        browser.find("#found input").send_keys("spam")
        browser.press("Sospendi adesso", "#found")
        browser.wait_text("L'account è sospeso", "#notices")
        with self.assertRaises(RefusedByAPI) as refused:
            new_token(address)
        self.assertIn("suspended", refused.exception.problem)
        browser.find("#found input").send_keys("chiarito")
        browser.press("Togli la sospensione", "#found")
        browser.press("Togli adesso", "#found")
        browser.wait_text("non è più sospeso", "#notices")
        new_token(address)
        self.search(browser, "fiscal_code", "XXX")
        browser.wait_text("Non è un codice fiscale.", "#search")
        self.search(browser, "email", "nessuno@example.org")
        browser.wait_text("Non c'è un account così.", "#acts")
        self.assertEqual(self.faults(browser, ("status of 422",)), [])

    def test_admission_and_audit(self):
        """ACC-15a NFR-06b: a third party's access to group statistics is opened and closed again; the audit trail tells who did it and why."""
        # One of its own: closing them ends the tokens of the company.
        company = new_third_party()
        browser, name, _ = self.accept("desk", "en")

        def answers(status):
            """Whether a new token gets this answer; one of the second in which all were revoked is revoked, too."""
            try:
                call("GET", "/query/v1/group-requests", token=new_token(company))
            except RefusedByAPI as refused:
                return refused.status == status
            return status == 200
        self.assertTrue(answers(403))
        self.search(browser, "email", company)
        browser.wait_text("Third party", "#found")
        for ask, sure, done, status in (("Open group statistics", "Open them now", "may ask about groups, with its next token", 200),
                                     ("Close group statistics", "Close them now", "may not ask about groups any more", 403)):
            browser.find("#found input").send_keys("contract 12")
            browser.press(ask, "#found")
            browser.press(sure, "#found")
            browser.wait_text(done, "#notices")
            eventually(f"group statistics answer {status}", lambda status=status: answers(status))

        def told():
            browser.press("Read the latest entries")
            browser.find("#audit tbody tr")
            # Services look people up all the time, and each look-up is an entry.
            for _ in range(10):
                text, rows = browser.text("#audit"), len(browser.driver.find_elements("css selector", "#audit tbody tr"))
                if all(word in text for word in (f"operator {name}", "opened group statistics", "contract 12")):
                    return True
                if not browser.has("#more-audit"):
                    return False
                browser.press("Older entries")
                browser.wait(
                    lambda driver: len(driver.find_elements("css selector", "#audit tbody tr")) > rows, "older entries")
            return False
        eventually("the entry of the admission", told)
        self.assertEqual(self.faults(browser), [])

    def test_operators_acts(self):
        """NFR-06b, NFR-08: operators' acts are read apart from look-ups, with the keyboard; the page says which entries are shown."""
        browser, name, _ = self.accept("phone", "it")
        # The entry of the log-in is tied to the others within about a second.
        box = browser.find("#operators-only")
        browser.driver.execute_script("arguments[0].focus()", box)
        box.send_keys(Keys.SPACE)
        self.assertTrue(box.is_selected())

        def told():
            self.read(browser, "Leggi le ultime voci")
            browser.wait_text("Solo ciò che hanno fatto i gestori, dall'ultima voce.", "#audit-shown")
            return any(row["Chi"] == f"operator {name}" and row["Che cosa"] == "ha fatto l'accesso"
                       for row in self.rows(browser, "audit"))
        eventually("the entry of the log-in", told)
        actors = {row["Chi"] for row in self.rows(browser, "audit")}
        self.assertTrue(all(actor.startswith("operator ") or actor in ("operator", "command") for actor in actors), actors)
        self.assertEqual(browser.violations(), [])
        self.assertLessEqual(browser.overflow(), 0)
        box.click()
        self.read(browser, "Leggi le ultime voci")
        browser.wait_text("Tutte le voci, dall'ultima.", "#audit-shown")
        self.assertEqual(self.faults(browser), [])

    def test_entries_of_account(self):
        """NFR-06b, NFR-08: who has read an account's data is read where it was found, with a reason, and gone after the log-out."""
        address = new_individual()
        browser, name, _ = self.accept("desk", "en")
        self.search(browser, "email", address)
        browser.wait_text("Person", "#found")
        browser.press("Read its entries in the audit trail", "#found")
        browser.wait_text("Say why.", "#found")
        self.assertFalse(browser.has("#audit"))
        browser.find("#found input").send_keys("ticket 12")
        account = browser.text("#found code")

        def told():
            self.read(browser, "Read its entries in the audit trail", "#found")
            browser.wait_text(f"Entries about the account {account}, the latest first.", "#audit-shown")
            done = [(row["Who"], row["What"], row["Why"]) for row in self.rows(browser, "audit")]
            # The second time the page shows that it was read before.
            return all((f"operator {name}", what, why) in done for what, why in (
                ("looked for an account", "segnalazione 7"), ("read the entries about an account", "ticket 12")))
        eventually("the entries about the account", told)
        self.assertEqual(len({row["Of whom"] for row in self.rows(browser, "audit")}), 1)
        self.assertEqual(browser.driver.switch_to.active_element.get_attribute("id"), "audit-shown")
        self.assertFalse(browser.has("#more-audit"))
        self.assertEqual(browser.violations(), [])
        browser.press("Log out")
        browser.find("#log-in")
        self.assertNotIn(account, browser.driver.page_source)
        self.assertEqual(self.faults(browser), [])

    def test_application(self):
        """ACC-14f: an application is admitted; its secret is shown once; another one takes its place; it is withdrawn."""
        browser, _, _ = self.accept("desk", "en")
        name = f"Fit {secrets.token_hex(4)}"
        browser.find("#applications-heading")
        browser.driver.execute_script("document.querySelector('details').open = true")
        browser.find("#application-name").send_keys(name)
        browser.find("#redirect-uris").send_keys("https://fit.example/done\ncom.example.fit:/done")
        browser.press("Admit", "#admit")
        browser.wait_text("Choose at least one data type.", "#notices")
        browser.find("#type-steps").click()
        browser.press("Admit", "#admit")
        first = browser.text("#client-secret")
        self.assertEqual(len(first), 43)
        browser.press("They have it", "#made")
        self.assertFalse(browser.has("#made"))
        card = f"#applications li:has([id='withdrawal-{self.client(browser, name)}'])"
        browser.press("Another secret", card)
        browser.press("Replace the secret now", card)
        browser.wait(lambda _: browser.text("#client-secret") not in ("", first), "another secret")
        browser.find(f"{card} input").send_keys("test over")
        browser.press("Withdraw", card)
        browser.press("Withdraw it now", card)
        browser.wait_text(f"{name} is withdrawn", "#notices")
        self.assertEqual(self.faults(browser), [])

    def client(self, browser, name):
        """The id of the application with that name in the list."""
        def listed(driver):
            return driver.execute_script("""
                const card = [...document.querySelectorAll("#applications li")].find((li) => li.querySelector("h3").textContent === arguments[0]);
                return card?.querySelector("code").textContent;""", name)
        return browser.wait(listed, name)

    def test_people(self):
        """ACC-05: a file with a mistake is told by line; mended, its people get a mail that leads to a password."""
        browser, _, _ = self.accept("phone", "it")
        address = f"{secrets.token_hex(6)}@example.org"
        person = {"email": address, "name": "Ugo", "surname": "Foscolo", "birth_date": "1978-02-06",
                  "fiscal_code": fiscal_code("1978-02-06"), "data_types": ["steps"]}
        good = self.file(json.dumps(person))
        bad = self.file("{}\n" + json.dumps(person))
        browser.find("#population").send_keys(f"ambulatorio {secrets.token_hex(4)}")
        browser.find("#file").send_keys(bad)
        browser.press("Registra", "#people")
        browser.wait_text("line 1", "#people-faults")
        browser.find("#file").send_keys(good)
        browser.press("Registra", "#people")
        browser.wait_text("Persone registrate: 1", "#notices")
        self.assertIn("/reset#", eventually("the mail", lambda: mail_link(address)))
        self.assertEqual(self.faults(browser, ("status of 422",)), [])

    def file(self, text):
        made = tempfile.NamedTemporaryFile("w", suffix=".jsonl")
        self.addCleanup(made.close)
        made.write(text)
        made.flush()
        return made.name

    def test_every_look(self):
        """NFR-08: in both languages, themes and sizes: accessible, within the window, without a fault."""
        _, name, secret = self.accept("phone", "it")
        later = 1
        for size in SIZES:
            for language in LANGUAGES:
                for theme in THEMES:
                    with self.subTest(size=size, language=language, theme=theme):
                        browser = self.page(size, language, theme)
                        browser.find("#log-in")
                        self.assertEqual(browser.violations(), [])
                        self.assertLessEqual(browser.overflow(), 0)
                        if later <= 2:
                            self.enter(browser, name, secret, later)
                            later += 1
                            browser.find("#mail tbody tr")
                            browser.settle()
                            self.assertEqual(browser.violations(), [])
                            self.assertLessEqual(browser.overflow(), 0)
                        self.assertEqual(self.faults(browser), [])
                        browser.picture("operator-acts")
                        browser.close()
