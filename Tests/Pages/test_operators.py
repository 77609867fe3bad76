"""NFR-10: the operators' page, behind its certificate: every service, its feeds, queues, hooks and times, the worst first."""

import json
import pathlib
import unittest

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.support.ui import WebDriverWait

from browser import LANGUAGES, SIZES, THEMES, Browser
from operators import Entrance, status

SERVICES = {"accounts", "ingestion", "query", "dispatcher", "track4run"}
WORDS = pathlib.Path(__file__).parents[2] / "deploy/proxy/operators/words"


class Certificate(unittest.TestCase):
    def test_who_enters(self):
        """Nobody without a certificate, nobody with another one."""
        for path in ("/", "/services.json", "/page.js", "/accounts/metrics"):
            with self.subTest(path=path):
                self.assertEqual(json.loads(status(path)[1])["code"], "forbidden")
                self.assertEqual(status(path)[0], 403)
                self.assertEqual(status(path, "simulator")[0], 404)
                self.assertEqual(status(path, "operator")[0], 200)

    def test_words(self):
        """Both languages have the same words, and none is empty."""
        def flat(words, before=""):
            for key, word in words.items():
                yield from flat(word, f"{before}{key}.") if isinstance(word, dict) else ((before + key, word),)
        for page in ("operators", "accounts"):
            with self.subTest(page=page):
                italian, english = (dict(flat(json.loads((WORDS / f"{page}.{language}.json").read_text()))) for language in LANGUAGES)
                self.assertEqual(italian.keys(), english.keys())
                self.assertTrue(all(italian.values()) and all(english.values()))


class OperatorsTest(unittest.TestCase):
    def setUp(self):
        self.entrance = Entrance()
        self.addCleanup(self.entrance.close)

    def open(self, *kind):
        browser = Browser(*kind)
        self.addCleanup(browser.close)
        browser.driver.get(self.entrance.base + "/")
        browser.wait(lambda driver: driver.find_elements("css selector", "#services tbody tr"), "services")
        return browser

    def rows(self, browser, table):
        """The rows of a table as texts, by the name of their columns."""
        return browser.driver.execute_script("""
            const table = document.querySelector(`#${arguments[0]} table`);
            const text = (cell) => cell.textContent.trim();
            const names = [...table.tHead.rows[0].cells].map(text);
            return [...table.tBodies[0].rows].filter((row) => row.cells.length === names.length)
                .map((row) => Object.fromEntries([...row.cells].map((cell, index) => [names[index], text(cell)])));
            """, table)

    def faults(self, browser, expected=()):
        """Those of `Browser.faults`, which knows the address for people only."""
        return [fault for fault in browser.faults(expected) if not fault.startswith(f"request to {self.entrance.base}/")]


