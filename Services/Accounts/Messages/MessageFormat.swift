import Domain
import Primitives
import Security
import Service
import Web

/// Writes the values of messages as their reader does: in the own language, by the clock where the person lives, with names
/// instead of codes (NFR-08).
struct MessageFormat: Sendable {
    /// How a place has its value written: `{start|time}`.
    enum Kind: String, Sendable {
        /// A time, as `8 novembre 2026 alle 17:21`.
        case time
        /// A day, or that of a time.
        case day
        /// The last day of what ends before a time.
        case lastDay = "last-day"
        /// Data types, with commas between them.
        case types
        /// Whether a request is for once or a subscription.
        case mode
        /// How fine a request's data is and when it has updates, of the values `granularity`, `frequency` and `every_minutes`
        /// together, as `; one value for each hour, once a day`. Nothing without them: a caller may be older.
        case terms
        /// What a runner has achieved.
        case result
        /// A kind of account.
        case kind
        /// What is paused together.
        case group
        /// An amount in a currency's hundredths: `1250 EUR`.
        case money
    }

    let language: Language
    private let words: Words
    private let format: ReadableFormat

    init(_ language: Language, words: Words, zone: TimeZoneRules) {
        self.language = language
        self.words = words
        format = ReadableFormat(language: language, zone: zone)
    }

    /// What is not of this kind stays as it is: a caller may be older or newer.
    func text(_ value: String, as kind: Kind) -> String {
        switch kind {
        case .time: Timestamp(value).map(moment) ?? value
        case .day: CalendarDate(value).map(format.day) ?? Timestamp(value).map(format.day) ?? value
        case .lastDay: CalendarDate(value).map(format.day) ?? Timestamp(value).map(lastDay) ?? value
        case .types:
            value.split(separator: ", ").map { words.text("types.\($0)") ?? String($0) }.joined(separator: ", ")
        case .mode, .result, .kind, .group: named(value)
        case .money: money(value) ?? value
        case .terms: granularity(value)
        }
    }

    /// What `Kind.terms` says. A request for the past has no frequency.
    func terms(_ values: [String: String]) -> String {
        let parts = [
            granularity(values["granularity"] ?? ""),
            frequency(values["frequency"] ?? "", everyMinutes: values["every_minutes"] ?? ""),
        ].filter { !$0.isEmpty }
        return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
    }

    private func granularity(_ value: String) -> String {
        switch (value, language) {
        case ("raw", .italian): "ogni misura"
        case ("raw", .english): "every measurement"
        case ("minute", .italian): "un valore per ogni minuto"
        case ("minute", .english): "one value for each minute"
        case ("hour", .italian): "un valore per ogni ora"
        case ("hour", .english): "one value for each hour"
        case ("day", .italian): "un valore per ogni giorno"
        case ("day", .english): "one value for each day"
        case ("week", .italian): "un valore per ogni settimana"
        case ("week", .english): "one value for each week"
        default: value
        }
    }

    private func frequency(_ value: String, everyMinutes minutes: String) -> String {
        switch (value, language) {
        case ("live", .italian): "appena arriva"
        case ("live", .english): "as soon as it comes"
        case ("daily", .italian): "una volta al giorno"
        case ("daily", .english): "once a day"
        case ("weekly", .italian): "una volta alla settimana"
        case ("weekly", .english): "once a week"
        case ("interval", .italian): "ogni \(minutes) minuti"
        case ("interval", .english): "every \(minutes) minutes"
        default: value
        }
    }

    private func money(_ value: String) -> String? {
        let parts = value.split(separator: " ")
        guard parts.count == 2, let amount = Int64(parts[0]), amount >= 0 else { return nil }
        let cents = amount % 100
        return "\(amount / 100)\(language == .italian ? "," : ".")\(cents < 10 ? "0" : "")\(cents) \(parts[1])"
    }

    private func moment(_ time: Timestamp) -> String {
        "\(format.day(time)) \(language == .italian ? "alle" : "at") \(format.clock(time))"
    }

    private func lastDay(_ end: Timestamp) -> String { format.day(end - .milliseconds(1)) }

    private func named(_ value: String) -> String {
        switch (value, language) {
        case ("once", .italian): "una volta sola"
        case ("once", .english): "once"
        case ("subscription", .italian): "in abbonamento, anche i dati nuovi"
        case ("subscription", .english): "as a subscription, with new data, too"
        case ("individual", .italian): "personale"
        case ("individual", .english): "personal"
        case ("third-party", .italian): "terza parte"
        case ("third-party", .english): "third party"
        case ("organiser", .italian): "organizzatore"
        case ("organiser", .english): "organiser"
        case ("health", .italian): "i dati sulla salute"
        case ("health", .english): "health data"
        case ("position", .italian): "le posizioni"
        case ("position", .english): "positions"
        case ("DNF", .italian): "non arrivato al traguardo"
        case ("DNF", .english): "did not finish"
        case ("DNS", .italian): "non partito"
        case ("DNS", .english): "did not start"
        default: value
        }
    }
}

/// The format of each reader of messages.
struct MessageFormats: Sendable {
    private let words: [Language: Words]
    private let zones = TimeZones()
    private let rome: TimeZoneRules

    /// Errors: the machine has no data of time zones (package `tzdata`).
    init() throws {
        rome = try zones.rules(of: .rome)
        var words: [Language: Words] = [:]
        for language in Language.allCases { words[language] = try Words.shared(language) }
        self.words = words
    }

    /// In Italy, where nobody has said to live elsewhere.
    func format(_ language: Language, in zone: TimeZoneRules? = nil) -> MessageFormat {
        MessageFormat(language, words: words[language] ?? Words(), zone: zone ?? rome)
    }

    /// As the owner of an account reads. `profile` is that of an individual, as it is stored; one that cannot be read with `key` is
    /// reported. Errors: the stored language is none.
    func format(
        of account: UUID, language: String, profile: [UInt8]?, _ key: SubjectKey?, store: Store
    ) throws(StoredValueError) -> MessageFormat {
        var zone: TimeZoneRules?
        if let profile, let key {
            zone = store.unreadable.read("accounts.person", account) {
                let profile = try store.columns.open(
                    profile, as: PersonProfile.self, .person, row: account, with: key)
                return try profile.zone.map { try zones.rules(of: $0) } ?? rome
            }
        }
        return format(try Language.stored(language), in: zone)
    }
}
