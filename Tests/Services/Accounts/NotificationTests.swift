import Feed
import ServiceTesting
import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Service
import Testing

@testable import Accounts

@Suite struct NotificationTests {
    private let values = [
        "company": "Salus S.r.l.", "data_types": "heart-rate", "from": "2026-01-01", "to": "2026-02-01", "mode": "once",
        "reason": "Studio è serio", "lapses_at": "2026-01-04", "request_id": "7",
    ]

    private func notify(
        _ test: AccountsTest, _ account: UUID, id: UUID = .random(), template: String = "request-received",
        values: [String: String]? = nil, as caller: String = "query"
    ) async throws {
        _ = try await test.service.rpc(as: caller).call(
            Accounts.Notify.self,
            .init(id: id, accountID: account, template: template, values: values ?? self.values, email: true))
    }

    @Test("ACC-17a REQ-04b: A notification is in the inbox and goes out by mail, in the person's language")
    func both() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await test.deliver()
            try await notify(test, anna.account)
            #expect(try await test.deliver() == 1)
            let mail = try #require(test.settings.mailbox.messages.last)
            #expect(mail.subject == "«Salus S.r.l.» chiede i tuoi dati")
            #expect(mail.body.contains("con le parole dell'azienda: «Studio è serio»"))
            _ = try await test.send(.patch, "/me", token: anna.token, #"{"language":"en"}"#)
            let inbox = try await test.send(.get, "/inbox", token: anna.token)
            let message = try #require(inbox.json["messages"]?.items.first)
            #expect(message["subject"]?.text == "“Salus S.r.l.” asks for your data")
            #expect(message["template"]?.text == "request-received" && message["is_read"]?.flag == false)
            let id = try #require(message["id"]?.text)
            #expect(try await test.send(.post, "/inbox/\(id)/read", token: anna.token).status == 204)
            let read = try await test.send(.get, "/inbox", token: anna.token)
            #expect(read.json["messages"]?.items.first?["is_read"]?.flag == true)
            let stranger = try await test.individual(TestPerson(number: 1))
            #expect(try await test.send(.post, "/inbox/\(id)/read", token: stranger.token).status == 404)
        }
    }

    private func pairedDevice(_ test: AccountsTest, of person: LoggedIn) async throws -> String {
        let shown = try await test.send(.post, "/pairings", #"{"name":"Watch","data_types":["heart-rate"]}"#)
        let code = try shown.text("code")
        return try await test.send(.post, "/devices", token: person.token, "{\"code\":\"\(code)\"}").text("device_id")
    }

    @Test("ING-12b: A message about a device has its name; that of a device that was removed meanwhile is dropped")
    func device() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let device = try await pairedDevice(test, of: anna)
            func tell(_ id: String) async throws {
                try await notify(
                    test, anna.account, template: "device-silent",
                    values: ["device_id": id, "time": "2026-11-22T07:00:00Z"], as: "ingestion")
            }
            func subjects() async throws -> [String?] {
                let inbox = try await test.send(.get, "/inbox", token: anna.token)
                return inbox.json["messages"]?.items.filter { $0["template"]?.text == "device-silent" }.map {
                    $0["subject"]?.text
                } ?? []
            }
            try await tell(device)
            #expect(try await subjects() == ["«Watch» non manda più misure"])
            let stranger = try await test.individual(TestPerson(number: 1))
            try await tell(try await pairedDevice(test, of: stranger))
            await #expect(throws: RPCError.self) { try await tell("watch") }
            #expect(try await test.send(.delete, "/devices/\(device)", token: anna.token).status == 204)
            try await tell(device)
            #expect(try await subjects().count == 1)
        }
    }

    @Test("ACC-17 NFR-03: The inbox leaves out what cannot be read or has no template any more, and goes on past it")
    func unreadable() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            for _ in 0..<Inbox.pageMax + 4 { try await notify(test, anna.account) }
            // The last of the first page, and one of the second.
            try await test.database.batch([
                """
                update message set content = 'x' where id = (
                  select id from message order by created_at desc, id desc offset \(Inbox.pageMax - 1) limit 1)
                """,
                """
                update message set template = 'no-more' where id = (
                  select id from message order by created_at desc, id desc offset \(Inbox.pageMax + 1) limit 1)
                """,
            ])
            let all = try #require(try await test.database.queryOne("select count(*) from message", as: Int.self))
            // One of them cannot be read.
            let left: Int = all - Inbox.pageMax - 1
            for _ in 0..<2 {
                let first = try await test.send(.get, "/inbox", token: anna.token)
                let shown: [JSONValue] = first.json["messages"]?.items ?? []
                #expect(shown.count == Inbox.pageMax - 1)
                let next = try first.text("next")
                let second = try await test.send(.get, "/inbox?cursor=\(next)", token: anna.token)
                let rest: [JSONValue] = second.json["messages"]?.items ?? []
                #expect(second.status == 200)
                #expect(rest.count == left)
            }
            #expect(test.service.log.lines.count { $0.contains("a row cannot be read and is left out") } == 2)
        }
    }

    @Test("ACC-17 SOS-13: Mail of an emergency goes out before all that is waiting")
    func urgent() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await test.deliver()
            for number in 0..<3 {
                let since = "2026-05-01T08:00:0\(number)Z"
                try await notify(
                    test, anna.account, template: "sensor-lost", values: ["time": since], as: "dispatcher")
            }
            try await notify(
                test, anna.account, template: "incident-opened",
                values: ["time": "2026-05-01T08:00:09Z", "cause": "heart-rate"], as: "dispatcher")
            let before = test.settings.mailbox.messages.count
            #expect(try await test.deliver() == 4)
            let subjects = test.settings.mailbox.messages.dropFirst(before).map(\.subject)
            #expect(subjects.first == "Emergenza rilevata" && subjects.count == 4)
        }
    }

    @Test("ACC-17: The same id twice is one message and one mail, also after the mail was sent")
    func once() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await test.deliver()
            let id = UUID.random()
            try await notify(test, anna.account, id: id)
            #expect(try await test.deliver() == 1)
            try await notify(test, anna.account, id: id)
            #expect(try await test.deliver() == 0)
            let messages = try await test.send(.get, "/inbox", token: anna.token).json["messages"]?.items
            #expect(messages?.count == 1)
        }
    }

    @Test("ACC-17: Unknown accounts, unknown texts and missing values are refused, other callers too")
    func refused() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            func code(_ body: () async throws -> Void) async -> RPCError.Code? {
                do { try await body() } catch { return (error as? RPCError)?.code }
                return nil
            }
            #expect(await code { try await notify(test, .random()) } == .notFound)
            #expect(await code { try await notify(test, anna.account, template: "no-such") } == .invalidParams)
            #expect(await code { try await notify(test, anna.account, values: ["company": "x"]) } == .invalidParams)
            #expect(await code { try await notify(test, anna.account, as: "simulator") } == .notAllowed)
        }
    }

    @Test("ACC-17: Mail that cannot be delivered is tried again, later and later, under the same Message-ID")
    func again() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            test.settings.mailbox.fail(2)
            var sent: [Int] = []
            for _ in 0..<5 {
                sent.append(try await test.deliver())
                test.clock.advance(by: .seconds(1))
            }
            // It failed at 0 s and 1 s, and is due again 2 s later.
            #expect(sent == [0, 0, 0, 1, 0])
            #expect(MailSender.pause(after: 40) == .seconds(3600))
        }
    }

    @Test("ACC-17: operators see how much mail waits, and for how long")
    func waiting() async throws {
        try await AccountsTest.with { test in
            let (count, metrics) = (try test.capabilities.mailCount, test.service.context.metrics)
            func text() async -> String { String(decoding: await metrics.text(), as: UTF8.self) }
            _ = try await test.register(TestPerson())
            test.clock.advance(by: .seconds(90))
            try await count.count()
            #expect(await text().contains("trackme_mail_waiting 1\n"))
            #expect(await text().contains("trackme_mail_oldest_seconds 90\n"))
            #expect(try await test.deliver() == 1)
            try await count.count()
            #expect(await text().contains("trackme_mail_waiting 0\n"))
            #expect(await text().contains("trackme_mail_oldest_seconds 0\n"))
        }
    }

    @Test("ACC-17: that mail does not leave is said once a minute, with what to do, and once that it leaves again")
    func doesNotLeave() async throws {
        try await AccountsTest.with { test in
            let (count, log) = (try test.capabilities.mailCount, test.service.log)
            let alarm = "mail does not leave: see what the mail program says"
            func told() -> [Int] { [log.count(of: alarm), log.count(of: "mail leaves again")] }
            _ = try await test.register(TestPerson())
            test.settings.mailbox.fail(1)
            #expect(try await test.deliver() == 0)
            test.clock.advance(by: MailCount.ageMax)
            try await count.count()
            #expect(told() == [0, 0])
            test.clock.advance(by: .seconds(1))
            for _ in 0..<3 { try await count.count() }
            #expect(told() == [1, 0])
            let line = try #require(log.lines.first { $0.contains(alarm) })
            #expect(line.contains(#""level":"error""#) && line.contains(#""waiting":1"#))
            #expect(line.contains(#""oldest_s":301"#))
            #expect(try await test.deliver() == 1)
            for _ in 0..<2 { try await count.count() }
            #expect(told() == [1, 1])
            // The next time is told at once.
            _ = try await test.register(TestPerson(number: 1))
            test.clock.advance(by: MailCount.ageMax + .seconds(1))
            try await count.count()
            #expect(told() == [2, 1])
        }
    }

    @Test("ACC-17: a clock that is set back or forward delays no mail", arguments: [-3600, 3600])
    func clockSet(_ seconds: Int64) async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            test.settings.mailbox.fail(4)
            for _ in 0..<4 {
                #expect(try await test.deliver() == 0)
                test.clock.advance(by: .seconds(10))
            }
            _ = try await test.register(TestPerson(number: 1))
            test.clock.advance(by: .seconds(seconds))
            // Both what failed and what was never tried.
            #expect(try await test.deliver() == 2)
        }
    }

    @Test("ACC-17: A long inbox comes in pages, newest first")
    func pages() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            for number in 0..<Inbox.pageMax + 5 {
                test.clock.advance(by: .seconds(1))
                try await notify(
                    test, anna.account, template: "request-refused",
                    values: ["request_id": String(number), "company": "Salus"])
            }
            let token = try LoggedIn(try await test.logIn("anna@example.org")).token
            let first = try await test.send(.get, "/inbox", token: token)
            #expect(first.json["messages"]?.items.count == Inbox.pageMax)
            #expect(first.json["messages"]?.items[0]["text"]?.text?.contains("104") == true)
            let next = try first.text("next")
            let second = try await test.send(.get, "/inbox?cursor=\(next)", token: token)
            #expect(second.json["messages"]?.items.count == 5 && second.json["next"] == nil)
            #expect(second.json["messages"]?.items[0]["text"]?.text?.hasSuffix(" 4") == true)
        }
    }

    @Test(
        "ACC-17 NFR-08: Times are by the clock where the person lives, and names stand for codes, in inbox and mail",
        arguments: [
            (nil, "it", "12 luglio 2026 alle 00:30", "Frequenza cardiaca, Passi", "11 luglio 2026 – 31 luglio 2026"),
            ("Europe/London", "en", "11 July 2026 at 23:30", "Heart rate, Steps", "10 July 2026 – 31 July 2026"),
        ] as [(String?, String, String, String, String)])
    func readable(_ zone: String?, _ language: String, _ time: String, _ types: String, _ days: String) async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await test.deliver()
            let change = zone.map { ",\"zone\":\"\($0)\"" } ?? ""
            #expect(
                try await test.send(.patch, "/me", token: anna.token, "{\"language\":\"\(language)\"\(change)}").status
                    == 200)
            var values = values
            values["data_types"] = "heart-rate, steps"
            values["lapses_at"] = "2026-07-11T22:30:00Z"
            values["from"] = "2026-07-10T22:30:00Z"
            values["to"] = "2026-07-31T22:00:00Z"
            try await notify(test, anna.account, values: values)
            #expect(try await test.deliver() == 1)
            let mail = try #require(test.settings.mailbox.messages.last)
            let inbox = try await test.send(.get, "/inbox", token: anna.token)
            let shown = inbox.json["messages"]?.items.first?["text"]?.text ?? ""
            for text in [mail.body, shown] {
                for part in [time, types, days] { #expect(text.contains(part), "\(part) in \(text)") }
            }
        }
    }

    @Test(
        "REQ-04b SUB-01b NFR-08b: how fine the data is and how often it comes stand in words beside the period, in inbox and mail",
        arguments: [
            (
                ["granularity": "hour", "frequency": "daily", "every_minutes": ""],
                "anche i dati nuovi; un valore per ogni ora, una volta al giorno",
                "with new data, too; one value for each hour, once a day"
            ),
            (
                ["granularity": "raw", "frequency": "live", "every_minutes": ""],
                "anche i dati nuovi; ogni misura, appena arriva",
                "with new data, too; every measurement, as soon as it comes"
            ),
            (
                ["granularity": "week", "frequency": "interval", "every_minutes": "30"],
                "anche i dati nuovi; un valore per ogni settimana, ogni 30 minuti",
                "with new data, too; one value for each week, every 30 minutes"
            ),
            (
                ["granularity": "day", "frequency": "weekly", "every_minutes": ""],
                "anche i dati nuovi; un valore per ogni giorno, una volta alla settimana",
                "with new data, too; one value for each day, once a week"
            ),
            // A request for the past has no frequency.
            (
                ["granularity": "minute", "frequency": "", "every_minutes": ""],
                "anche i dati nuovi; un valore per ogni minuto\n", "with new data, too; one value for each minute\n"
            ),
            // An older caller says nothing of it.
            ([:], "anche i dati nuovi\n", "with new data, too\n"),
        ] as [([String: String], String, String)])
    func terms(_ terms: [String: String], _ italian: String, _ english: String) async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await test.deliver()
            var values = values.merging(terms) { $1 }
            values["mode"] = "subscription"
            for (language, words) in [("it", italian), ("en", english)] {
                let change = try await test.send(.patch, "/me", token: anna.token, "{\"language\":\"\(language)\"}")
                #expect(change.status == 200)
                test.clock.advance(by: .seconds(1))
                try await notify(test, anna.account, values: values)
                #expect(try await test.deliver() == 1)
                let mail = try #require(test.settings.mailbox.messages.last)
                let inbox = try await test.send(.get, "/inbox", token: anna.token)
                let shown = inbox.json["messages"]?.items.first?["text"]?.text ?? ""
                for text in [mail.body, shown] { #expect(text.contains(words), "\(text)") }
            }
        }
    }

    @Test("Values that no version knows stay as they are")
    func unknownValues() throws {
        let format = try MessageFormats().format(.italian)
        for kind in [MessageFormat.Kind.time, .day, .lastDay, .types, .mode, .result, .money, .terms] {
            for value in ["", "x", "2026-13-01", "2026-11-22 08:00"] { #expect(format.text(value, as: kind) == value) }
        }
        #expect(format.text("heart-rate, mood", as: .types) == "Frequenza cardiaca, mood")
        #expect(format.text("2026-11-22", as: .day) == "22 novembre 2026")
        #expect(
            format.text("123405 EUR", as: .money) == "1234,05 EUR" && format.text("7 EUR", as: .money) == "0,07 EUR")
        #expect(format.text("3. – 0:41:07", as: .result) == "3. – 0:41:07")
        #expect(format.text("DNF", as: .result) == "non arrivato al traguardo")
    }

    @Test("ACC-17a: Every text exists in Italian and English with the same places, and fills them")
    func catalogue() throws {
        let formats = try MessageFormats()
        #expect(MessageCatalogue.names.count > 20)
        for name in MessageCatalogue.names {
            let template = try #require(MessageCatalogue[name])
            let values = Dictionary(uniqueKeysWithValues: template.places.map { ($0, "«\($0)»") })
            try template.check(values)
            for language in Language.allCases {
                let text = template.filled(values, in: formats.format(language))
                #expect(!(text.subject + text.body).contains("{"))
                for place in template.places {
                    let isFilled = (text.subject + text.body).contains("«\(place)»")
                    let isQuoted = ["«'\(place)'»", "“'\(place)'”"].contains { (text.subject + text.body).contains($0) }
                    #expect(isFilled || isQuoted, "\(name) \(place)")
                }
            }
            #expect(
                template.filled(values, in: formats.format(.italian)).body
                    != template.filled(values, in: formats.format(.english)).body
                    || template.places == ["report"])
        }
    }

    @Test("REQ-04 RUN-02: what companies, organisers and device names say stands in quotation marks")
    func foreignWords() throws {
        let formats = try MessageFormats()
        for name in MessageCatalogue.names {
            let template = try #require(MessageCatalogue[name])
            for place in ["company", "reason", "run", "device"] where template.places.contains(place) {
                for language in Language.allCases {
                    let values = Dictionary(
                        uniqueKeysWithValues: template.places.map { ($0, "one\ntwo ” » http://x.example") })
                    let text = template.filled([place: values[place] ?? ""], in: formats.format(language))
                    let parts = (text.subject + "\n" + text.body).components(of: "one two ' ' http[:]//x[.]example")
                    #expect(parts.count > 1, "\(name) \(place)")
                    for (before, after) in zip(parts, parts.dropFirst()) {
                        #expect(before.last == "«" && after.first == "»" || before.last == "“" && after.first == "”")
                    }
                }
            }
        }
    }

    @Test("REQ-04b: a reason of several lines with links does not write in TrackMe's name")
    func quotedReason() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            try await test.deliver()
            var values = values
            values["reason"] =
                "Studio”.\n\nTrackMe security: confirm at http://trackme.example/now or www.trackme.example"
            try await notify(test, anna.account, values: values)
            #expect(try await test.deliver() == 1)
            let body = try #require(test.settings.mailbox.messages.last).body
            #expect(!body.contains("http://trackme") && !body.contains("trackme.example"))
            #expect(
                body.contains(
                    "«Studio'. TrackMe security: confirm at http[:]//trackme[.]example/now or www[.]trackme[.]example»")
            )
        }
    }
}

extension String {
    /// What stands between the places of `part`.
    fileprivate func components(of part: String) -> [Substring] {
        split(separator: part, omittingEmptySubsequences: false)
    }
}
