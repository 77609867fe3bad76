"""ING in the browser: importing a file, places on a map, statistics, the weekly report, sources, entering, deleting."""

import math
import pathlib
import re
import tempfile
import urllib.request
from datetime import datetime, timedelta, timezone


from browser import PageTest
from suite import BASE, call, demo, eventually, token

METRES_OF_A_DEGREE = 111_195


def gpx(points):
    """A GPX file of points: times and degrees."""
    lines = "\n".join(
        f'<trkpt lat="{latitude:.6f}" lon="{longitude:.6f}"><time>{time:%Y-%m-%dT%H:%M:%SZ}</time></trkpt>'
        for time, latitude, longitude in points)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">'
            f"<trk><trkseg>\n{lines}\n</trkseg></trk></gpx>\n")


def stay_walk_stay(begin):
    """Half an hour at one place in Milan, 26 minutes of walking eastwards, half an hour there."""
    latitude, longitude = 45.4642, 9.19
    points = []
    for minute in range(30):
        points.append((begin + timedelta(minutes=minute), latitude + 1e-5 * math.sin(minute), longitude))
    for step in range(156):
        east = 13 * step / (METRES_OF_A_DEGREE * math.cos(math.radians(latitude)))
        points.append((begin + timedelta(minutes=30, seconds=10 * step), latitude, longitude + east))
    for minute in range(31):
        points.append((begin + timedelta(minutes=56, seconds=60 * minute), latitude + 1e-5 * math.sin(minute), longitude + east))
    return points


class HealthTest(PageTest):
    def file(self, name, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / name
        path.write_text(text)
        return str(path)

    def import_file(self, path):
        self.browser.open("/imports")
        self.browser.settle()
        self.browser.find("#file").send_keys(path)
        self.browser.press("Importa", "#choose")

    def wait_state(self, text):
        """Reading is the work of a worker that gives way to others."""
        eventually(f"“{text}”", lambda: text in self.browser.find("#state").text, 60)


class Importing(HealthTest):
    # An unknown format is refused with 415, which the browser logs.
    expected = ("status of 415",)

    def test_from_a_file_to_the_map_and_back(self):
        """ING-04 ING-08: a file with its report, its day on the map and as a list, the same positions exported."""
        browser = self.browser
        day = datetime.now(timezone.utc).replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=40)
        points = stay_walk_stay(day)
        browser.log_in(demo("Individuals")[8])
        self.import_file(self.file("a.txt", "just some words\n"))
        browser.wait_text("Questo file non è in un formato che conosciamo.")
        self.import_file(self.file("walk.gpx", gpx(points)))
        self.wait_state(f"File letto. Misure nuove: {len(points)}.")
        browser.find("#imports summary").click()
        browser.wait_text("Posizione", "#imports")
        self.import_file(self.file("again.gpx", gpx(points)))
        self.wait_state("File letto. Misure nuove: 0.")
        browser.find("#imports summary").click()
        browser.wait_text(f"{len(points)} c'erano già", "#imports")

        browser.open(f"/places?from={day:%Y-%m-%d}&to={day:%Y-%m-%d}")
        browser.wait_text("Luogo A", "#list")
        items = [item.text for item in browser.driver.find_elements("css selector", "#list li h3")]
        self.assertEqual(items, ["Luogo A", "Da Luogo A a Luogo B", "Luogo B"])
        self.assertIn(" km", browser.driver.find_elements("css selector", "#list li")[1].text)
        self.assertTrue(browser.has("#map canvas"))
        browser.press("Mostra sulla mappa", "#list")
        browser.wait_text("Luogo A", "#shown")
        browser.press("Scarica tutte le posizioni (GPX)")
        self.assertEqual(browser.download(".gpx").count("<trkpt"), len(points))
        browser.press("Prima")
        browser.wait_text("In questi giorni non ci sono posizioni.")

    def test_days(self):
        """ING-08: without a choice the newest day with positions is shown; several days together."""
        browser = self.browser
        browser.log_in(demo("Individuals")[8])
        browser.open("/places")
        browser.wait(lambda _: browser.has("#list li") or browser.has("#none"), "a day")
        self.assertNotEqual(browser.text("#which"), "")
        now = datetime.now(timezone.utc)
        first, last = (f"{now - timedelta(days=days):%Y-%m-%d}" for days in (4, 2))
        browser.open(f"/places?from={first}&to={last}")
        browser.wait_text("di strada", "#sum")
        self.assertGreater(len(browser.driver.find_elements("css selector", "#list li")), 5)


