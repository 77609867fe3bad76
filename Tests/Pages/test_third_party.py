"""REQ, SUB, GRP in the browser of a third party: asking for a person's data, reading them, a question about a group."""

import random
from datetime import datetime, timedelta, timezone

from browser import PageTest
from suite import accepted_request, call, demo, new_third_party, token

MARKUP = "<script>document.title = 'taken'</script><b>"
# How many points of the plot's lower three quarters have the colour of the means.
MEANS = """
const canvas = [...document.querySelectorAll("#answer canvas")].find(({ offsetHeight }) => offsetHeight > 50);
if (!canvas) return 0;
const probe = document.createElement("canvas").getContext("2d");
probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent").trim();
probe.fillRect(0, 0, 1, 1);
const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
const top = Math.round(canvas.height / 4);
const { data } = canvas.getContext("2d").getImageData(0, top, canvas.width, canvas.height - top);
let count = 0;
for (let at = 0; at < data.length; at += 4) count += data[at] === red && data[at + 1] === green && data[at + 2] === blue;
return count;
"""
HEBREW = "\u05e9\u05dc\u05d5\u05dd"


class ThirdParty(PageTest):
    size = "desk"
    # Nobody has the invented address: 404; too few people: 403.
    expected = ("status of 404", "status of 403", "status of 422")

    def ask(self, person, reason, types=("heart-rate",)):
        """Fills in the form for a request of days that are over, and sends it."""
        browser = self.browser
        browser.find("#new summary").click()
        browser.fill("Codice fiscale o e-mail", person)
        for type in types:
            browser.find(f"#type-{type}").click()
        today = datetime.now(timezone.utc)
        browser.fill("Dal", f"{today - timedelta(days=24):%Y-%m-%d}")
        browser.fill("Al", f"{today - timedelta(days=5):%Y-%m-%d}")
        browser.fill("Perché li chiedi", reason)
        browser.press("Chiedi", "#ask")

    def test_ask_for_a_person(self):
        """REQ-01 REQ-02 REQ-12: a person who does not exist, a request that is sent, its state, a file, its end."""
        browser, person = self.browser, demo("Individuals")[4]
        browser.log_in(demo("Third party")[0], to="/data-requests")
        reason = f"Controllo {random.randrange(10**6)}"
        self.ask(f"nobody.{random.randrange(10**9)}@example.org", reason)
        browser.wait_text("Nessuno è registrato")
        for wrong in ("CRBMNC07B45F205B", "MARIO ROSSI"):
            browser.fill("Codice fiscale o e-mail", wrong)
            browser.press("Chiedi", "#ask")
            browser.wait_text("codice fiscale", "#person-fault")
        browser.fill("Codice fiscale o e-mail", person)
        browser.press("Chiedi", "#ask")
        browser.wait_text("Richiesta mandata.")
        browser.wait_text(reason, "#requests")
        asked = call("GET", "/query/v1/me/requests", token=token(person))["requests"][0]
        self.assertEqual((asked["reason"], asked["state"], asked["mode"]), (reason, "pending", "once"))
        call("POST", f"/query/v1/me/requests/{asked['id']}/acceptance", {}, token(person))
        browser.open("/data-requests")
        browser.wait_text("Accettata", "#requests")
        browser.press("Scarica (CSV)", "#requests")
        _, *samples = browser.download(".csv").splitlines()
        self.assertIn("heart-rate", samples[0])
        self.assertGreater(len(samples), 1000)
        browser.press("Termina", "#requests")
        browser.press("No, lascia così", "#requests")
        browser.press("Termina", "#requests")
        browser.press("Sì, termina subito", "#requests")
        browser.wait_text("La richiesta è terminata.")

    def test_hostile_reasons(self):
        """REQ-01 NFR-08: markup and foreign writing stay text, a thousand characters are cut, what deceives is refused in words."""
        self.expected = ("status of 422",)
        browser, company, person = self.browser, demo("Third party")[0], demo("Individuals")[10]
        browser.log_in(company, to="/data-requests")
        self.ask(person, "Studio \u202e")
        browser.wait_text("senza caratteri invisibili")
        hostile = f"{MARKUP} {HEBREW} {'a' * 1000}"
        browser.fill("Perché li chiedi", hostile)
        browser.press("Chiedi", "#ask")
        browser.wait_text("Richiesta mandata.")
        browser.wait_text(hostile[:500], "#requests")
        asked = call("GET", "/query/v1/me/requests", token=token(person))["requests"][0]
        self.addCleanup(call, "DELETE", f"/query/v1/requests/{asked['id']}", token=token(company))
        self.assertEqual(asked["reason"], hostile[:500])
        for path in ("/data-requests", f"/data-requests/{asked['id']}"):
            browser.open(path)
            browser.wait_text(hostile[:500])
            self.assertNotEqual(browser.driver.title, "taken")
            self.assertLessEqual(browser.overflow(), 0)
        self.assertFalse(browser.has("#data"))

    def test_read_a_subscription(self):
        """REQ-08 REQ-12 SUB-02: state and history, the data as a plot, a path and tables, a file of a span, what is new, the end."""
        browser, company = self.browser, demo("Third party")[0]
        request = accepted_request(self, demo("Individuals")[5], company, ["heart-rate", "position", "steps"])
        browser.log_in(company, to="/data-requests")
        browser.open(f"/data-requests/{request}")
        browser.wait_text("Accettata", "#state")
        browser.wait_text("Chiesto", "#history")
        browser.wait_text("Misure lette:", "#told")
        self.show("heart-rate")
        browser.find("#chart")
        browser.find("#spans summary").click()
        browser.wait(lambda _: self.count("#span-rows tr") > 10, "the points as a table")
        browser.find("#single summary").click()
        browser.wait(lambda _: self.count("#rows tr") == 100, "a hundred measurements")
        self.assertIn("battiti/min", browser.text("#rows tr"))
        first = browser.text("#rows tr")
        browser.press("Più vecchie", "#single")
        browser.wait_text("Da 101", "#rows-told")
        self.assertNotEqual(browser.text("#rows tr"), first)
        browser.press("Più recenti", "#single")
        browser.wait_text("Da 1 a 100", "#rows-told")
        self.show("position")
        browser.find("#map canvas")
        self.assertRegex(browser.text("#rows tr"), r"4\d,\d+; ")
        browser.fill("Dal", "2000-01-01")
        browser.fill("Al", "2000-01-02")
        browser.press("Scarica il file", "#files")
        browser.wait_text("Scegli un periodo dentro quello della richiesta.")
        browser.open(f"/data-requests/{request}")
        # Whether anything has come meanwhile or not.
        browser.wait(lambda _: "all'ultima visita" in browser.text("#news"), "news")
        browser.press("Scarica il file", "#files")
        browser.wait_text("Il browser sta scrivendo il file.")
        header, *samples = browser.download(".csv").splitlines()
        self.assertTrue(header.startswith("type,time,value"))
        self.assertGreater(len(samples), 1000)
        self.choose("#format", "ndjson")
        browser.press("Scarica il file", "#files")
        self.assertIn('"offsets_ms":', browser.download(".ndjson").splitlines()[0])
        browser.press("Termina", "#end")
        browser.press("Sì, termina subito", "#end")
        browser.wait_text("La richiesta è terminata.")
        browser.wait_text("Terminata", "#history")
        self.assertFalse(browser.has("#data"))
        self.assertEqual(call("GET", f"/query/v1/requests/{request}", token=token(company))["state"], "ended")

    def count(self, selector):
        return len(self.browser.driver.find_elements("css selector", selector))

    def choose(self, select, value):
        self.browser.find(f"{select} option[value='{value}']").click()

    def show(self, type):
        self.choose("#type", type)

    def test_group_requests_are_not_open_yet(self):
        """ACC-15a GRP-01: a company that the operator has not admitted reads that, and how to ask for it."""
        browser = self.browser
        browser.log_in(new_third_party(), to="/data-requests")
        browser.open("/group-requests")
        browser.wait_text("il gestore l'ha ammessa", "#notices")
        browser.fill("Età, da", "0")
        browser.press("Chiedi", "#ask")
        browser.wait_text("il gestore l'ha ammessa", "#notices")

    def test_ask_about_a_group(self):
        """GRP-01 GRP-02 GRP-05 GRP-07: the answer with its intervals, kept and saved; a group that is too small, in words."""
        browser = self.browser
        browser.log_in(demo("Third party")[0], to="/data-requests")
        browser.open("/group-requests")
        browser.press("Chiedi", "#ask")
        browser.wait_text("Scegli da uno a quattro criteri")
        browser.fill("Età, da", "0")
        browser.press("Chiedi", "#ask")
        browser.wait_text("intervallo 95 %", "#answer")
        self.assertGreater(self.count("#rows tr"), 3)
        browser.wait_text("Frequenza cardiaca", "#question")
        browser.wait_text("ρ", "#facts")
        # The means are seen in front of their intervals: their colour is below the legend, too.
        browser.wait(lambda driver: driver.execute_script(MEANS) > 100, "means in the plot")
        browser.press("Salva (CSV)", "#answer")
        header, *days = browser.download(".csv").splitlines()
        self.assertTrue(header.startswith("data_type,start,suppressed,count"))
        self.assertEqual(len(days), self.count("#rows tr"))
        browser.fill("Età, da", "119")
        browser.press("Chiedi", "#ask")
        browser.wait_text("non riguarda più di mille persone", "#notices")
        self.assertFalse(browser.has("#answer"))
        browser.press("Mostra la risposta", "#history")
        browser.wait_text("da 0 a 120 anni", "#question")
