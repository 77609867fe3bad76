"""ACC-17: push messages as a browser reads them, sent to a push service of the test; the switch on the page."""

import base64
import http.server
import json
import os
import pathlib
import queue
import random
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from browser import PageTest
from suite import call, demo, eventually, new_individual, token

HANDLERS = pathlib.Path(__file__).parents[2] / "Shared/Web/Fixed/push.js"


def encoded(octets):
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Subscriber:
    """The keys of a browser that has subscribed."""

    def __init__(self):
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)

    @property
    def keys(self):
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": encoded(point), "auth": encoded(self.auth)}

    def open(self, body):
        return json.loads(http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"))


class PushService:
    """A push service on a free port of this machine; `received` holds the fields and body of each message."""

    def __init__(self):
        self.received, self.answer = queue.Queue(), 201
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.received.put((dict(self.headers), body))
                self.send_response(service.answer)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def origin(self):
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def ask_for_data(person):
    """A third party asks for the person's heart rate."""
    now = datetime.now(timezone.utc)
    call("POST", "/query/v1/requests", {
        "email": person, "data_types": ["heart-rate"], "from": (now - timedelta(days=7)).isoformat(),
        "to": (now + timedelta(days=30)).isoformat(), "mode": "subscription",
        "reason": f"Studio {random.randrange(10**6)}"}, token(demo("Third party")[0]))


class Messages(unittest.TestCase):
    def setUp(self):
        self.service, self.browser = PushService(), Subscriber()
        self.addCleanup(self.service.close)
        self.person = new_individual()
        self.token = token(self.person)
        # Only what there is can be asked for.
        call("POST", "/ingestion/v1/samples", {"series": [{
            "type": "heart-rate", "start": datetime.now(timezone.utc).isoformat(), "offsets_ms": [0], "values": [61]}]}, self.token)

    def state(self):
        return call("GET", "/accounts/v1/push-subscription", token=self.token)

    def test_a_request_is_pushed(self):
        """ACC-17 REQ-04: encrypted for the browser alone, signed for the push service, with nothing of anybody."""
        call("PUT", "/accounts/v1/push-subscription",
             {"endpoint": f"{self.service.origin}/push/1", "keys": self.browser.keys}, self.token)
        ask_for_data(self.person)
        fields, body = self.service.received.get(timeout=20)
        self.assertEqual(self.browser.open(body), {
            "kind": "request", "path": "/requests", "title": "C'è una nuova richiesta dei tuoi dati", "language": "it"})
        self.assertEqual((fields["Content-Encoding"], fields["Urgency"], fields["Topic"]), ("aes128gcm", "normal", "request"))
        # A day from the message on.
        self.assertTrue(86390 <= int(fields["TTL"]) <= 86400, fields["TTL"])
        words = fields["Authorization"].removeprefix("vapid ").split(", ")
        parts = dict(word.split("=", 1) for word in words)
        self.assertEqual(parts["k"], self.state()["public_key"])
        message, _, signature = parts["t"].rpartition(".")
        claims = json.loads(decoded(message.split(".")[1]))
        self.assertEqual(claims["aud"], self.service.origin)
        self.assertLess(claims["exp"] - time.time(), 86400)
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
        number = lambda octets: int.from_bytes(octets, "big")
        raw = decoded(signature)
        key.verify(encode_dss_signature(number(raw[:32]), number(raw[32:])), message.encode(), ec.ECDSA(hashes.SHA256()))

    def test_who_is_gone_gets_no_more(self):
        """A browser that the push service no longer knows is forgotten."""
        call("PUT", "/accounts/v1/push-subscription",
             {"endpoint": f"{self.service.origin}/push/2", "keys": self.browser.keys}, self.token)
        self.assertTrue(self.state()["is_subscribed"])
        self.service.answer = 410
        ask_for_data(self.person)
        self.service.received.get(timeout=20)
        eventually("the subscription is gone", lambda: not self.state()["is_subscribed"])


class Switch(PageTest):
    # Who is new has no score yet, which the browser logs.
    expected = ("/ingestion/v1/me/health ",)

    def test_on_and_off(self):
        """ACC-17: permission is asked for when the button is pressed, and not before."""
        service, subscriber, browser = PushService(), Subscriber(), self.browser
        self.addCleanup(service.close)
        browser.log_in(new_individual())
        # Chromium without a window has no push service: what it would give comes from the test.
        given = json.dumps({"endpoint": f"{service.origin}/push/3", "expirationTime": None, "keys": subscriber.keys})
        browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": """
            window.asked = 0;
            Notification.requestPermission = async () => { window.asked += 1; return 'granted'; };
            Object.defineProperty(Notification, 'permission', {get: () => sessionStorage.getItem('permission') ?? 'granted'});
            const given = """ + given + """;
            const made = {endpoint: given.endpoint, toJSON: () => given, unsubscribe: async () => sessionStorage.removeItem('made')};
            const pushManager = {
              getSubscription: async () => sessionStorage.getItem('made') && made,
              subscribe: async ({userVisibleOnly, applicationServerKey}) => {
                if (!userVisibleOnly || applicationServerKey.length !== 87) throw new DOMException('not so');
                sessionStorage.setItem('made', 'yes');
                return made;
              }};
            Object.defineProperty(ServiceWorkerContainer.prototype, 'ready', {get: () => Promise.resolve({pushManager})});
            ServiceWorkerContainer.prototype.getRegistration = async () => ({pushManager});
            """})
        browser.open("/account")
        browser.wait_text("Gli avvisi sono spenti.")
        self.assertEqual(browser.driver.execute_script("return window.asked"), 0)
        browser.press("Attiva gli avvisi")
        browser.wait_text("Gli avvisi sono attivi su questo browser.")
        self.assertEqual(browser.driver.execute_script("return window.asked"), 1)
        browser.open("/account")
        browser.wait_text("Gli avvisi sono attivi.")
        # The browser has ended it without a word: any page makes it anew, while the person permits it.
        browser.driver.execute_script("sessionStorage.removeItem('made')")
        browser.open("/requests")
        browser.wait(lambda driver: driver.execute_script("return sessionStorage.getItem('made')"), "a subscription")
        browser.open("/account")
        browser.wait_text("Gli avvisi sono attivi.")
        browser.driver.execute_script("sessionStorage.removeItem('made'); sessionStorage.setItem('permission', 'denied')")
        browser.open("/account")
        browser.wait_text("Gli avvisi sono spenti.")
        browser.driver.execute_script("sessionStorage.removeItem('permission')")
        browser.open("/account")
        browser.wait_text("Gli avvisi sono attivi.")
        browser.press("Spegni gli avvisi")
        browser.wait_text("Gli avvisi sono spenti su questo browser.")

    def test_showing(self):
        """What the service worker shows, and where a press leads: to a page that is open, to a new one, and to none elsewhere."""
        self.browser.open("/help")
        done = self.browser.driver.execute_script("""
            const done = [], handlers = {};
            const self = {
              location: {origin: 'https://trackme.example'},
              addEventListener: (name, handler) => { handlers[name] = handler; },
              registration: {showNotification: (title, options) => done.push([title, options.tag, options.lang, options.data.path])},
              clients: {
                matchAll: () => ({then: (use) => use([{
                  url: 'https://trackme.example/sos', postMessage: (text) => done.push(text), focus: () => done.push('focused')}])}),
                openWindow: (address) => done.push(address)}};
            """ + HANDLERS.read_text() + """
            const waitUntil = () => {};
            handlers.push({waitUntil, data: {json: () => ({kind: 'alarm', path: '/sos', title: 'Apri', language: 'it'})}});
            for (const path of ['/sos', '/requests', 'https://elsewhere.example/']) {
              handlers.notificationclick({waitUntil, notification: {data: {path}, close: () => done.push('closed')}});
            }
            return done;""")
        self.assertEqual(done, [
            ["Apri", "alarm", "it", "/sos"], "closed", "news", "focused", "closed", "https://trackme.example/requests", "closed"])
