"""The running suite that the pages are tried against: its address, its mail, and its API."""

import base64
import contextlib
import email
import email.policy
import hmac
import json
import os
import pathlib
import random
import re
import signal
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timedelta, timezone

BASE = os.environ["TRACKME_PAGES_BASE"]
STATE = pathlib.Path(os.environ["TRACKME_PAGES_STATE"])
PASSWORD = "tram-giallo-dodici"


def demo(heading):
    """The log-ins that deploy/run prints below a heading."""
    lines = (STATE / "demo.txt").read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(heading))
    found = []
    for line in lines[start + 1:]:
        if not line.startswith("  "):
            break
        found.append(line.split()[0])
    return found


def variables(name):
    """What a shell would read from a file of the suite: `sandbox.sh`."""
    words = (line.partition("#")[0].split() for line in (STATE / name).read_text().splitlines())
    return dict(word.split("=", 1) for line in words for word in line)


class Refused(Exception):
    def __init__(self, status, problem):
        super().__init__(f"{status} {problem}")
        self.status, self.problem = status, problem


def call(method, path, body=None, token=None, form=None):
    """One call of the public API through nginx, as any program makes it: `body` is sent as JSON, `form` as a form."""
    request = urllib.request.Request(BASE + path, method=method)
    if form is not None:
        request.data = urllib.parse.urlencode(form).encode()
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            content = answer.read()
            return json.loads(content) if content else None
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.read().decode()) from None


def new_token(login, password=PASSWORD):
    """As by a log-in."""
    return call("POST", "/accounts/v1/sessions", {"login": login, "password": password})["access_token"]


# By log-in and password: when it was made, and the token. A log-in takes a third of a second of a processor.
_tokens = {}
# Tokens are good for longer than that.
TOKEN_SECONDS = 600


def token(login, password=PASSWORD):
    """One of the last `TOKEN_SECONDS`, whose session nobody has ended."""
    made_at, known = _tokens.get((login, password), (0, None))
    if known is None or time.monotonic() - made_at > TOKEN_SECONDS:
        made_at, known = time.monotonic(), new_token(login, password)
        _tokens[login, password] = made_at, known
    return known


def accepted_request(test, person, company, types, reason="Prova delle pagine", days=3, **terms):
    """The id of a subscription to a person's data that the person has accepted, of these `terms` (granularity and frequency); it
    ends with the test. A company has one open request for a person at most."""
    asking, now = token(company), datetime.now(timezone.utc)
    request = call("POST", "/query/v1/requests", {
        "email": person, "data_types": types, "from": (now - timedelta(days=days)).isoformat(),
        "to": (now + timedelta(days=days)).isoformat(), "mode": "subscription", "reason": reason,
        **terms}, asking)["id"]

    def end():
        if call("GET", f"/query/v1/requests/{request}", token=asking)["state"] in ("pending", "accepted"):
            call("DELETE", f"/query/v1/requests/{request}", token=asking)
    test.addCleanup(end)
    call("POST", f"/query/v1/me/requests/{request}/acceptance", {}, token(person))
    return request


def priced_request(test, person, company):
    """As `accepted_request`, for two days that are over: the suite has a price for that, and none for subscriptions."""
    return accepted_request(
        test, person, company, ["heart-rate"], mode="once", to=(datetime.now(timezone.utc) - timedelta(days=1)).isoformat())


def enrol(session, **terms):
    """Has AutomatedSOS watch the person with this token, at the price that there is."""
    price = call("GET", "/dispatcher/v1/price", token=session)
    return call("PUT", "/dispatcher/v1/enrolment", {
        "clauses_version": "2026-01", "grants_emergency_calls": True, "callback_phone": "+39021234567",
        "accepts_price": {name: price[name] for name in ("amount", "currency")}, **terms}, session)


def pay_link(request, company):
    """Where the sandbox broker takes the payment for an accepted request, waited for."""
    asking = token(company)
    payment = lambda: call("GET", f"/query/v1/requests/{request}", token=asking)["payment"]
    return eventually("the way to pay", lambda: payment().get("pay_url"))


def pay(request, company):
    """Pays for an accepted request, as by a press at the sandbox broker."""
    pay_at(pay_link(request, company))


def invoice_link(invoice, company):
    """Where the sandbox broker takes the payment for an invoice, waited for."""
    asking = token(company)
    return eventually("the way to pay", lambda: call("GET", f"/query/v1/invoices/{invoice}", token=asking).get("pay_url"))


def paid_group_question(company, where):
    """Asks about a group what the page asks by itself, and pays for the answer; what is paid already is not paid again."""
    day = lambda days: (datetime.now(timezone.utc) - timedelta(days=days)).strftime("%Y-%m-%d")
    answer = call("POST", "/query/v1/group-requests", {
        "data_types": ["heart-rate"], "bucket": "day", "from": day(10), "to": day(4), "where": where}, token(company))
    if answer["payment"]["state"] == "due":
        pay_at(invoice_link(answer["payment"]["invoice"], company))


def pay_at(link):
    with urllib.request.urlopen(link, data=b"", timeout=20) as answer:
        said = answer.read().decode()
    if "is paid: 200" not in said:
        raise AssertionError(said)


