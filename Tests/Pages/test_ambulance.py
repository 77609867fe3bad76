"""SOS-13a: the page of the reference receiver (`trackme-simulator ambulance --page`): incidents on a map and as a list, sound, accept,
reject with a reason, states; test calls are marked; what people have typed stays text; pages of others are kept away."""

import base64
import hmac
import http.client
import http.server
import json
import pathlib
import re
import secrets
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request
import uuid

from browser import LANGUAGES, SIZES, THEMES, Browser
from suite import eventually

PROGRAM = pathlib.Path(__file__).parents[2] / ".build/release/trackme-simulator"


class TrackMe:
    """The dispatcher's side: sends messages, takes the calls back."""

    def __init__(self, test):
        self.secret = "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()
        self.calls, self.status = [], 200
        trackme = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                trackme.calls.append((self.path.strip("/"), body))
                self.send_response(trackme.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        test.addCleanup(self._close)

    def _close(self):
        self._server.shutdown()
        self._server.server_close()

    def send(self, hook, kind="alert", incident=None, sequence=1, mode="actual", **more):
        """A message as AutomatedSOS sends it; the incident's id."""
        incident = incident or str(uuid.uuid4())
        base = f"http://127.0.0.1:{self._server.server_address[1]}"
        body = json.dumps({
            "version": 1,
            "incident": {
                "id": incident, "sequence": sequence, "message": kind, "mode": mode, "sent": "2026-05-01T08:00:00Z", "trigger": "vital-signs",
                "is_delayed": False, "causes": [{"type": "heart-rate", "value": 190, "unit": "/min"}]},
            "position": {
                "latitude": 45.4642, "longitude": 9.19, "accuracy_m": 20, "time": "2026-05-01T08:00:00Z", "is_current": True},
            "home": {"address": {"street": "Via Roma 1", "postal_code": "20100", "city": "Milano", "country": "IT"}, "is_fallback": False},
            "person": {
                "name": "Rosa <b>x</b>", "surname": "Bianchi", "age": 76, "sex": "female", "callback_phone": "+39021234567",
                "languages": ["it"], "conditions": ["diabete"], "medication": []},
            "vitals": [], "contacts": [{"name": "Luca", "phone": "+393331234567"}],
            "speech": [{"language": "it", "text": "Emergenza a Milano."}, {"language": "en", "text": "Emergency in Milan."}],
            "reply": {
                "hook": "north", "token": "abc", "acceptance_url": f"{base}/acceptance", "rejection_url": f"{base}/rejection",
                "resolution_url": f"{base}/resolution", "status_url": f"{base}/status"},
            **more}).encode()
        identifier, now = f"{incident}:{sequence}", str(int(time.time()))
        key = base64.b64decode(self.secret.removeprefix("whsec_"))
        signature = base64.b64encode(hmac.digest(key, f"{identifier}.{now}.".encode() + body, "sha256")).decode()
        request = urllib.request.Request(hook, data=body, headers={
            "Content-Type": "application/json", "webhook-id": identifier, "webhook-timestamp": now, "webhook-signature": f"v1,{signature}"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert answer.status == 204, answer.status
        return incident


class AmbulanceTest(unittest.TestCase):
    def setUp(self):
        self.trackme = TrackMe(self)
        with tempfile.NamedTemporaryFile("w", suffix=".secret", delete=False) as file:
            file.write(self.trackme.secret)
        self.addCleanup(pathlib.Path(file.name).unlink)
        self.program = subprocess.Popen(
            [PROGRAM, "ambulance", "--secret-file", file.name, "--listen", "127.0.0.1:0", "--page", "127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.stop)
        self.hook, self.base = (
            re.search(r"http://\S+[^.\s]", self.program.stderr.readline()).group(0) for _ in range(2))

    def stop(self):
        self.program.terminate()
        self.program.wait(10)
        self.program.stderr.close()

    def open(self, *kind):
        browser = Browser(*(kind or ("phone", "it", "light")))
        self.addCleanup(browser.close)
        browser.driver.get(self.base + "/")
        browser.find("h1")
        return browser

    def faults(self, browser, expected=()):
        return [fault for fault in browser.faults(expected) if not fault.startswith(f"request to {self.base}/")]

    def said(self, word):
        return [body for path, body in self.trackme.calls if path == word]

    def send(self, *words, **more):
        return self.trackme.send(self.hook, *words, **more)


class Incidents(AmbulanceTest):
    def test_accepted(self):
        """What comes is seen at once, with sound if that is on; accepted, on its way, expected, on the scene, over: each told to TrackMe."""
        browser = self.open()
        browser.wait_text("Nessuna emergenza finora", "#none")
        self.assertEqual(browser.find("#sound").get_attribute("aria-pressed"), "false")
        browser.find("#sound").click()
        browser.wait_text("Suono acceso", "#sound")
        self.send()
        browser.wait_text("Rosa <b>x</b> Bianchi", "#incidents")
        browser.wait_text("Aspettano una risposta: 1 di 1", "#count")
        self.assertTrue(browser.driver.title.startswith("(1) "))
        text = browser.text("#incidents")
        for part in ("Emergenza a Milano.", "45.46420, 9.19000", "circa 20 m", "Via Roma 1", "76 anni", "diabete", "Frequenza cardiaca 190"):
            self.assertIn(part, text)
        self.assertEqual(browser.find("#incidents a").get_attribute("href"), "tel:+39021234567")
        browser.find("#map.leaflet-container canvas")
        browser.press("Accetta", "#incidents")
        browser.wait_text("Accettata da noi", "#incidents")
        said = self.said("acceptance")
        self.assertTrue(all(body.pop("decided_at").endswith("Z") for body in said))
        self.assertEqual(said, [{"decision": "accepted", "hook": "north", "token": "abc"}])
        browser.press("Ambulanza partita", "#incidents")
        browser.wait_text("ambulanza partita", "#incidents dl")
        minutes = browser.find("#incidents input")
        minutes.clear()
        minutes.send_keys("12")
        browser.press("Comunica l'arrivo", "#incidents")
        browser.wait_text("arrivo previsto", "#incidents dl")
        browser.press("Sul posto", "#incidents")
        browser.wait_text("sul posto", "#incidents dl")
        self.assertEqual([body["status"] for body in self.said("status")], ["dispatched", "arrival-expected", "on-scene"])
        browser.press("Concludi", "#incidents")
        browser.wait_text("Conclusa.", "#incidents")
        self.assertEqual(len(self.said("resolution")), 1)
        self.assertFalse(browser.has("#incidents button"))
        self.assertEqual(self.faults(browser), [])

    def test_rejected(self):
        """A rejection has a reason; a choice that was begun stays when news come; a test call is marked; a cancelled one asks for nothing."""
        browser = self.open("desk", "en", "dark")
        incident = self.send("exercise", mode="exercise")
        browser.wait_text("TEST CALL: nobody is ill, nobody sets out", "#incidents")
        browser.choose("Reason", "outside our area")
        self.send("update", incident=incident, sequence=2, person={"name": "Rosa", "surname": "Verdi", "callback_phone": "+39021234567"})
        browser.wait_text("Rosa Verdi", "#incidents")
        self.assertEqual(browser.value("Reason"), "outside-area")
        browser.press("Reject", "#incidents")
        browser.wait_text("Rejected by us", "#incidents")
        self.assertEqual([body["reason"] for body in self.said("rejection")], ["outside-area"])
        other = self.send()
        browser.wait_text("Waits for an answer", "#incidents")
        self.send("cancel", incident=other, sequence=2)
        browser.wait_text("Cancelled: nobody needs to come", "#incidents")
        browser.wait(lambda _: not browser.has("#incidents button"), "nothing to do")
        self.assertEqual(self.faults(browser), [])

    def test_late(self):
        """SOS-07c: an acceptance that another service was quicker with is told as what it is, and TrackMe's silence too."""
        browser = self.open()
        self.trackme.status = 503
        self.send()
        browser.wait_text("Aspetta una risposta", "#incidents")
        browser.press("Accetta", "#incidents")
        browser.wait_text("La risposta è in viaggio", "#incidents")
        self.trackme.status = 409
        browser.wait_text("l'ha un altro servizio, o è conclusa", "#incidents")
        self.assertFalse(browser.has("#incidents button"))
        # The program ends: nobody takes the page for one that is alive.
        self.program.terminate()
        browser.wait_text("Il programma non risponde", "#connection")

    def test_keyboard(self):
        """NFR-08c: a card that is chosen on the map has the focus; news about others take it from nobody."""
        browser = self.open("desk", "it", "light")
        first = self.send()
        button = browser.find(f"[data-id='{first}'] button")
        browser.driver.execute_script("arguments[0].focus()", button)
        self.send()
        browser.wait_text("Aspettano una risposta: 2 di 2", "#count")
        focused = browser.driver.execute_script("return document.activeElement.getAttribute('aria-label')")
        self.assertTrue(focused.startswith("Accetta: Rosa"), focused)


class Looks(AmbulanceTest):
    def test_every_look(self):
        """NFR-08: in both languages, themes and sizes: accessible, within the window, without a fault."""
        self.send()
        accepted = self.send("exercise", mode="exercise")
        for size in SIZES:
            for language in LANGUAGES:
                for theme in THEMES:
                    with self.subTest(size=size, language=language, theme=theme):
                        browser = self.open(size, language, theme)
                        browser.find(f"[data-id='{accepted}']")
                        browser.settle()
                        self.assertEqual(browser.violations(), [])
                        self.assertLessEqual(browser.overflow(), 0)
                        self.assertEqual(browser.driver.execute_script("return document.documentElement.lang"), language)
                        self.assertEqual(self.faults(browser), [])
                        browser.picture("ambulance")
                        browser.close()

    def test_reflow(self):
        """WCAG 1.4.10: at 320 pixels nothing has to be scrolled sideways; the language can be changed and stays."""
        browser = self.open()
        browser.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": True})
        self.send()
        browser.wait_text("Rosa", "#incidents")
        self.assertLessEqual(browser.overflow(), 0)
        browser.press("English")
        browser.wait_text("Waits for an answer", "#incidents")
        self.assertLessEqual(browser.overflow(), 0)

    def test_others(self):
        """NFR-03: a page of somebody else in the same browser reads nothing and answers nothing."""
        incident = self.send()
        address = self.base.removeprefix("http://")

        def ask(method, path, headers):
            connection = http.client.HTTPConnection(address, timeout=10)
            connection.request(method, path, "{}" if method == "POST" else None, {"Content-Type": "application/json", **headers})
            status = connection.getresponse().status
            connection.close()
            return status

        port = address.rpartition(":")[2]
        accept = f"/incidents/{incident}/accept"
        self.assertEqual(ask("GET", "/incidents", {"Host": f"evil.example:{port}"}), 403)
        self.assertEqual(ask("GET", "/incidents", {"Host": f"localhost:{port}"}), 200)
        self.assertEqual(ask("POST", accept, {}), 403)
        self.assertEqual(ask("POST", accept, {"Ambulance-Request": "page", "Sec-Fetch-Site": "cross-site"}), 403)
        self.assertEqual(self.trackme.calls, [])
        self.assertEqual(ask("POST", accept, {"Ambulance-Request": "page"}), 204)
        eventually("the acceptance", lambda: self.said("acceptance"))
