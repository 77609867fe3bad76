"""NFR-03 NFR-05 NFR-09: what is not clean HTTP, sent to nginx by hand: it is refused or made clean, and nothing closed opens."""

import json
import socket
import threading
import time
import unittest
import urllib.parse

from suite import BASE, call

ADDRESS = urllib.parse.urlsplit(BASE)
ANSWER_BYTES_MAX = 1 << 20
WELL = b"GET /accounts/v1/terms HTTP/1.1\r\nHost: a\r\n"


class Connection:
    def __init__(self, seconds=5):
        self._socket = socket.create_connection((ADDRESS.hostname, ADDRESS.port), timeout=seconds)
        self._waiting = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def send(self, octets):
        """An end that has closed already is told when reading."""
        try:
            self._socket.sendall(octets)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def end(self):
        self._socket.shutdown(socket.SHUT_WR)

    def _receive(self):
        try:
            received = self._socket.recv(65536)
        except ConnectionResetError:
            received = b""
        self._waiting += received
        if len(self._waiting) > ANSWER_BYTES_MAX:
            raise AssertionError("the answer has no end")
        return received

    def _until(self, end):
        while end not in self._waiting:
            if not self._receive():
                return None
        found, self._waiting = self._waiting.split(end, 1)
        return found

    def _exactly(self, count):
        while len(self._waiting) < count and self._receive():
            pass
        found, self._waiting = self._waiting[:count], self._waiting[count:]
        return found

    def answer(self):
        """The next answer: its status, fields and body. None at the end."""
        head = self._until(b"\r\n\r\n")
        if head is None:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
        body = b""
        if fields.get("transfer-encoding") == "chunked":
            while (size := int(self._until(b"\r\n"), 16)) > 0:
                body += self._exactly(size + 2)[:-2]
            self._until(b"\r\n")
        else:
            body = self._exactly(int(fields.get("content-length", 0)))
        return int(first.split()[1]), fields, body.decode(errors="replace")

    def answers(self):
        """All answers until the connection ends."""
        found = []
        while (answer := self.answer()) is not None:
            found.append(answer)
            if answer[1].get("connection") == "close":
                break
        return found


def exchange(octets):
    with Connection() as connection:
        connection.send(octets)
        return connection.answers()


