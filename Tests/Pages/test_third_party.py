"""REQ, SUB, GRP in the browser of a third party: asking for a person's data, reading them, a question about a group."""

import json
import random
from datetime import datetime, timedelta, timezone


from browser import PageTest
from suite import accepted_request, call, demo, eventually, new_individual, new_third_party, paid_group_question, pay, token

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
# The answer to the first call that asks several people does not come, though the call has arrived.
LOSE_ANSWER = """
const real = window.fetch;
let isLost = false;
window.fetch = async (path, options) => {
  const answer = await real(path, options);
  if (isLost || !String(path).endsWith("/request-batches")) return answer;
  isLost = true;
  throw new TypeError("lost");
};
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
        """REQ-01 REQ-02 REQ-12 PAY-01ab: a person who does not exist, a request that is sent, what it costs, a file, its end."""
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
        browser.wait_text("Richiesta mandata. Se la persona accetta, costa 5,00")
        browser.wait_text(reason, "#requests")
        asked = call("GET", "/query/v1/me/requests", token=token(person))["requests"][0]
        self.assertEqual((asked["reason"], asked["state"], asked["mode"]), (reason, "pending", "once"))
        call("POST", f"/query/v1/me/requests/{asked['id']}/acceptance", {}, token(person))
        browser.open("/data-requests")
        browser.wait_text("Accettata", "#requests")
        browser.wait_text("Da pagare: 5,00", "#requests")
        pay(asked["id"], demo("Third party")[0])
        browser.open("/data-requests")
        browser.wait_text("Pagata: 5,00", "#requests")
        browser.press("Scarica (CSV)", "#requests")
        _, *samples = browser.download(".csv").splitlines()
        self.assertIn("heart-rate", samples[0])
        self.assertGreater(len(samples), 1000)
        browser.press("Termina", "#requests")
        browser.press("No, lascia così", "#requests")
        browser.press("Termina", "#requests")
        browser.press("Sì, termina subito", "#requests")
        browser.wait_text("La richiesta è terminata.")

    def fill_in(self, people, reason, days=30):
        """Fills in the form for a subscription of the heart rate, with people as they are pasted."""
        browser = self.browser
        browser.find("#new summary").click()
        browser.driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
            browser.field("Codice fiscale o e-mail"), people)
        browser.find("#type-heart-rate").click()
        browser.choose("Durata", str(days))
        browser.fill("Perché li chiedi", reason)

    def lines(self):
        return [line.text for line in self.browser.driver.find_elements("css selector", "#outcomes li")]

    def test_many_people(self):
        """REQ-01a REQ-02a REQ-03a REQ-09a: several people in one form, pasted; what became of each, and who can be put right stays."""
        browser, company = self.browser, new_third_party()
        asking = token(company)
        asked, open_already, without_data = demo("Individuals")[5], demo("Individuals")[3], new_individual()
        reason, nobody = f"Tanti {random.randrange(10**6)}", f"nobody.{random.randrange(10**9)}@example.org"
        now = datetime.now(timezone.utc)
        first = call("POST", "/query/v1/requests", {
            "email": open_already, "data_types": ["heart-rate"], "from": (now - timedelta(days=2)).isoformat(),
            "to": (now - timedelta(days=1)).isoformat(), "mode": "once", "reason": reason}, asking)["id"]
        self.addCleanup(lambda: call("DELETE", f"/query/v1/requests/{first}", token=token(company)))
        browser.log_in(company, to="/data-requests")
        self.fill_in(f"{asked}\t{open_already}\r\n{nobody}\nMARIO ROSSI;{without_data}\n{asked.upper()}\n", reason)
        browser.press("Chiedi", "#ask")
        browser.wait_text("Persone a cui hai chiesto: 1 di 5.", "#outcome-told")
        for line, (person, words) in zip(self.lines(), (
                (asked, "si aspetta la risposta"), (open_already, "Hai già una richiesta aperta"), (nobody, "Nessuno è registrato"),
                ("MARIOROSSI", "non è giusto"), (without_data, "non si raccoglie nessuno")), strict=True):
            self.assertIn(person, line)
            self.assertIn(words, line)
        self.assertFalse(browser.has("#ask-again"))
        self.assertEqual(browser.value("Codice fiscale o e-mail"), f"{nobody}\nMARIOROSSI")
        self.assertEqual(browser.violations(), [])
        self.assertLessEqual(browser.overflow(), 0)
        made = call("GET", "/query/v1/requests", token=asking)["requests"]
        self.assertEqual([one["individual"] for one in made], [asked, open_already])
        self.addCleanup(lambda: call("DELETE", f"/query/v1/requests/{made[0]['id']}", token=token(company)))
        self.assertEqual((made[0]["mode"], made[0]["granularity"], made[0]["frequency"]), ("subscription", "raw", "live"))
        browser.press(asked, "#outcomes")
        browser.wait_path(f"/data-requests/{made[0]['id']}")

    def test_limit_of_look_ups(self):
        """REQ-02b: beyond a limit the rest is told and can be tried again, and is not asked before there is room."""
        browser, company = self.browser, new_third_party()
        browser.log_in(company, to="/data-requests")
        people = [f"nobody.{random.randrange(10**12)}@example.org" for _ in range(62)]
        self.fill_in("\n".join(people), "Prova del limite")
        browser.press("Chiedi", "#ask")
        browser.wait_text("Restano 2 persone", "#outcome-told")
        missed = lambda: (sum("Nessuno è registrato" in line for line in self.lines()), sum("troppe ricerche" in line for line in self.lines()))
        self.assertEqual(missed(), (60, 2))
        browser.press("Riprova con le rimanenti", "#outcome")
        browser.wait(lambda _: browser.find("#ask-again").get_attribute("aria-disabled") is None, "an answer")
        self.assertEqual(missed(), (60, 2))

    def test_lost_answer(self):
        """REQ-01a REQ-09a: when the answer is lost the same form is sent again with its key, and each is asked once."""
        browser, company = self.browser, new_third_party()
        people, reason = demo("Individuals")[5:7], f"Persa {random.randrange(10**6)}"
        browser.log_in(company, to="/data-requests")
        self.fill_in("\n".join(people), reason)
        browser.driver.execute_script(LOSE_ANSWER)
        browser.press_twice("Chiedi", "#ask")
        browser.wait_text("Quello che hai scritto è ancora qui.", "#notices")
        browser.press("Chiedi", "#ask")
        browser.wait_text("Persone a cui hai chiesto: 2 di 2.", "#outcome-told")
        made = call("GET", "/query/v1/requests", token=token(company))["requests"]
        for one in made:
            self.addCleanup(lambda id=one["id"]: call("DELETE", f"/query/v1/requests/{id}", token=token(company)))
        self.assertEqual(sorted(one["individual"] for one in made), sorted(people))
        self.assertEqual(len(self.lines()), 2)
        self.assertTrue(all("si aspetta la risposta" in line for line in self.lines()))

    def test_terms(self):
        """REQ-01c SUB-01b: granularity, frequency with its minutes and duration are chosen; what is wrong stands beside its field."""
        browser, company, person = self.browser, new_third_party(), demo("Individuals")[5]
        browser.log_in(company, to="/data-requests")
        self.fill_in(person, "Prova dei termini", days=90)
        # A request for the past has no frequency.
        browser.fill("Al", f"{datetime.now(timezone.utc) - timedelta(days=3):%Y-%m-%d}")
        browser.wait(lambda _: not browser.has("#frequency"), "no frequency")
        browser.choose("Durata", "90")
        browser.choose("Quanto fini", "Un valore per ogni ora")
        browser.choose("Ogni quanto arrivano", "interval")
        browser.find("#type-position").click()
        browser.fill("Ogni quanti minuti", "4")
        browser.press("Chiedi", "#ask")
        browser.wait_text("da 5 a 1440", "#minutes-fault")
        browser.fill("Ogni quanti minuti", "30")
        browser.press("Chiedi", "#ask")
        browser.wait_text("o togli la posizione", "#granularity-fault")
        # Not below the notice.
        browser.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", browser.find("#type-position"))
        browser.find("#type-position").click()
        browser.press("Chiedi", "#ask")
        browser.wait_text("Richiesta mandata.")
        browser.wait_text("Un valore per ogni ora, ogni 30 minuti", "#requests")
        made, = call("GET", "/query/v1/requests", token=token(company))["requests"]
        self.addCleanup(lambda: call("DELETE", f"/query/v1/requests/{made['id']}", token=token(company)))
        self.assertEqual((made["mode"], made["granularity"], made["frequency"], made["every_minutes"], made["data_types"]),
                         ("subscription", "hour", "interval", 30, ["heart-rate"]))
        end = datetime.fromisoformat(made["to"].replace("Z", "+00:00"))
        self.assertLess(abs(end - datetime.now(timezone.utc) - timedelta(days=90.5)), timedelta(days=1))
        browser.open(f"/data-requests/{made['id']}")
        browser.wait_text("Un valore per ogni ora, ogni 30 minuti", "#facts")

    def test_read_sums(self):
        """SUB-01b REQ-08a: of a request with a granularity the values are drawn, read one by one, and downloaded."""
        browser, company = self.browser, new_third_party()
        request = accepted_request(self, demo("Individuals")[5], company, ["heart-rate", "steps"], granularity="hour")
        asking = token(company)
        kinds = lambda: {one["type"] for one in call("GET", f"/query/v1/requests/{request}/data", token=asking).get("sums", [])}
        eventually("sums of the past", lambda: kinds() >= {"heart-rate"})
        browser.log_in(company, to="/data-requests")
        browser.open(f"/data-requests/{request}")
        browser.wait_text("Valori ricevuti:", "#told")
        browser.find("#chart")
        browser.find("#single summary").click()
        browser.wait(lambda _: self.count("#rows tr") > 10, "values one by one")
        self.assertRegex(browser.text("#rows tr"), r"battiti/min 1:00:00$")
        browser.press("Scarica il file", "#files")
        browser.wait_text("Il browser sta scrivendo il file.")
        self.assertTrue(browser.download(".csv").startswith("type,start,end,count,mean"))

    def test_forms(self):
        """REQ-12b: of the same data a file in each form: lines of CSV and NDJSON, one JSON, FHIR and Open mHealth."""
        browser, company = self.browser, new_third_party()
        request = accepted_request(self, demo("Individuals")[5], company, ["heart-rate"])
        browser.log_in(company, to="/data-requests")
        browser.open(f"/data-requests/{request}")
        browser.wait_text("Misure lette:", "#told")

        def file(form, suffix):
            browser.forget_downloads()
            browser.choose("Formato", form)
            browser.press("Scarica il file", "#files")
            browser.wait_text("Il browser sta scrivendo il file.")
            return browser.download(suffix)
        # By the end of yesterday nothing more is measured.
        browser.fill("Al", f"{datetime.now(timezone.utc) - timedelta(days=1):%Y-%m-%d}")
        _, *csv = file("csv", ".csv").splitlines()
        self.assertGreater(len(csv), 1000)
        self.assertEqual(self.samples(map(json.loads, file("ndjson", ".ndjson").splitlines())), len(csv))
        self.assertEqual(self.samples(json.loads(file("json", ".json"))["series"]), len(csv))
        observation = json.loads(file("fhir", ".ndjson").splitlines()[0])
        self.assertEqual(observation["resourceType"], "Observation")
        point = json.loads(file("open-mhealth", ".ndjson").splitlines()[0])
        self.assertEqual(point["header"]["schema_id"]["name"], "heart-rate")

    def test_results_after_withdrawal(self):
        """REQ-10e REQ-12b: after the person has withdrawn, what was received is downloaded again, and nothing else can be read."""
        browser, company, person = self.browser, new_third_party(), demo("Individuals")[5]
        request = accepted_request(self, person, company, ["heart-rate"])
        asking = token(company)
        received = lambda: call("GET", f"/query/v1/requests/{request}/data?limit=20000", token=asking)["series"]
        count = sum(len(one["offsets_ms"]) for one in eventually("data", received))
        call("POST", f"/query/v1/me/requests/{request}/withdrawal", {}, token(person))
        browser.log_in(company, to="/data-requests")
        browser.wait_text("Quello che hai ricevuto (CSV)", "#requests")
        browser.open(f"/data-requests/{request}")
        browser.wait_text("Consenso revocato", "#state")
        browser.wait_text("Quello che hai ricevuto", "#results")
        self.assertFalse(browser.has("#data"))
        browser.press("Scarica CSV", "#results")
        _, *lines = browser.download(".csv").splitlines()
        self.assertEqual(len(lines), count)
        browser.press("Scarica NDJSON", "#results")
        self.assertEqual(self.samples(map(json.loads, browser.download(".ndjson").splitlines())), count)
        browser.press("Scarica JSON", "#results")
        self.assertEqual(self.samples(json.loads(browser.download(".json"))["series"]), count)
        browser.forget_downloads()
        browser.press("Scarica FHIR", "#results")
        self.assertEqual(json.loads(browser.download(".ndjson").splitlines()[0])["resourceType"], "Observation")
        fetched = lambda: any(one.get("request_id") == request and one["way"] == "result" for one in call(
            "GET", "/query/v1/me/access-log?limit=100", token=token(person))["accesses"])
        eventually("the person sees it", fetched)

    def samples(self, series):
        return sum(len(one["offsets_ms"]) for one in series)

    def test_events(self):
        """SUB-02b REQ-07a REQ-12a: outcomes and data of all requests appear as they happen; a pause holds them back and loses none."""
        browser, company, person = self.browser, new_third_party(), demo("Individuals")[5]
        browser.log_in(company, to="/data-requests")
        browser.open("/data-events")
        browser.wait_text("Collegato", "#state")
        browser.wait_text("Non è ancora successo nulla.")
        request = accepted_request(self, person, company, ["heart-rate"])
        browser.wait_text("Accettata: Frequenza cardiaca", "#rows")
        browser.wait_text("Misure arrivate: Frequenza cardiaca", "#rows")
        browser.wait_text(person, "#rows")
        self.assertEqual(browser.violations(), [])
        browser.press("Metti in pausa")
        browser.wait_text("In pausa.", "#state")
        call("DELETE", f"/query/v1/requests/{request}", token=token(company))
        self.assertNotIn("Terminata", browser.text("#rows"))
        browser.press("Riprendi")
        browser.wait_text("Terminata", "#rows")
        accepted = sum("Accettata" in row.text for row in browser.driver.find_elements("css selector", "#rows tr"))
        self.assertEqual(accepted, 1)
        # What was seen does not come again, unless it is asked for; data of a consent that is over does not come at all.
        browser.open("/data-events")
        browser.wait_text("Collegato", "#state")
        self.assertFalse(browser.has("#rows"))
        browser.press("Tutto dall'inizio")
        browser.wait_text("Terminata", "#rows")
        browser.wait_text("Accettata", "#rows")
        self.assertNotIn("Misure arrivate", browser.text("#rows"))
        browser.press(person, "#rows")
        browser.wait_path(f"/data-requests/{request}")

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
        browser, company = self.browser, demo("Third party")[0]
        paid_group_question(company, {"age": {"min": 0}})
        browser.log_in(company, to="/data-requests")
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
