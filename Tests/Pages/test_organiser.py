"""RUN in the browser of an organiser: drawing a course, creating a run, changing it, its participants, cancelling it."""

import pathlib
import random
import tempfile
import urllib.parse
from datetime import datetime, timedelta

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import PageTest
from suite import PASSWORD, call, demo, token

KILOMETRES = "Metti un punto di controllo a quanti chilometri dalla partenza"
RUNS = "/track4run/v1/runs"
SCRIPT = "<script>document.title = 'hostile'</script><img src=x onerror=alert(1)>"


class OrganiserTest(PageTest):
    size = "desk"

    def setUp(self):
        super().setUp()
        self.organiser = demo("Organiser")[0]
        # Somewhere and at a time where no other run is.
        self.latitude = round(random.uniform(40, 46), 4)
        self.longitude = round(random.uniform(9, 15), 4)
        self.start = datetime.now().replace(hour=9, minute=30) + timedelta(days=random.randrange(30, 900))
        self.name = f"Corsa di prova {random.randrange(10**9)}"

    def new(self):
        self.browser.log_in(self.organiser, to="/organise")
        self.browser.open("/organise/new")
        self.browser.wait_text("Ancora nessun punto.")

    def describe(self):
        browser, local = self.browser, "%Y-%m-%dT%H:%M"
        browser.fill("Nome", self.name)
        browser.fill("Luogo", "Pavia, Ponte Coperto")
        browser.fill("Descrizione (facoltativa)", "Due giri,\nper tutti.")
        browser.fill("Partenza", self.start.strftime(local))
        browser.fill("Fine", (self.start + timedelta(hours=2)).strftime(local))
        browser.fill("Iscrizioni fino a", (self.start - timedelta(days=1)).strftime(local))
        browser.fill("Posti", "30")
        browser.fill("Condizioni da accettare (facoltative)", "Corro a mio rischio.")

    def square(self):
        """Corners of a course of about 2 km."""
        north, east = self.latitude, self.longitude
        return [(north, east), (north + 0.005, east), (north + 0.005, east + 0.006), (north, east + 0.006)]

    def write_course(self):
        """By the keyboard."""
        lines = [f"{latitude:.4f}, {longitude:.4f}" for latitude, longitude in self.square()]
        self.browser.fill("Coordinate del percorso", "\n".join(lines) + Keys.TAB)
        self.browser.press("Chiudi il giro")
        self.browser.wait_text("punti: 5.")

    def save(self):
        """Returns the code of the run that was made. It is cancelled when the test ends."""
        browser = self.browser
        browser.press("Salva la corsa")
        browser.wait(lambda _: browser.path != "/organise/new", "the page of the run, but")
        browser.wait_text("Corsa creata.")
        code = browser.path.split("/")[2]
        self.addCleanup(self.cancel, code)
        return code

    def cancel(self, code):
        if call("GET", f"{RUNS}/{code}")["state"] != "cancelled":
            call("DELETE", f"{RUNS}/{code}", token=token(self.organiser))

    def on_map(self, right, down):
        """A pointer on the map, so many pixels from its middle."""
        ground = self.browser.find("#map")
        self.browser.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", ground)
        return ActionChains(self.browser.driver).move_to_element_with_offset(ground, right, down)

    def points(self):
        return self.browser.field("Coordinate del percorso").get_attribute("value").splitlines()


