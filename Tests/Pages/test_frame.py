"""NFR-08 ACC-16 in the browser: what every page has around it. The menu by keyboard alone, languages, what is told without a
service and without network, what stays on the device and what goes, words that outlive a session, one stream for all tabs."""

import contextlib
import json
import urllib.parse
import urllib.request

import websocket
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PageTest
from suite import BASE, PASSWORD, current_run, demo, eventually

OFFLINE = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
COOKIES = ("__Host-trackme-access", "__Secure-trackme-refresh")

# Everything that this origin keeps on the device, as text.
KEPT = """
const done = arguments[0];
(async () => {
  const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
  for (const name of await caches.keys()) {
    if (name.startsWith("assets-")) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) found.push(name, request.url, await (await cache.match(request)).text());
  }
  done(found.join("\\n"));
})();
"""
SEEN = """
const done = arguments[0];
(async () => {
  const seen = (await caches.keys()).filter((name) => name.startsWith("seen-"));
  const keys = await Promise.all(seen.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)));
  done([seen, keys.flat().map((url) => url.slice(location.origin.length))]);
})();
"""


class Frame(PageTest):
    def run_async(self, script):
        return self.browser.driver.execute_async_script(script)

    def seen(self):
        """The names of the caches of what was seen, and the addresses in them."""
        return self.run_async(SEEN)

    def wait_seen(self, path):
        eventually(f"{path} is kept", lambda: any(address.startswith(path) for address in self.seen()[1]))

    def log_in(self, login, to="/today"):
        """Logs in and waits for the service worker, which has not seen the first page."""
        self.browser.log_in(login, to)
        self.run_async(
            "const done = arguments[0]; const { serviceWorker } = navigator;"
            "if (serviceWorker.controller) done(); else serviceWorker.addEventListener('controllerchange', () => done())")

    @contextlib.contextmanager
    def no_network(self):
        """Neither for the page nor for the service worker, which is a target of its own."""
        driver = self.browser.driver
        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json/list", timeout=10) as answer:
            workers = [target for target in json.load(answer) if target["type"] == "service_worker"]
        self.assertEqual(len(workers), 1, workers)
        worker = websocket.create_connection(workers[0]["webSocketDebuggerUrl"], suppress_origin=True, timeout=10)

        def tell(number, method, parameters):
            worker.send(json.dumps({"id": number, "method": method, "params": parameters}))
            while json.loads(worker.recv()).get("id") != number:
                pass
        tell(1, "Network.enable", {})
        tell(2, "Network.emulateNetworkConditions", OFFLINE)
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", OFFLINE)
        try:
            yield
        finally:
            driver.execute_cdp_cmd("Network.emulateNetworkConditions", {**OFFLINE, "offline": False})
            tell(3, "Network.emulateNetworkConditions", {**OFFLINE, "offline": False})
            worker.close()

    def press_key(self, *keys):
        for key in keys:
            ActionChains(self.browser.driver).send_keys(key).perform()

    def focused(self):
        return self.browser.driver.switch_to.active_element


class Menu(Frame):
    def test_keyboard(self):
        """WCAG 2.1.1 2.4.1 2.4.3 2.4.7: the menu is opened, walked and closed with the keyboard, and the focus is seen."""
        browser = self.browser
        browser.log_in(demo("Individuals")[5])
        browser.settle()
        self.press_key(Keys.TAB)
        self.assertEqual(self.focused().text, "Vai al contenuto")
        self.press_key(Keys.TAB, Keys.TAB)
        self.assertEqual(self.focused().text, "Menu")
        self.assertEqual(self.focused().get_attribute("aria-expanded"), "false")
        self.press_key(Keys.ENTER)
        self.assertEqual(self.focused().get_attribute("aria-expanded"), "true")
        self.press_key(Keys.TAB)
        self.assertEqual((self.focused().text, self.focused().get_attribute("aria-current")), ("Oggi", "page"))
        outline = self.focused().value_of_css_property("outline-width")
        self.assertGreaterEqual(float(outline.removesuffix("px")), 2)
        self.press_key(Keys.ESCAPE)
        self.assertEqual(self.focused().text, "Menu")
        self.assertFalse(browser.has("#ways a"))
        self.press_key(Keys.ENTER, Keys.TAB)
        for _ in range(20):
            self.assertGreaterEqual(self.focused().size["height"], 44, self.focused().text)
            if self.focused().text == "Messaggi":
                break
            self.press_key(Keys.TAB)
        self.press_key(Keys.ENTER)
        browser.wait_path("/inbox")
        current = browser.driver.find_elements("css selector", "#ways [aria-current]")
        self.assertEqual([link.get_attribute("href") for link in current], [BASE + "/inbox"])

    def test_ways_of_each_kind(self):
        """Each kind of account has its pages in the menu, and no other's."""
        for login, own, others in (
            (demo("Individuals")[5], {"/today", "/places", "/inbox", "/requests", "/sos", "/my-runs"}, {"/clients", "/organise"}),
            (demo("Third party")[0], {"/data-requests", "/data-events", "/group-requests", "/webhooks", "/mailing", "/payments", "/clients",
                "/developers"}, {"/today", "/organise"}),
            (demo("Organiser")[0], {"/organise"}, {"/today", "/clients"}),
        ):
            with self.subTest(login=login):
                self.browser.driver.delete_all_cookies()
                self.browser.open("/login")
                self.browser.settle()
                self.browser.fill("E-mail o codice fiscale", login)
                self.browser.fill("Password", PASSWORD)
                self.browser.press("Accedi", "#login")
                self.browser.wait(lambda _: self.browser.path != "/login", "a page after the log-in")
                self.browser.settle()
                links = self.browser.driver.find_elements("css selector", "#ways a")
                paths = {urllib.parse.urlsplit(link.get_attribute("href")).path for link in links}
                self.assertLessEqual(own | {"/runs", "/help", "/account"}, paths)
                self.assertEqual(paths & others, set())