def post(*fields, body=b"", path="/accounts/v1/sessions"):
    lines = [f"POST {path} HTTP/1.1", "Host: a", "Content-Type: application/json", *fields, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


class Proxy(unittest.TestCase):
    def tearDown(self):
        """Whatever was sent, the next one is answered."""
        self.assertIn("individual", call("GET", "/accounts/v1/terms"))

    def test_smuggling(self):
        """RFC 9112 §11.2: a request whose length is not clear is refused, and what it hides is not answered."""
        hidden = b"GET /accounts/v1/terms HTTP/1.1\r\nHost: a\r\nX: "
        chunks = b"0\r\n\r\n" + hidden
        lengths = f"Content-Length: {len(chunks)}"
        for fields in (
            (lengths, "Transfer-Encoding: chunked"), ("Transfer-Encoding: chunked", lengths),
            ("Content-Length: 0", "Content-Length: 5"), ("Content-Length: 5", "Content-Length: 5"),
            ("Content-Length: 5, 5",), ("Content-Length: +5",), ("Content-Length: -1",), ("Content-Length: 0x5",),
            ("Content-Length: 99999999999999999999",), ("Content-Length : 5",),
            ("Transfer-Encoding: xchunked",), ("Transfer-Encoding: identity",), ("Transfer-Encoding: chunked, identity",),
            ("Transfer-Encoding: gzip, chunked",), ("Transfer-Encoding: \x0bchunked",), ("Transfer-Encoding : chunked",),
            ("Transfer-Encoding: chunked", "Transfer-Encoding: identity"), ("X: y\nTransfer-Encoding: chunked", lengths),
            ("Transfer-Encoding:\r\n chunked",), (lengths, "Transfer-Encoding\x0b: chunked"),
        ):
            with self.subTest(fields=fields):
                answers = exchange(post(*fields, body=chunks))
                self.assertEqual(len(answers), 1, answers)
                status, head, body = answers[0]
                self.assertIn(status, (400, 413, 501))
                self.assertEqual(head["content-type"], "application/problem+json")
                self.assertEqual(json.loads(body)["status"], status)

    def test_hidden_in_a_body(self):
        """What is in a body stays there: the service answers it once, as the JSON that it is not."""
        hidden = b"GET /accounts/v1/terms HTTP/1.1\r\nHost: a\r\n\r\n"
        whole = f"{len(hidden):x}\r\n".encode() + hidden + b"\r\n0\r\n\r\n"
        for octets in (
            post(f"Content-Length: {len(hidden)}", "Connection: close", body=hidden),
            post("Transfer-Encoding: chunked", "Connection: close", body=whole),
            # A name with an underscore is none; some take it for one with a hyphen.
            post(f"Content-Length: {len(hidden)}", "Transfer_Encoding: chunked", "Connection: close", body=hidden),
        ):
            with self.subTest(octets=octets[:120]):
                answers = exchange(octets)
                self.assertEqual([status for status, *_ in answers], [400])

    def test_chunks(self):
        for body in (b"0x5\r\nhello\r\n0\r\n\r\n", b"-5\r\nhello\r\n0\r\n\r\n",
                     b"ffffffffffffffffff\r\nhello\r\n0\r\n\r\n", b"5\r\nhello!\r\n0\r\n\r\n", b"\r\n\r\n"):
            with self.subTest(body=body):
                answers = exchange(post("Transfer-Encoding: chunked", body=body))
                self.assertEqual(len(answers), 1, answers)
                self.assertIn(answers[0][0], (400, 413))

    def test_heads(self):
        for octets, statuses in (
            (b"GET / HTTP/1.1\r\n\r\n", (400,)),
            (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", (400,)),
            (b"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", (400,)),
            (b"GET / HTTP/1.1\r\nHost:\r\n\r\n", (400,)),
            (b"GET / HTTP/1.1\r\nHost: a\r\nX\x00: 1\r\n\r\n", (400,)),
            (b"GET / HTTP/1.1\r\nHost: a\r\nX: 1\x002\r\n\r\n", (400,)),
            (b"GET / HTTP/3.0\r\nHost: a\r\n\r\n", (400, 505)),
            (b"get / HTTP/1.1\r\nHost: a\r\n\r\n", (400, 501)),
            (b"TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", (405, 501)),
            (b"CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", (400, 405)),
            (b"\x16\x03\x01\x02\x00\n", (400,)),
            (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", (414,)),
            (WELL + b"X: " + b"a" * 9000 + b"\r\n\r\n", (431,)),
            (WELL + b"X: y\r\n" * 99 + b"Connection: close\r\n\r\n", (431,)),
            (WELL + (b"X: " + b"a" * 1000 + b"\r\n") * 60 + b"\r\n", (431,)),
        ):
            with self.subTest(octets=octets[:60]):
                answers = exchange(octets)
                self.assertEqual(len(answers), 1, answers)
                self.assertIn(answers[0][0], statuses)
                self.assertEqual(answers[0][1]["content-type"], "application/problem+json")

    def test_line_ends(self):
        """A line may end with LF alone: nginx takes it so, and the service gets it clean. Nobody reads it another way."""
        answers = exchange(b"GET /accounts/v1/terms HTTP/1.1\nHost: a\nConnection: close\n\n")
        self.assertEqual([status for status, *_ in answers], [200])

    def test_bodies_too_large(self):
        """Refused by its length before it is read, and when it turns out to be longer."""
        for path, length in (("/accounts/v1/sessions", 1 << 21), ("/ingestion/v1/uploads", 17 << 20),
                             ("/track4run/v1/runs", 3 << 20)):
            with self.subTest(path=path):
                [(status, _, body)] = exchange(post(f"Content-Length: {length}", "Connection: close", path=path))
                self.assertEqual((status, json.loads(body)["code"]), (413, "content-too-large"))
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        [(status, *_)] = exchange(post("Transfer-Encoding: chunked", "Connection: close", body=chunk * 20))
        self.assertEqual(status, 413)

    def test_paths(self):
        """What is for operators, the deployment's files and other services' paths stay closed, however they are written."""
        for path in (
            "/metrics", "//metrics", "/./metrics", "/healthz", "/readyz", "/accounts/metrics", "/accounts/healthz",
            "/accounts/v1/../../metrics", "/accounts/v1/..%2f..%2fmetrics", "/accounts/v1/%2e%2e/%2e%2e/metrics",
            "/accounts/v1/..;/..;/metrics", "/accounts/v1/..%5c..%5cmetrics", "/runs/..%2f..%2fmetrics", "/%6detrics",
            "/ingestion/internal", "/ingestion/v1/../internal", "/rpc", "/accounts//v1/terms", "//accounts/v1/terms",
            "/accounts%2fv1%2fterms", "/x/..%2faccounts/v1/terms", "/runs/..%2f..%2faccounts/v1/me", "/accounts/v2/terms",
            "/assets/", "/assets/../nginx/nginx.conf", "/assets/..%2fnginx%2fnginx.conf", "/assets../nginx/nginx.conf",
            "/assets/current/../../demo.txt", "/away/../nginx.conf", "/away/..%2fnginx.conf", "/away/nginx.conf", "/away/",
            "/nginx.conf", "/problem", "/problems.conf", "/..%2f..%2f..%2fetc%2fpasswd", "/../../etc/passwd", "/%00", "/a%",
        ):
            with self.subTest(path=path):
                answers = exchange(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
                self.assertEqual(len(answers), 1, answers)
                status, _, body = answers[0]
                self.assertIn(status, (400, 403, 404))
                for secret in ("# TYPE", "proxy_pass", "root:", "Everybody's password"):
                    self.assertNotIn(secret, body)

    def test_told_in_their_way(self):
        """A person gets a page, a program a problem."""
        for path, kind in (("/nothing", "text/html; charset=utf-8"), ("/metrics", "text/html; charset=utf-8"),
                           ("/accounts/v1/nothing", "application/problem+json"), ("/query", "application/problem+json"),
                           ("/assets/nothing", "application/problem+json")):
            with self.subTest(path=path):
                [(status, fields, _)] = exchange(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
                self.assertEqual((status, fields["content-type"]), (404, kind))

    def test_upgrades(self):
        """No other protocol is spoken behind nginx, where nothing would read it."""
        for fields in (
            b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n",
            b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
        ):
            with self.subTest(fields=fields), Connection() as connection:
                connection.send(WELL + fields + b"\r\n")
                status, head, _ = connection.answer()
                self.assertEqual(status, 200)
                self.assertNotIn("upgrade", head)

    def test_hosts(self):
        """The host that a client names is believed nowhere."""
        for target, host in (("/language?to=it&from=/runs", "evil.example"), ("/login", "evil.example"),
                             ("/accounts/v1/terms", "evil.example:81"), ("/nothing", "evil.example"),
                             ("http://evil.example/language?to=it", "a"), ("/language?to=it&from=//evil.example", "a"),
                             ("/language?to=it&from=/%5Cevil.example", "a"), ("/language?to=it&from=https://evil.example", "a")):
            with self.subTest(target=target, host=host):
                octets = f"GET {target} HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n\r\n"
                [(status, fields, body)] = exchange(octets.encode())
                self.assertIn(status, (200, 303, 404))
                self.assertNotIn("evil", str(fields) + body)

    def test_half_close(self):
        """A client that ends its side gets its answer or the end, soon; one whose body is not whole has sent nothing."""
        with Connection() as connection:
            connection.send(WELL + b"\r\n")
            connection.end()
            self.assertIn([status for status, *_ in connection.answers()], ([], [200]))
        with Connection(seconds=15) as connection:
            connection.send(post("Content-Length: 100", body=b'{"login": "anna@example.org"'))
            connection.end()
            self.assertIn([status for status, *_ in connection.answers()], ([], [400], [408]))

    def test_slow_clients(self):
        """A head or a body that does not come is given up after ten seconds, and keeps nobody else from being answered."""
        ended = {}

        def drip(name, first, piece, pause):
            began = time.monotonic()
            with Connection(seconds=30) as connection:
                connection.send(first)
                stop = threading.Event()

                def send():
                    while not stop.wait(pause):
                        connection.send(piece)
                sender = threading.Thread(target=send, daemon=True)
                sender.start()
                connection.answers()
                stop.set()
                sender.join()
            ended[name] = time.monotonic() - began

        slow = [threading.Thread(target=drip, args=arguments, daemon=True) for arguments in (
            ("head", b"GET /accounts/v1/terms HTTP/1.1\r\nHost: a\r\nX: ", b"y", 1),
            ("body", post("Content-Length: 100", body=b"{"), b"", 60),
            ("import", post("Content-Length: 100", body=b"{", path="/ingestion/v1/imports"), b"", 60),
        )]
        for thread in slow:
            thread.start()
        while any(thread.is_alive() for thread in slow[:2]) and len(ended) < 2:
            began = time.monotonic()
            call("GET", "/accounts/v1/terms")
            self.assertLess(time.monotonic() - began, 3)
            time.sleep(0.2)
        for thread in slow:
            thread.join(40)
        self.assertEqual(set(ended), {"head", "body", "import"})
        for name, seconds in ended.items():
            self.assertLess(seconds, 35 if name == "import" else 20, name)
        self.assertGreater(ended["head"], 5)
