"""ACC-14 in the browser: a person authorises an application of somebody else, which then delivers data and is removed again."""

import base64
import hashlib
import http.server
import secrets
import threading
import urllib.parse
from datetime import datetime, timezone

from browser import PageTest
from operators import command
from suite import BASE, PASSWORD, Refused, call, demo, eventually, new_individual, token


class Application:
    """An application with a server of its own, which the browser comes back to with the person's answer."""

    def __init__(self, test, *types):
        self.answers = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                parts = urllib.parse.urlsplit(self.path)
                if parts.path == "/done":
                    outer.answers.append(dict(urllib.parse.parse_qsl(parts.query)))
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>Fit</title><link rel=icon href=data:,><main>Fit has the answer.</main>")

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        test.addCleanup(self._server.server_close)
        test.addCleanup(self._server.shutdown)
        self.redirect_uri = f"http://127.0.0.1:{self._server.server_port}/done"
        self.name = f"Fit {secrets.token_hex(4)}"
        words = command("sources", "admit", self.name, ",".join(types), self.redirect_uri).split()
        self.client, self.secret = words[1], words[3]
        test.addCleanup(lambda: self.client and command("sources", "withdraw", self.client, "prova finita"))

    def link(self, **changes):
        """The link that the application shows, with a secret of its own for this time (RFC 7636)."""
        self._verifier, self.state = secrets.token_urlsafe(32), secrets.token_urlsafe(16)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self._verifier.encode()).digest()).rstrip(b"=").decode()
        return "/authorize?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": self.client, "redirect_uri": self.redirect_uri, "state": self.state,
            "code_challenge": challenge, "code_challenge_method": "S256", **changes})

    def tokens(self, **form):
        return call("POST", "/accounts/v1/oauth/token", form={"client_id": self.client, "client_secret": self.secret, **form})

    def redeem(self, code):
        return self.tokens(
            grant_type="authorization_code", code=code, redirect_uri=self.redirect_uri, code_verifier=self._verifier)

    def answer(self):
        return eventually("the browser comes back to the application", lambda: self.answers and self.answers.pop())


class Applications(PageTest):
    size = "desk"
    # An application that is unknown, an address that is not its own, that who is new has no score yet, and the application itself.
    expected = ("status of 404", "status of 403", "/ingestion/v1/me/health ", "http://127.0.0.1:")

    def test_authorise_use_and_remove(self):
        """ACC-14f: log-in on the way, the choice, the answer with code, state and iss; tokens, an upload; the list; the removal."""
        browser, person = self.browser, new_individual()
        application = Application(self, "heart-rate", "steps")
        browser.open(application.link())
        browser.wait_path("/login")
        browser.fill("E-mail o codice fiscale", person)
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_path("/authorize")
        browser.wait_text(f"«{application.name}» chiede di inviare dati")
        browser.wait_text("127.0.0.1")
        self.assertEqual(browser.violations(), [])
        self.assertLessEqual(browser.overflow(), 0)
        browser.picture("authorize")
        for kind in ("heart-rate", "steps"):
            browser.find(f"#type-{kind}").click()
        browser.press("Autorizza", "#authorize")
        browser.wait_text("Scegli almeno un tipo di dati", "#notices")
        browser.find("#type-heart-rate").click()
        browser.press("Autorizza", "#authorize")
        answer = application.answer()
        self.assertEqual((answer["state"], answer["iss"]), (application.state, BASE))
        server = call("GET", "/.well-known/oauth-authorization-server")
        self.assertEqual((server["issuer"], server["authorization_endpoint"]), (BASE, f"{BASE}/authorize"))
        granted = application.redeem(answer["code"])
        now = datetime.now(timezone.utc).isoformat()
        upload = {"upload": 1, "sent_at": now, "series": [{"type": "heart-rate", "start": now, "offsets_ms": [0], "values": [61]}]}

        def stored():
            # Ingestion learns of the application within a moment.
            try:
                return call("POST", "/ingestion/v1/uploads", upload, granted["access_token"])["stored"] == 1
            except Refused:
                return False
        eventually("an upload of the application", stored)
        browser.open("/today")
        browser.wait_text("61", "#latest")
        browser.open("/devices")
        browser.wait_text(f"L’applicazione «{application.name}»", "#devices")
        browser.press_twice("Rimuovi", "#devices")
        browser.press("Sì, rimuovilo", "#devices")
        browser.wait_text("Nessun dispositivo collegato.")
        with self.assertRaises(Refused) as refused:
            application.tokens(grant_type="refresh_token", refresh_token=granted["refresh_token"])
        self.assertEqual(refused.exception.status, 400)

    def test_refuse_and_tricks(self):
        """ACC-14f: a refusal goes back to the application; a link to somebody else's address, or of nobody, goes nowhere."""
        browser = self.browser
        application = Application(self, "heart-rate")
        browser.log_in(new_individual())
        browser.open(application.link())
        browser.wait_text(f"«{application.name}» chiede di inviare dati")
        browser.press("Non autorizzare", "#authorize")
        answer = application.answer()
        self.assertEqual((answer["error"], answer["state"]), ("access_denied", application.state))
        browser.open(application.link(code_challenge_method="plain"))
        self.assertEqual(application.answer()["error"], "invalid_request")
        for changes, told in (({"redirect_uri": "https://evil.example/done"}, "potrebbe essere un inganno"),
                              ({"client_id": "01979c2e-8f00-7a31-9c2b-5d3f2a1b4c6d"}, "non esiste")):
            browser.open(application.link(**changes))
            browser.wait_text(told, "#broken")
            self.assertEqual(browser.path, "/authorize")
            self.assertFalse(browser.has("#authorize"))
        self.assertEqual(application.answers, [])

    def test_company(self):
        """ACC-14f: a company has no data to be delivered."""
        application = Application(self, "steps")
        self.browser.log_in(demo("Third party")[0], to="/data-requests")
        self.browser.open(application.link())
        self.browser.wait_text("Solo le persone", "#broken")

    def test_withdrawn(self):
        """ACC-14f: the operator withdraws an application: no tokens at once; people are told why."""
        person = new_individual()
        application = Application(self, "steps")
        self.browser.log_in(person)
        self.browser.open(application.link())
        self.browser.press("Autorizza", "#authorize")
        granted = application.redeem(application.answer()["code"])
        client, application.client = application.client, None
        command("sources", "withdraw", client, "Vendeva i dati")
        with self.assertRaises(Refused):
            call("POST", "/accounts/v1/oauth/token", form={
                "client_id": client, "client_secret": application.secret, "grant_type": "refresh_token",
                "refresh_token": granted["refresh_token"]})
        session = token(person)
        eventually("nothing of it in the list", lambda: not call("GET", "/accounts/v1/devices", token=session)["devices"], 90)
        self.browser.open("/inbox")
        self.browser.wait_text("Vendeva i dati")
