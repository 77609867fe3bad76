"""A receiver of webhooks on this machine, which checks signatures as Standard Webhooks says."""

import base64
import hmac
import http.server
import json
import threading
import time

from suite import eventually

AGE_SECONDS_MAX = 300


class Call:
    """What came by one POST."""

    def __init__(self, headers, body, status):
        self.headers, self.body, self.status = headers, body, status

    def is_signed(self, secret):
        """Whether one of the signatures is of this secret, and the time is that of now."""
        identifier, moment = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        key = base64.b64decode(secret.removeprefix("whsec_"))
        digest = hmac.digest(key, f"{identifier}.{moment}.".encode() + self.body, "sha256")
        expected = "v1," + base64.b64encode(digest).decode()
        is_of_now = abs(time.time() - int(moment)) < AGE_SECONDS_MAX
        return is_of_now and any(hmac.compare_digest(one, expected) for one in self.headers["webhook-signature"].split())

    @property
    def id(self):
        return self.headers["webhook-id"]

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def type(self):
        return self.json["type"]


class Receiver:
    """Answers each call with `status` and `answer`, until the test is over."""

    def __init__(self, test, status=200, answer="preso <b>in carico</b>"):
        self.status, self.answer = status, answer
        self.calls = []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body, status = self.rfile.read(int(self.headers["Content-Length"])), receiver.status
                content = receiver.answer.encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/plain; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
                receiver.calls.append(Call(self.headers, body, status))

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        test.addCleanup(self._close)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/eventi"

    def _close(self):
        self._server.shutdown()
        self._server.server_close()

    def taken(self, type):
        """The calls about events of this kind that were answered well."""
        return [call for call in self.calls if call.status < 300 and call.type == type]

    def await_taken(self, type, count=1):
        """Such calls, at least so many, waited for."""
        def enough():
            found = self.taken(type)
            return found if len(found) >= count else None
        return eventually(f"{count} times {type} at the receiver", enough, seconds=40)
