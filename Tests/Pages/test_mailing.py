"""SUB-02d, REQ-12c, SUB-04b in the browser of a third party: what is mailed, and data that no longer comes."""

from browser import PageTest
from suite import accepted_request, call, demo, mail_link, new_third_party, token

# The answers about a request, and the stream of events, of a person of whom the heart rate is no longer collected: that is told
# only after ten minutes.
UNAVAILABLE = r"""
const real = window.fetch;
window.fetch = async (path, options) => {
  const answer = await real(path, options);
  if (!answer.ok) return answer;
  if (String(path).startsWith("/query/v1/events/stream")) {
    answer.body.cancel();
    const event = (type) => `event: ${type}\nid: AAAA\ndata: ${JSON.stringify({
      id: "01979c2e-8f00-7a31-9c2b-5d3f2a1b4c6d", type, request_id: "REQUEST", created_at: new Date().toISOString(), data_types: ["heart-rate"] })}\n\n`;
    const chunks = [event("data.unavailable"), event("data.available")].map((text) => new TextEncoder().encode(text));
    return new Response(new ReadableStream({ start: (stream) => chunks.forEach((chunk) => stream.enqueue(chunk)) }));
  }
  if (!String(path).endsWith("/query/v1/requests/REQUEST")) return answer;
  return Response.json({ ...(await answer.json()), unavailable_types: ["heart-rate"] });
};
"""


class Mailing(PageTest):
    size = "desk"

    def test_choose_what_is_mailed(self):
        """SUB-02d: mails about news begin, of the kinds that are chosen, at the frequency that is chosen, and end."""
        browser, company = self.browser, new_third_party()
        set_now = lambda: call("GET", "/query/v1/mailing", token=token(company))
        browser.log_in(company, to="/data-requests")
        browser.press("E-mail", "#ways")
        browser.wait_path("/mailing")
        browser.wait_text("Non arriva nessun messaggio.", "#next")
        self.assertEqual(browser.value("Ogni quanto"), "off")
        for kind in ("data-samples", "data-sums"):
            self.assertTrue(browser.find(f"#kind-{kind}").is_selected())
            browser.find(f"#kind-{kind}").click()
        browser.choose("Ogni quanto", "daily")
        browser.press("Salva", "#mailing")
        browser.wait_text("Scegli almeno un tipo di evento.")
        self.assertEqual(set_now()["frequency"], "off")
        browser.find("#kind-data-samples").click()
        browser.find("#kind-data-unavailable").click()
        browser.press("Salva", "#mailing")
        browser.wait_text("Salvato.", "#notices")
        browser.wait_text("Il prossimo messaggio non arriva prima del", "#next")
        self.assertEqual((set_now()["frequency"], set_now()["kinds"]), ("daily", ["data.samples", "data.unavailable"]))
        browser.open("/mailing")
        browser.wait_text("Il prossimo messaggio", "#next")
        self.assertEqual(browser.value("Ogni quanto"), "daily")
        self.assertTrue(browser.find("#kind-data-unavailable").is_selected())
        self.assertFalse(browser.find("#kind-data-sums").is_selected())
        browser.choose("Ogni quanto", "off")
        browser.press("Salva", "#mailing")
        browser.wait_text("Non arriva nessun messaggio.", "#next")
        self.assertEqual(set_now()["frequency"], "off")

    def test_link_by_mail(self):
        """REQ-12c: the link to a request's results comes by mail, and leads to its page after a log-in."""
        browser, company = self.browser, new_third_party()
        request = accepted_request(self, demo("Individuals")[5], company, ["heart-rate"])
        browser.log_in(company, to="/data-requests")
        browser.open(f"/data-requests/{request}")
        browser.press("Mandami il collegamento", "#mail")
        browser.wait_text("Il collegamento arriva al tuo indirizzo", "#notices")
        link = mail_link(company, "I risultati della tua richiesta")
        self.assertTrue(link.endswith(f"/data-requests/{request}"), link)


class Unavailable(PageTest):
    size = "desk"

    def test_data_that_no_longer_comes(self):
        """SUB-04b: which data no longer comes is said on the request's page and in the list; that, and that it may again, among what happens."""
        browser, company = self.browser, new_third_party()
        request = accepted_request(self, demo("Individuals")[5], company, ["heart-rate"])
        browser.log_in(company, to="/data-requests")
        browser.driver.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument", {"source": UNAVAILABLE.replace("REQUEST", request)})
        browser.open(f"/data-requests/{request}")
        browser.wait_text("Non arrivano più\nFrequenza cardiaca", "#facts")
        self.assertEqual(browser.violations(), [])
        browser.open("/data-events")
        browser.wait_text("Dati che non arrivano più: Frequenza cardiaca", "#rows")
        browser.wait_text("Dati che possono arrivare di nuovo: Frequenza cardiaca", "#rows")
