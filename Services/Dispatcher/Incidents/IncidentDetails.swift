import Contracts
import Domain
import Primitives
import Security

/// What is known of an emergency, sealed: the hook gets this and nothing that has to be fetched first.
struct IncidentDetails: Sendable, Equatable, Codable {
    static let findingsMax = 8
    /// Measurements that are kept: the first ones, and the last ones after them.
    static let (measuredFirstMax, measuredMax) = (60, 300)

    /// The first, and the last ones after it; empty for a test call.
    var findings: [Finding]
    /// Newest first.
    var fixes: [StoredFix]
    var vitals: [Monitor.LastVital]
    var enrolment: EnrolmentDetails
    /// What was measured, as it was known when each message was made, in the order in which it became known (SOS-14).
    private(set) var measured: [Monitor.LastVital]?
    /// `nil` until the accounts service has told.
    var person: Person?
    /// Somebody has pressed the SOS button.
    var manual: ManualCall?
    /// The incident of the person whose place this one has taken.
    var supersedes: UUID?

    /// Who it is, from the accounts service.
    struct Person: Sendable, Equatable, Codable {
        var name: String
        var surname: String
        var fiscalCode: FiscalCode
        var birthDate: CalendarDate
        var sex: Sex

        init(_ person: Accounts.Identity.Result) {
            name = person.name
            surname = person.surname
            fiscalCode = person.fiscalCode
            birthDate = person.birthDate
            sex = person.sex
        }
    }

    mutating func add(_ finding: Finding) {
        findings.append(finding)
        if findings.count > Self.findingsMax { findings.remove(at: 1) }
    }

    /// Whether it is known, also as the severe part of another one, whatever else was found.
    func has(_ finding: Finding) -> Bool {
        findings.contains { $0.parts.contains { $0.origin == finding.origin } }
    }

    /// Whether the finding belongs to critical states that had begun when the last one here was confirmed.
    func isSameEpisode(_ finding: Finding) -> Bool {
        findings.last.map { finding.episodeFrom <= $0.confirmedAt } ?? false
    }

    /// What was found, and its severe parts, by the ids that incidents of their own would have, but for this one's.
    func emergencies(of account: UUID, but own: UUID) -> [UUID] {
        findings.flatMap(\.parts).map { IncidentID.of(account, $0.origin) }.filter { $0 != own }
    }

    /// Adds what others have seen of the same incident since.
    mutating func learn(from other: IncidentDetails) {
        for finding in other.findings where !has(finding) { add(finding) }
        if let newest = other.fixes.first, newest.time > fixes.first?.time ?? .distantPast { fixes = other.fixes }
        let (seen, known) = (other.vitals.map(\.time).max(), vitals.map(\.time).max())
        if let seen, seen > known ?? .distantPast { vitals = other.vitals }
        person = person ?? other.person
        if let press = other.manual, isNewer(pressAt: press.at) { manual = press }
    }

    /// Whether it came after the last press that is known.
    func isNewer(pressAt time: Timestamp) -> Bool { time > manual?.at ?? .distantPast }

    /// That the button was pressed then, where no more is known of it: what was seen with it may have been lost with its process.
    mutating func notePress(at time: Timestamp) {
        if isNewer(pressAt: time) { manual = ManualCall(at: time, by: manual?.by ?? .person) }
    }

    /// Takes over what the monitor saw last.
    mutating func follow(_ monitor: Monitor) {
        fixes = monitor.fixes.map(StoredFix.init)
        vitals = monitor.lastVitals.values.sorted { $0.type.rawValue < $1.type.rawValue }
        var known = measured ?? []
        known += vitals.filter { !known.contains($0) }
        if known.count > Self.measuredMax {
            known = known.prefix(Self.measuredFirstMax) + known.suffix(Self.measuredMax - Self.measuredFirstMax)
        }
        measured = known
    }
}

enum IncidentID {
    private static let namespace = UUID.named(Array("incidents.dispatcher.trackme".utf8), in: .dnsNamespace)

    /// The same for the same person and first critical sample, whoever computes it.
    static func of(_ account: UUID, _ origin: Finding.Origin) -> UUID {
        var name = account.bytes + origin.source.bytes + [origin.type.rawValue]
        withUnsafeBytes(of: origin.time.microseconds.bigEndian) { name.append(contentsOf: $0) }
        return .named(name, in: namespace)
    }
}