class BreakingOff(HealthTest):
    expected = ("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED", "ERR_FAILED")

    def network(self, offline, bytes_per_second=-1):
        self.browser.driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second})

    def test_goes_on_where_it_was(self):
        """ING-04: a connection that breaks is told, and the upload goes on by itself."""
        browser, count = self.browser, 25_000
        begin = datetime.now(timezone.utc).replace(hour=1, minute=0, second=0, microsecond=0) - timedelta(days=50)
        path = self.file("long.gpx", gpx(
            [(begin + timedelta(seconds=second), 45.4 + 1e-5 * second, 9.2) for second in range(count)]))
        browser.log_in(demo("Individuals")[8])
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.open("/imports")
        browser.settle()
        browser.find("#file").send_keys(path)
        self.network(False, 400_000)
        browser.press("Importa", "#choose")
        browser.wait_text("Inviati 66 kB", "#sent")
        self.network(True)
        browser.wait_text("La connessione si è interrotta.", "#broken")
        self.network(False)
        self.wait_state("File letto. Misure nuove: 25.000.")
        done = call("GET", "/ingestion/v1/imports", token=token(demo("Individuals")[8]))["imports"]
        self.assertEqual(sum(job["report"]["taken"].get("position", 0) == count for job in done), 1)


class Types(HealthTest):
    def test_list_of_scripts(self):
        """ING-01: the scripts' list of data types is that of the services: none is missing, and each is of its kind."""
        with urllib.request.urlopen(f"{BASE}/data-requests/01979c2e-8f00-7a31-9c2b-5d3f2a1b4c6d", timeout=20) as answer:
            kinds = re.findall(r'<option value="([a-z-]+)" data-kind="([a-z]+)"', answer.read().decode())
        self.assertIn(("steps", "counter"), kinds)
        self.browser.open("/help")
        found = self.browser.driver.execute_async_script("""
            const done = arguments[0];
            import(`${document.documentElement.dataset.assets}/web/data-types.js`)
                .then(({ dataTypes }) => done(Object.entries(dataTypes).map(([type, { kind }]) => [type, kind ?? null])), (error) => done(String(error)));
            """)
        self.assertEqual(found, [[data_type, kind if kind in ("counter", "state") else None] for data_type, kind in kinds])


class Seeing(HealthTest):
    def test_statistics_of_a_month(self):
        """ING-06 ING-07 ING-13: statistics with the way they were computed, people of the same age, a span of one's own."""
        browser = self.browser
        browser.log_in(demo("Individuals")[8])
        browser.open("/measurements/heart-rate?span=month")
        for text in ("Media", "Mediana", "95° percentile", "Deviazione standard", "Errore standard"):
            browser.wait_text(text, "#facts")
        browser.wait_text("Calcolate da ogni singola misura", "#basis")
        browser.wait(lambda _: any(text in browser.text("#compared") for text in (
            "non è ancora stata pubblicata", "Persone da")), "a comparison")
        now = datetime.now(timezone.utc)
        first, last = (f"{now - timedelta(days=days):%Y-%m-%d}" for days in (4, 3))
        browser.open(f"/measurements/heart-rate?from={first}&to={last}&by=raw")
        browser.wait_text("Ne vedi", "#thinned")
        browser.press("Scarica tutte le misure del periodo (CSV)")
        _, *samples = browser.download(".csv").splitlines()
        self.assertGreater(len(samples), 2000)
        browser.open("/measurements/activity?span=week")
        browser.wait_text("Riposo", "#states")

    def test_week(self):
        """ING-11: the last week and the one before, each day with its value."""
        browser = self.browser
        browser.log_in(demo("Individuals")[8])
        browser.open("/today")
        browser.press("Settimana", "main")
        browser.wait_path("/week")
        browser.wait_text("Passi", "#lines")
        first = browser.text("#which")
        self.assertEqual(len(browser.driver.find_elements("css selector", "#lines li:first-child tbody tr")), 7)
        browser.press("Settimana prima")
        browser.wait(lambda _: browser.has("#which") and browser.text("#which") not in ("", first), "another week")


