import Domain
import Primitives
import Service
import ServiceTesting
import Telemetry
import Testing

@testable import Dispatcher

@Suite struct ContactTextTests {
    private let texts = ContactTexts(log: Log(service: "dispatcher", level: .debug, sink: MemoryLogSink()))

    private let now = Timestamp("2026-05-01T08:00:05Z")!

    private func content(_ language: Language, isBrief: Bool = false, person: String? = "Rosa Bianchi") throws
        -> ContactMessage.Content
    {
        ContactMessage.Content(
            contact: EmergencyContact(name: "Luca", phone: try PhoneNumber(validating: "+39 333 1234567")),
            language: language, person: person, callbackPhone: try PhoneNumber(validating: "+39 02 1234567"),
            isBrief: isBrief, happenedAt: Timestamp("2026-05-01T08:00:00Z"), cause: "heart-rate",
            position: StoredFix(
                PositionFix(
                    time: Timestamp("2026-05-01T07:59:59Z")!,
                    coordinate: Coordinate(latitude: 45.4642, longitude: -9.19)!,
                    altitude: nil, accuracy: 4)),
            service: "north", outcome: .resolved)
    }

    @Test("SOS-09a: A text message says who, when, what happened, where and how to call, in Italian and English")
    func emergency() throws {
        let link = "https://trackme.example/sos/contact#x"
        let italian = texts.text(.emergency, try content(.italian), by: .sms, link: link, at: now).body
        for part in [
            "EMERGENZA di Rosa Bianchi", "1 maggio 2026 alle 10:00", "Frequenza cardiaca",
            "45.46420 -9.19000, ± 4 m (09:59)",
            "+39021234567", link,
        ] { #expect(italian.contains(part), "\(part)") }
        let english = texts.text(.emergency, try content(.english), by: .sms, link: link, at: now).body
        for part in ["EMERGENCY of Rosa Bianchi", "1 May 2026 at 10:00", "Heart rate", link] {
            #expect(english.contains(part), "\(part)")
        }
    }

    @Test(
        "SOS-09a: Of the SOS button it is told that it was pressed, in text, e-mail and call, beside what was measured")
    func pressed() throws {
        for (language, words, value) in [
            (Language.italian, "Ha premuto il tasto SOS.", "Valore critico"),
            (.english, "The SOS button was pressed.", "Critical value"),
        ] {
            var manual = try content(language)
            (manual.sosPressed, manual.cause) = (manual.happenedAt, nil)
            for kind in [ContactMessage.Kind.emergency, .unanswered] {
                for channel in ContactMessage.Channel.allCases {
                    let text = texts.text(kind, manual, by: channel, link: nil, at: now).body
                    #expect(text.contains(words) && !text.contains(value), "\(text)")
                }
            }
            manual.cause = "heart-rate"
            let both = texts.text(.emergency, manual, by: .sms, link: nil, at: now).body
            #expect(both.contains(words) && both.contains(value))
            manual.isBrief = true
            #expect(!texts.text(.emergency, manual, by: .sms, link: nil, at: now).body.contains(words))
            #expect(!texts.text(.over, manual, by: .sms, link: nil, at: now).body.contains(words))
        }
    }

    @Test(
        "SOS-09a: A position older than five minutes is told as the last one known, with its day when it is not today's"
    )
    func lastKnown() throws {
        var told = try content(.italian)
        told.home = Self.home
        func text(_ language: Language, fixAt time: String) throws -> String {
            told.language = language
            told.position?.time = try #require(Timestamp(time))
            return texts.text(.emergency, told, by: .sms, link: nil, at: now).body
        }
        // Five minutes, and a moment more; midnight is at 22:00 UTC.
        let current = try text(.italian, fixAt: "2026-05-01T07:55:05Z")
        #expect(current.contains("Posizione: 45.46420 -9.19000, ± 4 m (09:55).") && !current.contains("Casa"))
        let old = try text(.italian, fixAt: "2026-05-01T07:55:04Z")
        #expect(old.contains("Ultima posizione nota: 45.46420 -9.19000, ± 4 m (09:55). Casa: via Roma 1/A, Milano"))
        #expect(
            try text(.english, fixAt: "2026-04-30T22:00:00Z").contains(
                "Last known position: 45.46420 -9.19000, ± 4 m (00:00)"))
        #expect(try text(.english, fixAt: "2026-04-30T21:59:59Z").contains("(30 April 2026 at 23:59). Home: via Roma"))
        #expect(try text(.italian, fixAt: "2026-04-30T21:59:59Z").contains("(30 aprile 2026 alle 23:59)"))
        // Just after midnight yesterday's position may be of now.
        told.position?.time = try #require(Timestamp("2026-04-30T21:59:00Z"))
        let midnight = texts.text(
            .emergency, told, by: .sms, link: nil, at: try #require(Timestamp("2026-04-30T22:01:00Z"))
        ).body
        #expect(midnight.contains("Posizione: ") && midnight.contains("30 aprile 2026 alle 23:59"))
    }

