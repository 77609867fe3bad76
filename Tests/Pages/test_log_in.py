"""ACC in the browser: what a log-in may ask for beside the password: codes, passkeys, new terms; and a password that is forgotten."""

from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions

from browser import PageTest
from suite import PASSWORD, app_code, eventually, mail_link, new_individual, new_token

# Who is new has no score yet, which the browser logs.
NEW = "/ingestion/v1/me/health "


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
        """ACC-07a: a code is set up by picture or text, asked for at the log-in, and switched off; recovery codes stand in for it, and are made anew."""
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
        browser.find("#factor-renew summary").click()
        browser.find("#renew-password").send_keys(PASSWORD)
        browser.find("#renew-code").send_keys(recovery[1])
        browser.press("Nuovi codici di recupero", "#factor-renewing")
        browser.wait_text("Codici di recupero rimasti: 10.")
        renewed = browser.find("#recovery-codes").text.split()
        self.assertEqual(len(set(renewed) - set(recovery)), 10)
        browser.find("#factor-remove summary").click()
        browser.find("#remove-password").send_keys(PASSWORD)
        browser.find("#remove-code").send_keys(recovery[2])
        browser.press("Disattiva il codice", "#factor-removing")
        browser.wait_text("Questo codice è sbagliato o già usato")
        browser.find("#remove-code").clear()
        browser.find("#remove-code").send_keys(renewed[0])
        browser.press("Disattiva il codice", "#factor-removing")
        browser.wait_text("L’accesso chiede solo la password.")
        self.assertTrue(new_token(address))


class Passkeys(PageTest):
    # The password alone, a passkey that is gone, and who is not logged in.
    expected = (NEW, "status of 403", "status of 401")

    def test_passkey(self):
        """ACC-07a: a passkey is added, logs in beside the password, with a code in its place where it is missing, and is removed."""
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
        self.assertTrue(new_token(address))


class NewTerms(PageTest):
    expected = ("status of 403", NEW)

    def test_accepting(self):
        """ACC-05c: terms that have changed are asked for at the log-in, and what was typed stays."""
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
        new_token(address, new)
