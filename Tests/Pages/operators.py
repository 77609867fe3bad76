"""What operators do: commands on the machine, and the operators' address of the running suite, entered by certificate."""

import contextlib
import pathlib
import select
import socket
import ssl
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

from suite import BASE, STATE

CHECKOUT = pathlib.Path(__file__).parents[2]
ADDRESS = ("127.0.0.1", urllib.parse.urlsplit(BASE).port + 10)


def command(part, *words, service="accounts"):
    """`trackme-SERVICE PART …`, as the operator says it on the machine; what it prints."""
    program = CHECKOUT / f".build/release/trackme-{service}"
    done = subprocess.run(
        [program, part, "--config", STATE / f"config/{service}.json", *words], capture_output=True, text=True,
        check=False, timeout=60)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def context(client=None):
    """TLS towards nginx, with the certificate of a client, if one is given."""
    files = pathlib.Path(STATE, "services")
    made = ssl.create_default_context(cafile=files / "operator" / "authority.pem")
    if client:
        made.load_cert_chain(files / client / "certificate.pem", files / client / "key.pem")
    return made


def status(path, client=None):
    """The status of an answer, and its content."""
    try:
        url = f"https://127.0.0.1:{ADDRESS[1]}{path}"
        with urllib.request.urlopen(url, timeout=20, context=context(client)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class Entrance:
    """A port of this machine that leads to the operators' address with the operator's certificate, since a browser
    without a person asks nobody which certificate to show. Nothing else of the way is changed."""

    def __init__(self):
        self._tls = context("operator")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._lead, args=(near,), daemon=True).start()

    def _lead(self, near):
        with contextlib.suppress(OSError), near:
            with self._tls.wrap_socket(socket.create_connection(ADDRESS), server_hostname="localhost") as far:
                self._pump(near, far)

    @staticmethod
    def _pump(near, far):
        while True:
            readable = [far] if far.pending() else select.select([near, far], [], [])[0]
            for source, target in ((near, far), (far, near)):
                if source in readable:
                    chunk = source.recv(65536)
                    if not chunk:
                        return
                    target.sendall(chunk)