class Languages(Frame):
    # An address that leads nowhere else may lead to a page that is not there.
    expected = ("status of 404",)

    def test_back_to_the_page(self):
        browser = self.browser
        browser.open("/runs?text=corsa&place=")
        browser.press("English")
        browser.wait(lambda driver: driver.find_element("css selector", "html").get_attribute("lang") == "en", "English")
        self.assertTrue(browser.driver.current_url.endswith("/runs?text=corsa&place="), browser.driver.current_url)
        # What follows the # is not sent, and stays.
        browser.open("/login#to=%2Frequests")
        browser.settle()
        browser.press("Italiano")
        browser.wait(lambda driver: driver.find_element("css selector", "html").get_attribute("lang") == "it", "Italian")
        self.assertTrue(browser.driver.current_url.endswith("/login#to=%2Frequests"), browser.driver.current_url)

    def test_log_in_leads_nowhere_else(self):
        """After the log-in one is on this site, whatever the link said."""
        for to in ("//evil.example/", "/..//evil.example/", "/\\evil.example", "https://evil.example/", "javascript:alert(1)"):
            with self.subTest(to=to):
                self.browser.driver.delete_all_cookies()
                self.browser.open("/help")
                self.browser.open(f"/login#to={urllib.parse.quote(to, safe='')}")
                self.browser.settle()
                self.browser.fill("E-mail o codice fiscale", demo("Individuals")[5])
                self.browser.fill("Password", PASSWORD)
                self.browser.press("Accedi", "#login")
                self.browser.wait(lambda driver: "/login" not in driver.current_url, "a page after the log-in")
                self.assertTrue(self.browser.driver.current_url.startswith(BASE + "/"), self.browser.driver.current_url)


class Away(Frame):
    expected = ("status of 404",)

    def test_told_in_words(self):
        """What nginx says itself is a page in both languages and in the design, accessible and without anything inline."""
        browser = self.browser
        browser.open("/nothing/here")
        browser.wait_text("Pagina non trovata")
        for path in ("/nothing/here", "/away/404.html", "/away/413.html", "/away/429.html", "/away/503.html", "/away/offline.html"):
            with self.subTest(path=path):
                browser.open(path)
                browser.settle()
                self.assertEqual(browser.violations(), [])
                self.assertLessEqual(browser.overflow(), 0)
                self.assertEqual(len(browser.driver.find_elements("css selector", "[lang=en] h2")), 1)
                browser.picture(path.strip("/").replace("/", "-").removesuffix(".html"))
        # Below a page that there is.
        browser.open("/today/nothing")
        browser.press("Vai alla pagina iniziale")
        browser.wait_path("/")


