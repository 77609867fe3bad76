"""NFR-11b: without a service for tiles a map has a scale and names of municipalities, which can be looked for."""

from browser import PageTest
from suite import call, current_run, demo

PAINTED = """
    const canvas = document.querySelector("canvas.map-names");
    return canvas !== null && canvas.width > 0
        && canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((value) => value > 0);
    """


class Ground(PageTest):
    def setUp(self):
        super().setUp()
        self.browser.open(f"/runs/{current_run()['code']}")
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


class Search(PageTest):
    def test_search(self):
        """A municipality is found by the beginning of its name, without accents and case; what is none is told."""
        browser = self.browser
        browser.log_in(demo("Organiser")[0], to="/organise")
        browser.open("/organise/new")
        browser.settle()
        browser.fill("Luogo da mostrare sulla mappa", "forli")
        browser.press("Mostra questo luogo")
        browser.wait_text("La mappa mostra: Forlì")
        browser.fill("Luogo da mostrare sulla mappa", "Qqq")
        browser.press("Mostra questo luogo")
        browser.wait_text("Non si trova nessun luogo così")
