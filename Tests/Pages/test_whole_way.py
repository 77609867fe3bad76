"""The whole way of a new user: registering, pairing, losing the password, taking everything along and leaving, by the pages alone, and
by the published documents and curl alone."""

import io
import json
import random
import subprocess
import unittest
import urllib.parse
import zipfile
from datetime import datetime, timezone

from browser import PageTest
from suite import BASE, PASSWORD, Device, eventually, fiscal_code, link_token, mail_link

NEW_PASSWORD = "quercia-blu-tredici"


class ByPages(PageTest):
    # The password that was lost, what is asked after the session has ended, and that who is new has no score yet.
    expected = ("status of 401", "status of 404", "/ingestion/v1/me/health ")

    def test_from_registration_to_leaving(self):
        """ACC-02a ACC-06a ACC-09a ACC-12ac ACC-13 ACC-14a: nothing of it needs anything but the pages, the mail and the device."""
        browser, address = self.browser, f"ada.{random.randrange(10**9)}@example.org"
        browser.open("/register")
        browser.settle()
        for label, text in (("Nome", "Ada"), ("Cognome", "Ferri"), ("Data di nascita", "1966-05-12"),
                            ("Codice fiscale", fiscal_code("1966-05-12")), ("E-mail", address), ("Password", PASSWORD)):
            browser.fill(label, text)
        browser.find("#accepts").click()
        for consent in ("health_data", "position"):
            browser.find(f"#consent-{consent}").click()
        browser.press("Registrati", "main")
        browser.wait_text("Quasi fatto")
        browser.driver.get(mail_link(address))
        browser.press("Conferma l'indirizzo", "#confirm")
        browser.wait_text("Indirizzo confermato")
        self.enter(address, PASSWORD)
        browser.wait_path("/tour")
        browser.press("Salta il giro")
        browser.wait_path("/today")

        browser.open("/devices")
        browser.wait_text("Nessun dispositivo collegato.")
        device = Device("Orologio", ["heart-rate"])
        browser.fill("Numero di sei cifre", device.code)
        browser.press("Collega", "#pair")
        browser.wait_text("Orologio è collegato.")
        device.send("heart-rate", 71)
        browser.open("/today")
        browser.wait_text("71", "#latest")

        browser.open("/account")
        browser.settle()
        browser.press("Menu")
        browser.press("Esci")
        browser.wait_path("/login")
        browser.open("/login")
        browser.settle()
        browser.press("Password dimenticata?", "main")
        browser.wait_path("/forgot")
        browser.settle()
        browser.fill("E-mail", address)
        browser.press("Manda il collegamento", "main")
        browser.wait_text("Guarda la posta")
        browser.driver.get(reset_link(address))
        browser.settle()
        for field in ("#new_password", "#new_password_again"):
            browser.find(field).send_keys(NEW_PASSWORD)
        browser.press("Cambia la password", "main")
        browser.wait_text("La password è cambiata")
        self.enter(address, NEW_PASSWORD)
        browser.wait_path("/today")
        browser.wait_text("71", "#latest")

        browser.open("/account")
        browser.settle()
        browser.press("Prepara i miei dati", "main")
        browser.wait_text("Pronto fino al")
        browser.find("#export-password").send_keys(NEW_PASSWORD)
        browser.press("Scarica l’archivio", "main")
        archive = zipfile.ZipFile(browser.downloaded(".zip"))
        self.assertIsNone(archive.testzip())
        self.assertIn(address, archive.read("account/profile.json").decode())
        self.assertTrue(any("heart-rate" in name for name in archive.namelist()), archive.namelist())
        browser.wait_text("L’archivio è salvato.")

        browser.open("/leave")
        browser.settle()
        browser.find("#scope-account").click()
        browser.fill("La tua password, per sicurezza", NEW_PASSWORD)
        browser.find("#sure").click()
        browser.press("Cancella per sempre", "#leave")
        browser.wait_path("/receipt")
        browser.wait_text("L’account è cancellato ovunque")
        self.assertFalse(self.accepts(address))

    def enter(self, address, password):
        browser = self.browser
        browser.open("/login")
        browser.settle()
        browser.fill("E-mail o codice fiscale", address)
        browser.fill("Password", password)
        browser.press("Accedi", "#login")

    def accepts(self, address):
        """Whether a log-in with the new password is accepted."""
        return Document("accounts").ask("logIn", {"login": address, "password": NEW_PASSWORD}, refused=(401,)) is not None


def reset_link(address):
    """The link to a new password, once its mail has come."""
    return eventually("the mail with the link", lambda: (lambda found: "/reset#" in found and found)(mail_link(address)))