class Installed(Frame):
    def test_manifest(self):
        """Browsers take the manifest, its icon and the service worker as they are."""
        browser = self.browser
        browser.open("/")
        manifest = browser.driver.execute_cdp_cmd("Page.getAppManifest", {})
        self.assertEqual(manifest["errors"], [])
        data = json.loads(manifest["data"])
        self.assertEqual((data["start_url"], data["scope"], data["display"], data["lang"]), ("/", "/", "standalone", "it"))
        for icon in data["icons"]:
            with urllib.request.urlopen(urllib.parse.urljoin(manifest["url"], icon["src"]), timeout=10) as answer:
                self.assertEqual(answer.headers["Content-Type"].split(";")[0], icon["type"])
        scope = self.run_async("navigator.serviceWorker.ready.then(({ scope }) => arguments[0](scope))")
        self.assertEqual(scope, BASE + "/")
        browser.driver.refresh()
        faults = browser.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]
        self.assertEqual(faults, [])


class WithoutNetwork(Frame):
    # The browser logs what it has not reached, the page for who is offline, and the refusal of a session that is over.
    # Who is not enrolled in AutomatedSOS: 404.
    expected = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "status of 503", "status of 401", "/dispatcher/v1/monitor ")

    def test_read_again(self):
        """What was seen is read without network and says from when it is; what was not seen is told; AutomatedSOS is never old."""
        browser = self.browser
        self.log_in(demo("Individuals")[5])
        for path in ("/sos", "/measurements/heart-rate", "/today"):
            browser.open(path)
            browser.settle()
        values = [value.text for value in browser.driver.find_elements("css selector", "#latest .big")]
        self.assertGreater(len(values), 2)
        for path in ("/today", "/sos", "/ingestion/v1/me/latest", "/ingestion/v1/me/health", "/ingestion/v1/me/series"):
            self.wait_seen(path)
        with self.no_network():
            browser.open("/today")
            browser.wait_text("Senza connessione. Vedi ciò che avevi già visto", "#standing")
            browser.find("#latest .big")
            self.assertEqual([value.text for value in browser.driver.find_elements("css selector", "#latest .big")], values)
            browser.picture("without-network-today")
            # Its times were counted from the moment.
            browser.open("/measurements/heart-rate")
            browser.find("summary").click()
            browser.wait(lambda driver: driver.find_elements("css selector", "#rows tr"), "rows of the chart's table")
            browser.open("/sos")
            browser.wait_text("non sappiamo se sei sorvegliato. Sei senza connessione", "#state")
            browser.open("/account")
            browser.wait_text("Questa pagina si apre quando la rete è tornata.")
            browser.settle()
            browser.picture("without-network")
            browser.press("Oggi / Today")
            browser.wait_path("/today")
            browser.wait_text("Senza connessione", "#standing")
        # The network is back: the page comes anew by itself.
        browser.wait(lambda driver: not driver.find_elements("css selector", "#standing p"), "a page of now")

    def test_sos_and_today_go_on(self):
        """SOS-01: without network the state is not known; when it is back all is as it was, by itself."""
        browser = self.browser
        self.log_in(demo("Individuals")[5])
        browser.open("/sos")
        browser.wait_text("Non sei sorvegliato.", "#state")
        with self.no_network():
            browser.wait_text("non sappiamo se sei sorvegliato", "#state")
        browser.wait_text("Non sei sorvegliato.", "#state")
        browser.open("/today")
        browser.find("#latest .big")
        look = "document.dispatchEvent(new Event('visibilitychange'))"
        # Nothing was kept: there is nothing older to show.
        browser.driver.execute_async_script(
            "caches.keys().then((names) => Promise.all(names.filter((name) => name.startsWith('seen-')).map((name) => caches.delete(name)))).then(arguments[0])")
        with self.no_network():
            browser.driver.execute_script(look)
            browser.wait_text("Sei senza connessione", "#notices")
            self.assertNotIn("Quello che hai scritto", browser.text("#notices"))
        browser.driver.execute_script(look)
        browser.wait(lambda _: not browser.has("#notices .notice"), "no notice any more")

    def test_log_out_without_network(self):
        """All that was seen is gone at once, in every tab; the session ends when there is a network again."""
        browser, person = self.browser, demo("Individuals")[5]
        self.log_in(person)
        browser.open("/account")
        browser.wait_text(person)
        self.wait_seen("/accounts/v1/me")
        self.assertIn(person, self.run_async(KEPT))
        with self.no_network():
            browser.press("Menu")
            browser.press("Esci")
            browser.wait_path("/login")
            browser.wait_text("Sei uscito")
            self.assertEqual(self.seen(), [[], []])
            self.assertNotIn(person, self.run_async(KEPT))
            browser.open("/account")
            browser.wait_text("Questa pagina si apre quando la rete è tornata.")
            browser.driver.back()
            self.assertNotIn(person, browser.driver.page_source)
        browser.open("/login")
        browser.wait(lambda driver: driver.execute_script("return localStorage.getItem('log-out')") is None, "the end of the session")
        status = self.run_async("fetch('/accounts/v1/me').then(({ status }) => arguments[0](status))")
        self.assertEqual(status, 401)

    def test_another_account(self):
        """Of an account nothing stays for the next, whether or not it has logged out; in other tabs its pages go."""
        browser, first, second = self.browser, *demo("Individuals")[5:7]
        self.log_in(first)
        browser.open("/account")
        browser.wait_text(first)
        self.wait_seen("/accounts/v1/me")
        [before] = self.seen()[0]
        tab = browser.driver.current_window_handle
        browser.driver.switch_to.new_window("tab")
        browser.log_in(second)
        kept = self.run_async(KEPT)
        self.assertNotIn(first, kept)
        self.assertNotIn(before, kept)
        browser.driver.switch_to.window(tab)
        browser.wait_path("/")
        self.assertNotIn(first, browser.driver.page_source)
        browser.open("/account")
        browser.wait_text(second)
        # A log-out with network, by the menu.
        self.wait_seen("/accounts/v1/me")
        browser.press("Menu")
        browser.press("Esci")
        browser.wait_path("/login")
        eventually("nothing is kept", lambda: self.seen() == [[], []])
        self.assertNotIn(second, self.run_async(KEPT))

    def test_late_answers(self):
        """An answer that comes when what was seen has been deleted is not kept."""
        self.log_in(demo("Individuals")[5])
        self.browser.settle()
        names = self.run_async("""
            const done = arguments[0];
            (async () => {
              for (let round = 0; round < 20; round += 1) {
                const [name] = (await caches.keys()).filter((name) => name.startsWith("seen-"));
                const answer = fetch("/accounts/v1/me");
                // Before the answer, and after the request has gone out.
                await new Promise((resolve) => setTimeout(resolve, round % 5));
                if (name) await caches.delete(name);
                await (await answer).text();
              }
              await new Promise((resolve) => setTimeout(resolve, 500));
              done(await caches.keys());
            })();
        """)
        self.assertEqual([name for name in names if name.startswith("seen-")], [])

    def test_bounded(self):
        """However much somebody looks at, so many pages and answers are kept, and the oldest go."""
        self.log_in(demo("Individuals")[5])
        self.browser.settle()
        self.wait_seen("/ingestion/v1/me/latest")
        self.browser.open("/account")
        self.browser.settle()
        self.run_async("""
            const done = arguments[0];
            (async () => {
              const day = 86400e3, now = Math.floor(Date.now() / day) * day;
              for (let number = 1; number <= 120; number += 1) {
                const times = { from: new Date(now - number * day).toISOString(), to: new Date(now).toISOString() };
                await (await fetch(`/ingestion/v1/me/series?${new URLSearchParams({ type: "steps", granularity: "day", ...times })}`)).text();
              }
              done();
            })();
        """)
        eventually("a hundred are kept", lambda: len(self.seen()[1]) == 100)
        self.assertFalse(any(address.startswith("/ingestion/v1/me/latest") for address in self.seen()[1]))