    @Test(
        "SOS-09a: A call says the home and that the position is in the message; without a position it is the home alone"
    )
    func spokenPlace() throws {
        var told = try content(.italian)
        func text(_ channel: ContactMessage.Channel) -> String {
            texts.text(.emergency, told, by: channel, link: nil, at: now).body
        }
        #expect(text(.call).contains("La posizione è nel messaggio.") && !text(.call).contains("Casa"))
        told.home = Self.home
        #expect(text(.call).contains("Casa: via Roma 1/A, Milano, piano 3. La posizione è nel messaggio."))
        #expect(text(.call).utf8.count < 300)
        told.position = nil
        for channel in ContactMessage.Channel.allCases {
            #expect(
                text(channel).contains("Casa: via Roma 1/A, Milano, piano 3.") && !text(channel).contains("osizione"))
        }
        told.language = .english
        #expect(text(.call).contains("Home: via Roma 1/A, Milano, floor 3."))
        told.isBrief = true
        #expect(!text(.call).contains("Roma") && !text(.sms).contains("Roma"))
        // An address is no way to send a link.
        told.isBrief = false
        told.home?.street = "http://evil.example/1 \n now"
        #expect(text(.sms).contains("Home: http //evil example/1 now, Milano"))
    }

    private static let home = HomeAddress(
        street: "via Roma 1/A", postalCode: "20121", city: "Milano", province: "MI", floor: "3", country: "IT")

    @Test("SOS-09a: Who has not confirmed learns neither what was measured nor where; what is spoken has no link")
    func brief() throws {
        let brief = texts.text(.emergency, try content(.italian, isBrief: true), by: .sms, link: "https://x", at: now)
            .body
        #expect(brief.contains("Rosa Bianchi") && brief.contains("https://x"))
        #expect(!brief.contains("Frequenza") && !brief.contains("45.4"))
        let spoken = texts.text(.emergency, try content(.italian), by: .call, link: "https://x", at: now).body
        #expect(spoken.hasPrefix("Messaggio automatico") && !spoken.contains("https") && !spoken.contains("45.4"))
        #expect(spoken.contains("+39021234567"))
    }

    @Test("SOS-09: Each message has words of its own in both languages, without a hole where something is not known")
    func all() throws {
        let kinds: [ContactMessage.Kind] = [
            .question, .emergency, .accepted, .unanswered, .over, .handedBack, .rule, .late, .sensorLost,
        ]
        var seen: Set<String> = []
        for kind in kinds {
            for language in Language.allCases {
                let text = texts.text(kind, try content(language, person: nil), by: .sms, link: nil, at: now)
                #expect(text.body.contains("+39021234567"), "\(kind)")
                #expect(seen.insert(text.body).inserted && text.subject.hasPrefix("AutomatedSOS: "))
                #expect(text.body.utf8.count < 500 && !text.body.contains("  "))
            }
        }
        for outcome in [IncidentOutcome.falseAlarm, .unanswered, .resolved] {
            for language in Language.allCases {
                var ended = try content(language)
                ended.outcome = outcome
                seen.insert(texts.text(.over, ended, by: .email, link: nil, at: now).body)
            }
        }
        #expect(seen.count == 2 * kinds.count + 6)
    }

    @Test("SOS-09: A name is nothing but a name: no link, no number and no line of its own")
    func names() {
        #expect(ContactTexts.plain("Rosa D’Angelo-Bianchi") == "Rosa D’Angelo-Bianchi")
        #expect(ContactTexts.plain("Win at http://evil.example/1\nCall 899") == "Win at http evil example Call")
        #expect(ContactTexts.plain(String(repeating: "x", count: 500)).count == 60)
        #expect(ContactTexts.plain("\u{202E}12") == "")
    }

    @Test("SOS-09: Contacts are written to in the person's first language that there is")
    func languages() throws {
        var details = EnrolmentDetails(
            birthDate: CalendarDate(year: 1950, month: 1, day: 1)!,
            callbackPhone: try PhoneNumber(validating: "+39 02 1234567"), contacts: [], conditions: [], medication: [],
            languages: [], addressNotes: nil, abortWindowSeconds: 0)
        for (tags, language) in [
            ([], Language.italian), (["de", "en-GB", "it"], .english), (["it"], .italian), (["de"], .italian),
        ] {
            details.languages = tags
            #expect(ContactTexts.language(of: details) == language)
        }
    }
}