class Document:
    """A service's published document, and calls that are made from it: the paths, the examples of bodies and the statuses are its own."""

    def __init__(self, service):
        self._document = json.loads(curl(f"{BASE}/{service}/openapi.json")[1])
        self._operations = {
            operation["operationId"]: (method, path, operation)
            for path, item in self._document["paths"].items() for method, operation in item.items() if "operationId" in operation}

    def ask(self, name, body=None, token=None, refused=(), raw=False, **parameters):
        """The answer to an operation; `None` when it is refused with one of the statuses. `body` changes members of the example."""
        method, path, operation = self._operations[name]
        for parameter, value in parameters.items():
            path = path.replace(f"{{{parameter}}}", urllib.parse.quote(value))
        assert "{" not in path, path
        words = ["--request", method.upper(), BASE + path]
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content:
            words += ["--header", "Content-Type: application/json", "--data", json.dumps(self._example(content["application/json"]) | (body or {}))]
        elif content:
            words += [word for pair in body.items() for word in ("--data-urlencode", "=".join(pair))]
        if token:
            assert operation.get("security", self._document.get("security")), f"{name} takes no token"
            words += ["--header", f"Authorization: Bearer {token}"]
        status, answer = curl(*words)
        assert str(status) in operation["responses"], f"{name}: {status} is not in the document"
        if status in refused:
            return None
        assert status < 300, f"{name}: {status} {answer[:500]}"
        return answer if raw else json.loads(answer) if answer else {}

    @staticmethod
    def _example(media):
        if "example" in media:
            return media["example"]
        return next(iter(media["examples"].values()))["value"] if "examples" in media else {}


def curl(*words):
    """The status and the body of an answer."""
    done = subprocess.run(
        ["curl", "--silent", "--show-error", "--max-time", "30", "--write-out", "\n%{http_code}", *words],
        capture_output=True, check=True, timeout=60)
    body, _, status = done.stdout.rpartition(b"\n")
    return int(status), body


class ByDocuments(unittest.TestCase):
    def test_from_registration_to_leaving(self):
        """NFR-09 ACC-02a ACC-06a ACC-09ab ACC-12ac ACC-13 ACC-14a: with nothing but curl and what the services publish."""
        accounts, ingestion = Document("accounts"), Document("ingestion")
        address = f"ugo.{random.randrange(10**9)}@example.org"
        terms = accounts.ask("terms")["individual"]["version"]
        accounts.ask("registerIndividual", {
            "email": address, "fiscal_code": fiscal_code("1985-12-10"), "password": PASSWORD, "terms_version": terms})
        accounts.ask("logIn", {"login": address, "password": PASSWORD}, refused=(401, 403))
        accounts.ask("confirm", {"token": link_token(mail_link(address))})
        token = accounts.ask("logIn", {"login": address, "password": PASSWORD})["access_token"]
        self.assertEqual(accounts.ask("profile", token=token)["email"], address)

        pairing = accounts.ask("openPairing", {"name": "Orologio", "data_types": ["heart-rate"]})
        accounts.ask("acceptDevice", {"code": pairing["code"], "name": "Orologio"}, token)
        device = accounts.ask("claimDevice", {"claim_secret": pairing["claim_secret"]}, id=pairing["pairing_id"])
        measuring = accounts.ask("token", {
            "grant_type": "client_credentials", "client_id": device["device_id"], "client_secret": device["device_secret"]})["access_token"]
        now = datetime.now(timezone.utc).isoformat()
        eventually("a stored sample", lambda: ingestion.ask("upload", {"upload": 1, "sent_at": now, "series": [
            {"type": "heart-rate", "start": now, "offsets_ms": [0], "values": [66]}]}, measuring).get("stored"))

        accounts.ask("forgotPassword", {"email": address})
        accounts.ask("resetPassword", {"token": link_token(reset_link(address)), "new_password": NEW_PASSWORD, "new_password_again": NEW_PASSWORD})
        self.assertIsNone(accounts.ask("logIn", {"login": address, "password": PASSWORD}, refused=(401,)))
        eventually("the session of before has ended", lambda: accounts.ask("profile", token=token, refused=(401,)) is None)
        token = accounts.ask("logIn", {"login": address, "password": NEW_PASSWORD})["access_token"]

        export = accounts.ask("requestExport", token=token)["export_id"]
        eventually("the archive", lambda: any(
            one["export_id"] == export and one["state"] == "ready" for one in accounts.ask("listExports", token=token)["exports"]), 60)
        archive = zipfile.ZipFile(io.BytesIO(accounts.ask("fetchExport", {"password": NEW_PASSWORD}, token, raw=True, id=export)))
        self.assertIn(address, archive.read("account/profile.json").decode())
        self.assertTrue(any("heart-rate" in name for name in archive.namelist()), archive.namelist())

        begun = accounts.ask("erase", {"password": NEW_PASSWORD, "scope": "account"}, token)
        eventually("the whole receipt", lambda: accounts.ask(
            "erasureReceipt", {"token": begun["receipt_token"]}).get("completed_at"), 60)
        self.assertIsNone(accounts.ask("logIn", {"login": address, "password": NEW_PASSWORD}, refused=(401,)))