class Sessions(Frame):
    expected = ("status of 401", "status of 403", "status of 422")
    typed = ("una parola vecchia", "una parola nuova 12", "una parola nuova 12")
    fields = ("#old_password", "#new_password", "#new_password_again")

    def end_session(self):
        # What is on its way could bring the session back.
        self.browser.settle()
        for name in COOKIES:
            for path in ("/", "/accounts/v1/browser-session"):
                self.browser.driver.execute_cdp_cmd("Network.deleteCookies", {"name": name, "url": BASE + path})

    def type(self):
        self.browser.open("/account")
        self.browser.settle()
        for selector, text in zip(self.fields, self.typed):
            self.browser.find(selector).send_keys(text)

    def submit(self):
        self.browser.find(self.fields[-1]).send_keys(Keys.ENTER)

    def assert_typed(self):
        self.assertEqual(tuple(self.browser.find(field).get_attribute("value") for field in self.fields), self.typed)

    def log_in_beside(self, login):
        """Follows the link into another tab, logs in there, and comes back."""
        browser, tab = self.browser, self.browser.driver.current_window_handle
        browser.press("Accedi in un'altra scheda", "#standing")
        browser.wait(lambda driver: len(driver.window_handles) == 2, "another tab")
        [other] = [handle for handle in browser.driver.window_handles if handle != tab]
        browser.driver.switch_to.window(other)
        browser.wait_path("/login")
        browser.settle()
        browser.fill("E-mail o codice fiscale", login)
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_path("/account")
        browser.driver.switch_to.window(tab)

    def test_words_outlive_the_session(self):
        """What was typed stays when the session has ended, and is sent after a log-in in another tab."""
        browser, person = self.browser, demo("Individuals")[5]
        browser.log_in(person)
        self.type()
        self.end_session()
        self.submit()
        browser.wait_text("Quello che hai scritto resta qui", "#standing")
        self.assertEqual(browser.path, "/account")
        self.assert_typed()
        self.assertEqual(self.seen(), [[], []])
        self.log_in_beside(person)
        browser.wait_text("Sei di nuovo dentro", "#standing")
        self.assert_typed()
        self.submit()
        browser.wait(lambda _: browser.has("[aria-invalid=true]"), "an answer of the service")
        self.assertNotIn("terminata", browser.text("main"))
        self.assert_typed()

    def test_told_while_typing(self):
        """The end of a session is told with the first words, not when all of them are sent."""
        browser = self.browser
        browser.log_in(demo("Individuals")[5])
        browser.open("/account")
        browser.settle()
        self.end_session()
        browser.driver.execute_script("localStorage.setItem('session-renewed', '0')")
        browser.find(self.fields[0]).send_keys("u")
        browser.wait_text("Quello che hai scritto resta qui", "#standing")
        self.assertEqual(browser.find(self.fields[0]).get_attribute("value"), "u")

    def test_another_account_logs_in(self):
        """Where somebody else logs in meanwhile, the page and its words are not theirs."""
        browser, (first, second) = self.browser, demo("Individuals")[5:7]
        browser.log_in(first)
        self.type()
        self.end_session()
        self.submit()
        browser.wait_text("Quello che hai scritto resta qui", "#standing")
        self.log_in_beside(second)
        browser.wait_path("/")

    def test_nothing_typed(self):
        """Who has typed nothing is led to the log-in, and back to the page."""
        browser, person = self.browser, demo("Individuals")[5]
        browser.log_in(person)
        self.end_session()
        browser.open("/requests")
        browser.wait_path("/login")
        browser.settle()
        browser.fill("E-mail o codice fiscale", person)
        browser.fill("Password", PASSWORD)
        browser.press("Accedi", "#login")
        browser.wait_path("/requests")