class Drawing(OrganiserTest):
    def test_on_the_map(self):
        """RUN-02: points are added, moved, pulled and taken back; a checkpoint is named; the run is there for everybody."""
        browser = self.browser
        self.new()
        self.assertEqual(browser.violations(), [])
        self.describe()
        browser.fill("Luogo da mostrare sulla mappa", f"{self.latitude}, {self.longitude}")
        browser.press("Mostra questo luogo")
        for right, down in ((-150, 60), (0, -60), (150, 60)):
            self.on_map(right, down).click().perform()
        browser.wait_text("punti: 3.")
        browser.press("Indietro di un passo")
        browser.wait_text("punti: 2.")
        self.on_map(150, 60).click().perform()
        browser.wait_text("punti: 3.")
        drawn = self.points()

        self.on_map(150, 60).click().perform()
        browser.wait_text("Punto 3 scelto")
        self.on_map(200, 100).click().perform()
        browser.wait(lambda _: self.points()[2] != drawn[2], "a point that was moved")
        self.on_map(0, -60).click_and_hold().move_by_offset(10, -20).move_by_offset(10, -20).release().perform()
        browser.wait(lambda _: self.points()[1] != drawn[1], "a point that was pulled")
        self.assertEqual(self.points()[0], drawn[0])
        self.on_map(200, 100).click().perform()
        browser.press("Aggiungi un punto dopo")
        browser.wait_text("Punto 4 scelto")
        browser.press("Togli il punto")
        browser.wait_text("punti: 3.")

        browser.press("Metti un punto di controllo")
        self.on_map(20, -100).click().perform()
        browser.fill("Nome del punto di controllo 1", "Fontana")
        code = self.save()
        run = call("GET", f"{RUNS}?text={urllib.parse.quote(self.name)}")["runs"][0]
        self.assertEqual((run["code"], run["place"], run["participants_max"]), (code, "Pavia, Ponte Coperto", 30))
        course = call("GET", f"{RUNS}/{code}")
        self.assertEqual(len(course["path"]["coordinates"]), 3)
        self.assertEqual([checkpoint["name"] for checkpoint in course["checkpoints"]], ["Fontana"])
        self.assertEqual(course["description"], "Due giri,\nper tutti.")
        browser.open(f"/runs?text={urllib.parse.quote(self.name)}")
        browser.wait_text(self.name)
        # In the time zone of the run, whichever the browser's is.
        browser.wait_text("09:30")
        browser.open("/organise")
        browser.wait_text(self.name, "#open")

    def test_faults(self):
        """RUN-03: what the service would refuse is told beside its field before it is sent, and what was typed stays."""
        browser = self.browser
        self.new()
        browser.press("Salva la corsa")
        browser.wait_text("Controlla i campi segnati")
        for text in ("Scrivi un nome", "Scegli la partenza", "Un percorso ha almeno due punti."):
            browser.wait_text(text)
        # As a year is while it is typed.
        browser.fill("Partenza", "0202-05-01T09:30")
        browser.fill("Coordinate del percorso", "45.1, 9.1\nqui vicino")
        browser.press("Indietro di un passo")
        browser.wait_text("La riga 2 non è un punto")
        self.assertEqual(self.points(), ["45.1, 9.1", "qui vicino"])
        browser.fill("Coordinate del percorso", "45,1 9,1\n45,9; 9,1")
        browser.press("Chiudi il giro")
        browser.wait_text("Fra il punto 1 e il punto 2 ci sono più di 5 km")
        self.assertEqual(self.points()[0], "45.1, 9.1")

    def test_another_run_in_the_way(self):
        """RUN-03: while somebody draws, a run that shares the course on the same day is told."""
        day = self.start.strftime("%Y-%m-%d")
        corners = [[round(longitude, 4), round(latitude, 4)] for latitude, longitude in self.square()]
        other = call("POST", RUNS, {
            "name": self.name, "place": "Lodi", "path": {"type": "LineString", "coordinates": corners + corners[:1]},
            "start": f"{day}T15:00:00Z", "end": f"{day}T17:00:00Z", "enrolment_deadline": f"{day}T12:00:00Z",
            "participants_max": 20}, token(self.organiser))
        self.addCleanup(self.cancel, other["code"])
        self.new()
        self.describe()
        self.write_course()
        self.browser.wait_text("Una corsa dello stesso giorno ha almeno l'80% dello stesso percorso", "#neighbours")
        self.browser.fill("Partenza", (self.start + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M"))
        self.browser.fill("Fine", (self.start + timedelta(days=2, hours=2)).strftime("%Y-%m-%dT%H:%M"))
        self.browser.wait(lambda _: not self.browser.has("#neighbours"), "no warning")


class Organising(OrganiserTest):
    size = "phone"

    def test_from_a_file_to_the_end(self):
        """RUN-02 RUN-04 RUN-12: a course from a GPX file, a change, a participant, cancelling in two touches."""
        browser, runner = self.browser, demo("Individuals")[6]
        self.new()
        self.describe()
        track = "".join(
            f'<trkpt lat="{self.latitude + step / 10000:.5f}" lon="{self.longitude}"><ele>77</ele></trkpt>' for step in range(200))
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "course.gpx"
            file.write_text("no GPX")
            browser.field("File GPX").send_keys(str(file))
            browser.wait_text("In questo file non c'è nessun percorso")
            file = pathlib.Path(folder) / "track.gpx"
            # Decimal commas are no numbers, nor is there a latitude of 95: told, and not read as others.
            file.write_text(
                '<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
                f'<trkpt lat="{self.latitude}" lon="{self.longitude}"/><trkpt lat="45,4642" lon="9,19"/><trkpt lat="95" lon="9"/>'
                f'<trkpt lat="{self.latitude + 0.01}" lon="{self.longitude}"/></trkseg></trk></gpx>')
            browser.field("File GPX").send_keys(str(file))
            browser.wait_text("Percorso letto: 4 punti nel file")
            browser.wait_text("Punti del file lasciati fuori, perché non si leggono: 2.")
            file.write_text(
                '<?xml version="1.0"?><gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">'
                f"<trk><name>{self.name}</name><trkseg>{track}</trkseg></trk></gpx>")
            browser.field("File GPX").send_keys(str(file))
            browser.wait_text("Percorso letto: 200 punti nel file")
        browser.fill(KILOMETRES, "1,5")
        browser.press("Mettilo lì")
        browser.fill("Nome del punto di controllo 1", "Mulino")
        code = self.save()
        run = call("GET", f"{RUNS}/{code}")
        self.assertAlmostEqual(run["length_m"], 2213, delta=10)
        self.assertAlmostEqual(run["checkpoints"][0]["distance_m"], 1500, delta=20)
        browser.wait_text("Ancora nessun iscritto.")

        browser.find("#edit-box summary").click()
        browser.wait_text("Lunghezza 2,21 km")
        self.assertEqual(browser.field("Partenza").get_attribute("value"), self.start.strftime("%Y-%m-%dT%H:%M"))
        browser.press("Salva la corsa")
        browser.wait_text("Non hai cambiato nulla.")
        browser.fill("Posti", "40")
        browser.press("Salva la corsa")
        browser.wait_text("Modifiche salvate")
        changed = call("GET", f"{RUNS}/{code}")
        self.assertEqual((changed["participants_max"], changed["path"]), (40, run["path"]))

        entrant = token(runner)
        bib = call("POST", f"{RUNS}/{code}/enrolments", {"clauses_accepted": True}, entrant)["bib"]
        person = call("GET", "/accounts/v1/me", token=entrant)["person"]
        browser.open(f"/organise/{code}")
        browser.wait_text(f"{bib} {person['name']} {person['surname']} Iscritto", "#participants")
        self.assertIn("Iscritti senza check-in: 1", browser.text("#counts"))
        link = browser.field("Indirizzo da mandare a chi vuole partecipare o guardare").get_attribute("value")
        self.assertTrue(link.endswith(f"/runs/{code}"), link)
        self.assertEqual(browser.violations(), [])
        self.assertLessEqual(browser.overflow(), 0)
        browser.picture("organise-run")

        browser.press("Annulla la corsa")
        browser.press("No, la corsa resta")
        browser.press("Annulla la corsa")
        browser.press("Sì, annulla la corsa")
        browser.wait_text("Corsa annullata")
        self.assertEqual(call("GET", f"{RUNS}/{code}")["state"], "cancelled")
        self.assertFalse(browser.has("#cancel"))


class Keeping(OrganiserTest):
    # The browser logs what is refused: no session.
    expected = ("status of 401",)

    def test_session_that_ends(self):
        """Nothing that was typed is lost when the session ends: it is there after the next log-in."""
        browser = self.browser
        self.new()
        self.describe()
        self.write_course()
        browser.driver.delete_all_cookies()
        browser.press("Salva la corsa")
        browser.wait_text("La sessione è terminata")
        browser.press("Accedi", "#notices")
        browser.wait_path("/login")
        browser.fill("E-mail o codice fiscale", self.organiser)
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_path("/organise/new")
        browser.wait_text("Quello che avevi scritto è ancora qui.")
        self.assertEqual(browser.field("Nome").get_attribute("value"), self.name)
        self.assertEqual(len(self.points()), 5)
        code = self.save()
        browser.open("/organise/new")
        browser.wait_text("Ancora nessun punto.")
        self.assertEqual(browser.field("Nome").get_attribute("value"), "")
        self.assertEqual(call("GET", f"{RUNS}/{code}")["clauses"], "Corro a mio rischio.")


class Hostile(OrganiserTest):
    # The browser logs what is refused.
    expected = ("status of 422",)

    def test_names(self):
        """Script, direction marks and 1,000 characters in every field: refused beside the field, or shown as text."""
        browser = self.browser
        self.new()
        self.describe()
        self.write_course()
        browser.fill(KILOMETRES, "0.5")
        browser.press("Mettilo lì")
        texts = ("Nome", "Luogo", "Descrizione (facoltativa)", "Condizioni da accettare (facoltative)",
                 "Nome del punto di controllo 1")
        for bad in ("k" * 1000, "Pavia \u202eaivaP", "\u200f" + SCRIPT):
            for label in texts:
                browser.fill(label, bad)
            browser.press("Salva la corsa")
            browser.wait_text("Controlla i campi segnati")
            for label in texts:
                field = browser.field(label)
                self.assertEqual(field.get_attribute("value"), bad)
                is_refused = len(bad) < 1000 or field.tag_name == "input"
                self.assertEqual(field.get_attribute("aria-invalid"), "true" if is_refused else None, (label, bad[:20]))
        for label in ("Luogo da mostrare sulla mappa", KILOMETRES):
            browser.fill(label, SCRIPT)
        browser.press("Mostra questo luogo")
        browser.press("Mettilo lì")
        browser.wait_text("Scrivi un numero di chilometri")

        self.name = f"{SCRIPT[:80]} {random.randrange(10**6)}"
        for label in texts[1:]:
            browser.fill(label, SCRIPT)
        browser.fill("Nome", self.name)
        code = self.save()
        for path in (f"/organise/{code}", "/organise", f"/runs/{code}", f"/runs?text={code}"):
            browser.open(path)
            browser.wait_text(self.name)
            self.assertNotEqual(browser.driver.title, "hostile")
            self.assertEqual(browser.driver.find_elements(By.CSS_SELECTOR, "main script, main img"), [])
        browser.open(f"/runs/{code}")
        for text in (SCRIPT, "Punto"):
            browser.wait_text(text)
