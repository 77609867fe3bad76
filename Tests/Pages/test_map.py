"""NFR-11b: without a service for tiles a map has a scale and names of municipalities, which can be looked for."""

from browser import PageTest
from suite import call

PAINTED = """
    const canvas = document.querySelector("canvas.map-names");
    return canvas !== null && canvas.width > 0
        && canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
    """
SEARCH = """
    const done = arguments[0];
    import(`${document.documentElement.dataset.assets}/web/place-search.js`)
        .then(({ placeSearch }) => placeSearch(document.querySelector(".map"), (place) => (window.chosen = place)))
        .then(() => done(null), (error) => done(String(error)));
    """


class Ground(PageTest):
    def setUp(self):
        super().setUp()
        self.browser.open(f"/runs/{call('GET', '/track4run/v1/runs')['runs'][0]['code']}")
        self.browser.find(".map .leaflet-control-scale-line")

    def test_names(self):
        """Names are drawn, the credit stands beside them, and nothing is asked for tiles."""
        browser = self.browser
        for _ in range(3):
            browser.driver.execute_script("arguments[0].click()", browser.find(".leaflet-control-zoom-out"))
        browser.wait(lambda driver: driver.execute_script(PAINTED), "names")
        self.assertIn("GeoNames", browser.text(".map-credit"))
        self.assertEqual(call("GET", "/maps.json"), {"tiles": None, "geocoder": False})
        loaded = browser.driver.execute_script("return performance.getEntriesByType('resource').map(({ name }) => name)")
        self.assertFalse([name for name in loaded if "/tiles/" in name])
        self.assertEqual(browser.violations(), [])

    def test_search(self):
        """A municipality is found by the beginning of its name, without accents and case."""
        browser = self.browser
        self.assertIsNone(browser.driver.execute_async_script(SEARCH))
        browser.fill("Cerca un comune", "forli")
        browser.press("Cerca")
        browser.wait_text("Luoghi trovati: ")
        browser.press("Forlì")
        chosen = browser.driver.execute_script("return window.chosen")
        self.assertAlmostEqual(chosen["latitude"], 44.22, delta=0.05)
        self.assertAlmostEqual(chosen["longitude"], 12.04, delta=0.05)
        browser.fill("Cerca un comune", "Qqq")
        browser.press("Cerca")
        browser.wait_text("Nessun luogo trovato.")
        self.assertEqual(browser.violations(), [])
        self.assertLessEqual(browser.overflow(), 0)