class Stream(Frame):
    COUNT = """
        window.opened = [];
        window.heard = [];
        window.EventSource = class extends EventSource { constructor(path) { super(path); window.opened.push(this); } };
        if (location.pathname.startsWith("/runs/"))
          new BroadcastChannel(`events /track4run/v1${location.pathname}/live`).onmessage = ({ data }) => window.heard.push(data.name);
    """

    def open_run(self, code):
        self.browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": self.COUNT})
        self.browser.open(f"/runs/{code}")

    def streams(self):
        return self.browser.driver.execute_script(
            "return window.opened.filter(({ readyState }) => readyState !== EventSource.CLOSED).length")

    def test_one_for_all_tabs(self):
        """RUN-09: a race is watched through one connection by all tabs; when the tab that has it is closed or suspended, the next takes over."""
        browser, run = self.browser, current_run()
        self.open_run(run["code"])
        first = browser.driver.current_window_handle
        browser.wait(lambda _: self.streams() == 1, "a stream")
        browser.driver.switch_to.new_window("tab")
        self.open_run(run["code"])
        # Whoever joins has everything at once, without a connection.
        browser.wait(lambda driver: "snapshot" in driver.execute_script("return window.heard"), "the first tab's events")
        self.assertEqual(self.streams(), 0)
        second = browser.driver.current_window_handle
        browser.driver.switch_to.window(first)
        self.assertEqual(self.streams(), 1)
        # A tab that the system has suspended says nothing more, and does not know that it has lost the connection.
        browser.driver.execute_script(
            "window.post = BroadcastChannel.prototype.postMessage; BroadcastChannel.prototype.postMessage = () => {}")
        browser.driver.switch_to.window(second)
        browser.driver.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
        browser.wait(lambda _: self.streams() == 1, "a stream of its own")
        browser.driver.switch_to.window(first)
        browser.wait(lambda _: self.streams() == 0, "the end of the first tab's stream")
        browser.driver.execute_script("BroadcastChannel.prototype.postMessage = window.post; window.heard.length = 0")
        browser.wait(lambda driver: "positions" in driver.execute_script("return window.heard"), "the second tab's events")
        browser.driver.switch_to.window(second)
        browser.driver.close()
        browser.driver.switch_to.window(first)
        browser.wait(lambda _: self.streams() == 1, "a stream of its own again")
