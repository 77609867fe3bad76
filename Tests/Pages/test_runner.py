"""RUN in the browser: finding a run, enrolling, checking in, leaving; a spectator follows; lists are read without script."""

import html
import random
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from browser import Browser, PageTest
from suite import Refused, call, demo, eventually, token

RUNS = "/track4run/v1/runs"


def course():
    """Some 630 m eastwards, where nobody else runs."""
    longitude, latitude = random.uniform(7.5, 8.5), random.uniform(44.3, 44.9)
    return [[round(longitude + step * 0.002, 6), round(latitude, 6)] for step in range(5)]


def made_run(organiser, starts_in, **changes):
    start = datetime.now(timezone.utc) + starts_in
    path = course()
    draft = {
        "name": f"Corsa <i>{random.randrange(10**6)}</i>", "description": "Una corsa di prova.", "place": "Alba",
        "clauses": "Corro a mio rischio.\nPorto l'acqua.", "path": {"type": "LineString", "coordinates": path},
        "checkpoints": [{"name": "Ponte", "coordinates": path[2]}], "start": start.isoformat(),
        "end": (start + timedelta(minutes=20)).isoformat(), "enrolment_deadline": start.isoformat(),
        "participants_max": 10, **changes}
    return {**draft, **call("POST", RUNS, draft, organiser)}


def free():
    """Somebody whom the simulated races have not enrolled now."""
    def is_free(person):
        return not any(enrolment["run"]["state"] in ("upcoming", "under-way")
                       for enrolment in call("GET", "/track4run/v1/me/enrolments", token=token(person))["enrolments"])
    return next(person for person in demo("Individuals")[5:9] if is_free(person))


class RunnerTest(PageTest):
    def setUp(self):
        super().setUp()
        self.organiser = token(demo("Organiser")[0])

    def run_of(self, starts_in, **changes):
        made = made_run(self.organiser, starts_in, **changes)
        self.addCleanup(self.cancel, made["id"])
        return made

    def cancel(self, run):
        try:
            call("DELETE", f"{RUNS}/{run}", token=self.organiser)
        except Refused as refused:
            # Over already.
            if refused.status != 409:
                raise


class Runner(RunnerTest):
    def test_enrol_check_in_and_be_followed(self):
        """RUN-06 RUN-08 RUN-09: clauses, check-in, the own state; who is not logged in follows by bib, name and link."""
        browser, person = self.browser, free()
        run = self.run_of(timedelta(seconds=60))
        browser.log_in(person)
        browser.open(f"/runs/{run['code']}")
        browser.wait_text("Posti liberi: 10", "#me")
        browser.press("Iscriviti", "#me")
        browser.wait_text("Per partecipare devi accettare", "#me")
        browser.find("#accepts").click()
        browser.press("Iscriviti", "#me")
        browser.wait_text("Iscrizione fatta")
        browser.find("#check-in")
        self.assertFalse(browser.driver.find_element("id", "share-position").is_enabled())
        browser.press("Fai il check-in", "#check-in")
        browser.wait_text("Hai fatto il check-in", "#me")
        mine, = call("GET", f"/track4run/v1/me/enrolments?run={run['code']}", token=token(person))["enrolments"]
        self.assertEqual(mine["state"], "checked-in")
        browser.open("/my-runs")
        browser.wait_text(run["name"], "#today")
        # By the clock where the run is, as on its own page: this browser is in another zone.
        start = datetime.fromisoformat(run["start"]).astimezone(ZoneInfo("Europe/Rome"))
        self.assertIn(f"{start:%H:%M}", browser.text("#today"))
        browser.picture("my-runs")

        spectator = Browser("desk", self.language, self.theme)
        self.addCleanup(spectator.close)
        spectator.open(f"/runs/{run['code']}")
        eventually("the start", lambda: "In corso" in spectator.text("#state"), 90)
        eventually("the runner in the placings", lambda: f"{mine['bib']}" in spectator.text("#placings tbody"))
        name = spectator.text("#placings tbody td:nth-child(3)")
        # Sixteen letters are a name; what is a code or an address but a wrong one is told beside the field.
        for typed, told, place in (("MASTROPASQUALONI", "Nessun atleta di questa corsa", "#notices"),
                                   ("ZZZZZZ99A01F205X", "Questo codice fiscale", "#who-fault"), ("a@b", "Questo indirizzo", "#who-fault")):
            spectator.fill("Segui un atleta", typed)
            spectator.press("Segui", "#follow")
            spectator.wait_text(told, place)
        spectator.fill("Segui un atleta", "nessuno si chiama così")
        spectator.press("Segui", "#follow")
        spectator.wait_text("Nessun atleta di questa corsa corrisponde")
        spectator.fill("Segui un atleta", " ".join(reversed(name.split())).upper())
        spectator.press("Segui", "#follow")
        spectator.wait_text(name, "#followed")
        self.assertTrue(spectator.has("tr.followed"))
        self.assertTrue(spectator.driver.current_url.endswith(f"#bib={mine['bib']}"))
        spectator.press("Smetti di seguire")
        self.assertFalse(spectator.has("#followed"))
        # By the exact e-mail address, which only who knows it can use.
        spectator.fill("Segui un atleta", person)
        spectator.press("Segui", "#follow")
        spectator.wait_text(name, "#followed")
        link = spectator.driver.current_url
        spectator.driver.get("about:blank")
        spectator.driver.get(link)
        spectator.wait_text(name, "#followed")
        said = lambda: spectator.driver.find_element("id", "followed-said").get_attribute("textContent")
        eventually("a sentence for screen readers", lambda: f"pettorale {mine['bib']}" in said())
        spectator.press("Condividi")
        spectator.find("#notices .notice")
        self.assertEqual(spectator.faults(("/runner-search ",)), [])
        self.assertEqual(spectator.violations(), [])

    def test_silent_network(self):
        """RUN-09: a network that falls silent without breaking a connection is told, and so is that it is back."""
        run = self.run_of(timedelta(seconds=58))
        # Nothing happens before the start but `still` every 15 s: more than the one patience, less than the other.
        patient, impatient = self.listening(run, 17_000), self.listening(run, 3_000)
        said = lambda browser: browser.driver.execute_script("return window.told")
        impatient.wait(lambda _: "Collegamento interrotto" in said(impatient), "that it is interrupted")
        impatient.wait(lambda _: not impatient.has("#notices .notice"), "the connection again")
        age = lambda: patient.driver.execute_script("return performance.now()")
        eventually("more than its patience", lambda: age() > 22_000, 30)
        self.assertEqual(said(patient), "")

    def listening(self, run, patience):
        """A browser on the page of `run` that waits so many milliseconds for something to come, and keeps all notices in `told`."""
        browser = Browser("phone", self.language, self.theme)
        self.addCleanup(browser.close)
        browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": "const wait = window.setTimeout; window.setTimeout = (act, time, ...more) => "
                      f"wait(act, time === 40000 ? {patience} : time, ...more)"})
        browser.open(f"/runs/{run['code']}")
        browser.driver.execute_script(
            "window.told = ''; const box = document.querySelector('#notices');"
            "new MutationObserver(() => (window.told += box.textContent)).observe(box, { childList: true })")
        return browser

    def test_enrol_and_leave(self):
        """RUN-06 RUN-07: an enrolment ends in two touches, and its place is free again."""
        run = self.run_of(timedelta(days=3), participants_max=2)
        browser, person = self.browser, demo("Individuals")[7]
        browser.log_in(person)
        browser.open(f"/runs/{run['code']}")
        browser.find("#accepts").click()
        browser.press("Iscriviti", "#me")
        browser.wait_text("Il check-in si apre il", "#me")
        browser.wait_text("1 su 2", "#places")
        browser.open("/my-runs")
        browser.wait_text(run["name"], "#coming")
        browser.open(f"/runs/{run['code']}")
        browser.press("Ritirati dalla corsa", "#me")
        browser.press("No, resto", "#me")
        browser.press("Ritirati dalla corsa", "#me")
        browser.press("Sì, mi ritiro", "#me")
        browser.wait_text("Ti sei ritirato.")
        browser.wait_text("0 su 2", "#places")
        own = call("GET", f"/track4run/v1/me/enrolments?run={run['code']}", token=token(person))
        self.assertEqual(own["enrolments"], [])

    def test_conditions_that_change_and_a_run_that_is_cancelled(self):
        """RUN-06: only what was read is accepted; a cancelled run stays among the runner's own."""
        self.expected = ("/enrolments ",)
        run = self.run_of(timedelta(days=5))
        browser = self.browser
        browser.log_in(demo("Individuals")[7])
        browser.open(f"/runs/{run['code']}")
        browser.find("#accepts").click()
        call("PATCH", f"{RUNS}/{run['code']}", {"clauses": "Porto anche la torcia."}, self.organiser)
        browser.press("Iscriviti", "#me")
        browser.wait_text("Porto anche la torcia.", "#me")
        self.assertFalse(browser.find("#accepts").is_selected())
        browser.find("#accepts").click()
        browser.press("Iscriviti", "#me")
        browser.wait_text("Iscrizione fatta")
        self.cancel(run["code"])
        browser.open("/my-runs")
        browser.wait_text(run["name"], "#cancelled")