class OwnData(HealthTest):
    def test_usage_sources_entry(self):
        """ING-03 ING-10c ING-12ac ACC-14d: space, devices, coverage, the preferred source, a value by hand."""
        browser, person = self.browser, demo("Individuals")[8]
        access = token(person)
        phone = next(device["device_id"] for device in call("GET", "/accounts/v1/devices", token=access)["devices"]
                     if device["name"] == "Demo phone")
        browser.log_in(person)
        browser.open("/my-data")
        browser.wait_text("usati", "#used")
        browser.wait_text("Demo watch", "#silent")
        browser.wait_text("del tempo", "#tracking")
        browser.find("#sources summary").click()
        browser.choose("Passi", "Demo phone")
        browser.press("Salva", "#sources")
        browser.wait_text("Salvato. Vale")
        chosen = call("GET", "/accounts/v1/me/sources", token=access)["preferences"]
        self.assertEqual([p["sources"][0] for p in chosen if p["data_type"] == "steps"], [phone])

        browser.choose("Che cosa", "Peso")
        browser.fill("Valore", "7005")
        browser.press("Salva la misura")
        browser.wait_text("Questo valore non è possibile", "#entry")
        # To some this is 7005.
        browser.fill("Valore", "7.005")
        browser.press("Salva la misura")
        browser.wait_text("senza separare le migliaia", "#entry")
        browser.fill("Valore", "70,5")
        browser.press("Salva la misura")
        browser.wait_text("Salvato: Peso 70,5 kg.")
        latest = call("GET", "/ingestion/v1/me/latest", token=access)["latest"]
        self.assertEqual([sample["value"] for sample in latest if sample["type"] == "weight"], [70.5])

    def test_deletion_in_two_touches(self):
        """What a deletion takes is said before; it is done, and stands in the list."""
        browser, person = self.browser, demo("Individuals")[9]
        access = token(person)
        day = datetime.now(timezone.utc).replace(hour=9, minute=0, second=0, microsecond=0) - timedelta(days=20)
        call("POST", "/ingestion/v1/samples", {"series": [
            {"type": "height", "unit": "cm", "start": day.isoformat(), "offsets_ms": [0], "values": [171]}]}, access)

        def heights():
            answer = call("GET", "/ingestion/v1/me/series?type=height&from="
                          f"{day - timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}&to={day + timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}",
                          token=access)
            return sum(len(series["values"]) for series in answer["series"])

        self.assertEqual(heights(), 1)
        browser.log_in(person)
        browser.open("/my-data")
        browser.settle()
        browser.choose("Che cosa cancellare", "Altezza")
        browser.fill("Primo giorno da cancellare", f"{day:%Y-%m-%d}")
        browser.fill("Ultimo giorno da cancellare", f"{day:%Y-%m-%d}")
        browser.press("Cancella…")
        browser.wait_text("Stai per cancellare: Altezza", "#sure")
        browser.press("No, tieni tutto", "#sure")
        self.assertFalse(browser.has("#sure"))
        self.assertEqual(heights(), 1)
        browser.press("Cancella…")
        browser.press("Sì, cancella per sempre", "#sure")
        browser.wait_text("Altezza", "#deletions")
        eventually("a deletion that is done", lambda: "Cancellato." in browser.text("#notices"), 60)
        self.assertEqual(heights(), 0)