def eventually(what, ask, seconds=20):
    """The first true answer of `ask`; fails with `what` when there is none in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} s: {what}")


@contextlib.contextmanager
def away(service, page):
    """The service is killed, and started again only after this; its `page` answers then."""
    def answers():
        try:
            return urllib.request.urlopen(BASE + page, timeout=5).status == 200
        except OSError:
            return False
    runner = int((STATE / "lock").read_text())
    os.kill(runner, signal.SIGSTOP)
    try:
        os.kill(int((STATE / "processes" / service).read_text()), signal.SIGKILL)
        yield
    finally:
        os.kill(runner, signal.SIGCONT)
        eventually(f"{service} is back", answers, seconds=60)


def current_run():
    """A run that is not over. The simulated people announce one soon after the suite's start."""
    return eventually("a run", lambda: next(iter(call("GET", "/track4run/v1/runs?state=current&limit=1")["runs"]), None), 60)


def mail_link(address, subject=""):
    """The link in the newest mail to `address` of which the subject holds these words."""
    def newest():
        for file in sorted(STATE.glob("mail/new/*"), key=lambda file: -file.stat().st_mtime):
            message = email.message_from_bytes(file.read_bytes(), policy=email.policy.default)
            if address not in str(message["To"]) or subject not in str(message["Subject"]):
                continue
            link = re.search(r"https?://\S+", message.get_body(("plain",)).get_content())
            if link:
                return link.group(0)
        return None
    return eventually(f"a mail to {address} with a link", newest)


def link_token(link):
    """What stands behind # in a link of a mail."""
    return link.partition("#")[2]


def new_individual(confirmed=True):
    """A person who has just registered; the address."""
    address = f"eva.{random.randrange(10**9)}@example.org"
    terms = call("GET", "/accounts/v1/terms")["individual"]["version"]
    call("POST", "/accounts/v1/individuals", {
        "name": "Eva", "surname": "Conti", "birth_date": "1971-09-04", "fiscal_code": fiscal_code("1971-09-04"),
        "email": address, "password": PASSWORD, "terms_version": terms,
        "consents": {"health_data": True, "position": True}})
    if confirmed:
        call("POST", "/accounts/v1/confirmations/confirm", {"token": link_token(mail_link(address))})
    return address


def vat_number():
    """A VAT number of nobody, with its check digit."""
    digits = [random.randrange(10) for _ in range(10)]
    doubled = [digit if place % 2 == 0 else sum(divmod(2 * digit, 10)) for place, digit in enumerate(digits)]
    return "".join(map(str, digits)) + str(-sum(doubled) % 10)


def new_third_party():
    """A company that has just registered; the address."""
    address, vat = f"ditta.{random.randrange(10**9)}@example.org", vat_number()
    terms = call("GET", "/accounts/v1/terms")["third_party"]["version"]
    call("POST", "/accounts/v1/third-parties", {
        "company_name": f"Ditta {vat}", "vat_number": vat, "email": address, "password": PASSWORD, "terms_version": terms})
    call("POST", "/accounts/v1/confirmations/confirm", {"token": link_token(mail_link(address))})
    return address


ODD = {c: v for c, v in zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", [
    1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23])}


def fiscal_code(birth):
    """A fiscal code of a woman born in Milan on `birth` (YYYY-MM-DD), with letters of a name of its own."""
    letters = "".join(random.choice("BCDFGLMNPRSTVZ") for _ in range(6))
    month = "ABCDEHLMPRST"[int(birth[5:7]) - 1]
    code = f"{letters}{birth[2:4]}{month}{int(birth[8:10]) + 40}F205"
    even = lambda c: int(c) if c.isdigit() else ord(c) - 65
    total = sum(ODD[c] if place % 2 == 0 else even(c) for place, c in enumerate(code))
    return code + chr(65 + total % 26)


class Device:
    """A device that shows `code`, which its owner types; then it sends what it measures."""

    def __init__(self, name, data_types):
        self._pairing = call("POST", "/accounts/v1/pairings", {"name": name, "data_types": data_types})
        self.code = self._pairing["code"]
        self._token, self._uploads = None, 0

    def _claim(self):
        path = f"/accounts/v1/pairings/{self._pairing['pairing_id']}/claim"
        secret = {"claim_secret": self._pairing["claim_secret"]}
        given = eventually("the device's secret", lambda: (lambda answer: "device_id" in answer and answer)(call("POST", path, secret)))
        return call("POST", "/accounts/v1/oauth/token", form={
            "grant_type": "client_credentials", "client_id": given["device_id"], "client_secret": given["device_secret"]})["access_token"]

    def send(self, data_type, value):
        """One value that is measured now; the answer."""
        self._token = self._token or self._claim()
        self._uploads += 1
        now = datetime.now(timezone.utc).isoformat()
        return call("POST", "/ingestion/v1/uploads", {"upload": self._uploads, "sent_at": now, "series": [
            {"type": data_type, "start": now, "offsets_ms": [0], "values": [value]}]}, self._token)


def app_code(secret, later=0):
    """What an authenticator app shows, or will some steps of 30 seconds later (RFC 6238)."""
    step = int(time.time()) // 30 + later
    digest = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    place = digest[-1] & 15
    return f"{(int.from_bytes(digest[place:place + 4], 'big') & 0x7fffffff) % 1_000_000:06}"