class Health(OperatorsTest):
    def test_what_services_say(self):
        """Every configured service with state, version and time; feeds with their consumers; the hook; times by route."""
        browser = self.open("desk", "en")
        services = self.rows(browser, "services")
        self.assertEqual({row["Service"] for row in services}, SERVICES)
        for row in services:
            self.assertIn(row["State"].split(" ")[0], ("●", "▲"), row)
            self.assertRegex(row["Version"], r"^\d+\.\d+\.\d+$")
            self.assertRegex(row["Memory"], r"^[\d.,]+ MB$")
        feeds = {(row["Feed"], row["Followed by"]): row for row in self.rows(browser, "feeds")}
        for pair in (("accounts.changes", "ingestion"), ("ingestion.live", "dispatcher"), ("ingestion.live", "track4run"),
                     ("query.consents", "track4run"), ("dispatcher.watch", "ingestion"), ("query.watch", "ingestion")):
            self.assertRegex(feeds[pair]["On disk"], r"^[\d.,]+ MB$")
            self.assertRegex(feeds[pair]["Behind by"], r"^\d+:\d\d")
        hook, = self.rows(browser, "hooks")
        self.assertEqual(hook["Name"], "simulator")
        self.assertRegex(hook["Hand-overs under way"], r"^\d+$")
        waiting = {(row["Service"], row["What waits"]) for row in self.rows(browser, "queues")}
        self.assertLessEqual({("accounts", "Mail to be sent"), ("query", "Messages for accounts")}, waiting)
        jobs = {(row["Service"], row["Job"]) for row in self.rows(browser, "jobs")}
        self.assertLessEqual({("ingestion", "Imported files"), ("ingestion", "Sealing of arrivals")}, jobs)
        # The page asks each service itself, over and over.
        browser.wait(lambda _: len(self.rows(browser, "routes")) > 0 or self.rows(browser, "services")[0]["Requests/s"] != "–", "rates")
        self.assertEqual(self.faults(browser), [])

    def test_one_that_is_away(self):
        """Who does not answer is down, first, with the time since when; and well again afterwards."""
        browser = self.open("phone", "en")
        driver = browser.driver
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/query/1/*"]})
        browser.wait(lambda _: self.rows(browser, "services")[0]["Service"] == "query", "the one that is down first")
        row = self.rows(browser, "services")[0]
        self.assertEqual(row["State"], "✖ Does not answer")
        self.assertRegex(row["Since"], r"^since \d\d:\d\d")
        first = browser.find("#attention li")
        self.assertEqual(first.text, "Serious: query does not answer.")
        self.assertEqual(browser.find("#verdict").get_attribute("data-kind"), "alarm")
        browser.picture("operators-down")
        driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        browser.wait(lambda _: all(row["State"] != "✖ Does not answer" for row in self.rows(browser, "services")), "all answer")
        self.assertEqual(self.faults(browser, ("ERR_BLOCKED_BY_CLIENT",)), [])

    def test_pause(self):
        """WCAG 2.2.2: what changes by itself can be stopped, and goes on."""
        browser = self.open("phone", "it")
        requests = lambda: browser.driver.execute_script("return performance.getEntriesByType('resource').length")
        browser.press("Ferma l'aggiornamento")
        browser.settle()
        before = requests()
        # Longer than the page's interval: nothing may come.
        with self.assertRaises(TimeoutException):
            WebDriverWait(browser.driver, 7).until(lambda _: requests() > before)
        browser.press("Riprendi l'aggiornamento")
        browser.wait(lambda _: requests() > before, "it goes on")

    def test_every_look(self):
        """NFR-08: in both languages, themes and sizes: accessible, within the window, without a fault."""
        for size in SIZES:
            for language in LANGUAGES:
                for theme in THEMES:
                    with self.subTest(size=size, language=language, theme=theme):
                        browser = self.open(size, language, theme)
                        self.assertEqual(browser.violations(), [])
                        self.assertLessEqual(browser.overflow(), 0)
                        self.assertEqual(browser.driver.execute_script("return document.documentElement.lang"), language)
                        self.assertEqual(self.faults(browser), [])
                        browser.picture("operators")
                        browser.close()


class Figures(OperatorsTest):
    """What the page's own modules make of answers that no running service gives."""

    def ask(self, browser, script, *arguments):
        return browser.driver.execute_async_script(
            "const [given, done] = [[...arguments].slice(0, -1), arguments[arguments.length - 1]];"
            f"(async () => {{ {script} }})().then(done, (error) => done(String(error)));", *arguments)

    def test_reading(self):
        """Labels with every escape, values beyond numbers, lines that are none."""
        browser = self.open("desk", "en")
        text = ('# HELP a Help with {braces} 1\n# TYPE a gauge\na 1\nb{x="} 2",y="q\\"\\\\\\n"} +Inf\n'
                'b{x="z",y=""} 3 1700000000\nnonsense\nc{ 4\n')
        found = self.ask(browser, """
            const { Metrics } = await import("/metrics.js");
            const read = new Metrics(given[0]);
            return [read.value("a"), read.all("b").map(({ labels, value }) => [labels, String(value)]), read.value("b", { x: "z" }),
                    read.value("c") ?? null, read.value("a", { x: "1" }) ?? null];
            """, text)
        self.assertEqual(found, [1, [[{"x": "} 2", "y": 'q"\\\n'}, "Infinity"], [{"x": "z", "y": ""}, "3"]], 3, None, None])

    def test_reckoning(self):
        """Growth, also over a restart; quantiles within buckets, beyond them and of nothing."""
        browser = self.open("desk", "en")
        before = 'n{k="a"} 5\nn{k="b"} 9\nh_bucket{r="x",le="0.1"} 10\nh_bucket{r="x",le="1"} 10\nh_bucket{r="x",le="+Inf"} 10\n'
        after = ('n{k="a"} 7\nn{k="b"} 2\nn{k="c"} 1\nh_bucket{r="x",le="0.1"} 12\nh_bucket{r="x",le="1"} 18\n'
                 'h_bucket{r="x",le="+Inf"} 20\n')
        found = self.ask(browser, """
            const { Metrics, growth, histograms, quantile } = await import("/metrics.js");
            const [before, after] = given.map((text) => new Metrics(text));
            const [{ labels, buckets, count }] = histograms(before, after, "h");
            return [growth(before, after, "n").map(({ value }) => value), labels, count,
                    [0.1, 0.5, 0.8, 0.99].map((share) => quantile(share, buckets)), quantile(0.5, [[1, 0], [Infinity, 0]])];
            """, before, after)
        grown, labels, count, quantiles, none = found
        self.assertEqual((grown, labels, count, none), ([2, 2, 1], {"r": "x"}, 10, None))
        for got, wanted in zip(quantiles, (0.05, 0.55, 1, 1)):
            self.assertAlmostEqual(got, wanted)

    def test_attention(self):
        """What deploy/README.md says deserves an alarm is told, and the serious first."""
        browser = self.open("desk", "en")
        found = self.ask(browser, """
            const { Metrics } = await import("/metrics.js");
            const { attention } = await import("/attention.js");
            const { Replica } = await import("/replica.js");
            const [text, clock] = given;
            const replica = new Replica({ name: "query", replica: 1, path: "/query/1" }, true);
            Object.defineProperty(replica, "metrics", { value: new Metrics(text) });
            Object.assign(replica, { state: "ready", clock });
            return attention([replica]).map(({ level, key }) => `${level} ${key}`);
            """, "\n".join((
                "process_start_time_seconds 1000", "trackme_requests_held_up 2", "trackme_database_writable 0",
                'trackme_feed_parked{feed="accounts.profiles"} 1', 'trackme_feed_caught_up_timestamp_seconds{feed="accounts.profiles"} 9990',
                'trackme_certificate_days_left{listener="internal"} 13', "trackme_notices_waiting 5")), 10000)
        self.assertEqual(found[:2], ["bad database_not_writable", "bad feed_parked"])
        self.assertEqual(set(found[2:]), {"worth requests_held_up", "worth certificate"})