class Finding(RunnerTest):
    size = "desk"

    def test_list_and_map(self):
        """RUN-05: runs that are not over, the nearest first; by words; beside a map that says the same."""
        far = self.run_of(timedelta(days=40))
        near = self.run_of(timedelta(days=39))
        browser = self.browser
        browser.open("/runs")
        states = [card.get_attribute("data-state") for card in browser.driver.find_elements("css selector", "#runs > li")]
        self.assertEqual(states, sorted(states, key=["under-way", "upcoming"].index))
        browser.find("form.search summary").click()
        browser.fill("Luogo", "alba")
        browser.press("Cerca", "form.search")
        browser.find("#map canvas")
        listed = browser.text("#runs")
        self.assertLess(listed.index(near["name"]), listed.index(far["name"]))
        browser.driver.execute_script(
            "arguments[0].focus()", browser.find(f"#runs a[href='/runs/{far['code']}']"))
        browser.wait(lambda driver: far["name"] in driver.find_element("css selector", ".card.marked").text, "a marked card")
        browser.fill("Nome o codice", far["code"].lower())
        browser.press("Cerca", "form.search")
        browser.wait_text(far["name"], "#runs")
        self.assertNotIn(near["name"], browser.text("#runs"))
        self.assertEqual(browser.violations(), [])
        browser.press("Corse concluse")
        browser.wait_text("Nessuna corsa corrisponde alla ricerca.")
        browser.press("Corse in corso e in programma")
        browser.wait_text(far["name"], "#runs")


class WithoutScript(RunnerTest):
    def test_reading(self):
        """NFR-08: runs and a run with its facts, checkpoints and placings are read without JavaScript."""
        run = self.run_of(timedelta(days=50))
        browser = self.browser
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        for path, texts in (
                (f"/runs?text={run['code']}", [run["name"], "In programma"]),
                (f"/runs/{run['code']}", [run["name"], "Ponte", "La classifica comincia con la partenza.", "Porto l'acqua.",
                                          "Accedi per iscriverti"]),
                ("/runs?state=past", ["Concluse"])):
            browser.open(path)
            source = html.unescape(browser.driver.page_source)
            for text in texts:
                self.assertIn(text, source)
