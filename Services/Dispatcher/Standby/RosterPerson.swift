import Primitives

/// One person in the roster: small, since there may be millions. A class, so that the roster's table holds a word for each; only the
/// roster's state has it.
final class RosterPerson {
    /// What few people have.
    private struct Rare {
        var runs: [ClosedRange<Timestamp>] = []
        var thresholds: PersonalThresholds?
        var incident: IncidentRecord?

        var isEmpty: Bool { runs.isEmpty && thresholds == nil && incident == nil }
    }

    private final class RareBox {
        var rare: Rare
        init(_ rare: Rare) { self.rare = rare }
    }

    /// A monitor of a watch that tells three vital signs and the place takes so much: one that grows to it leaves no holes in memory.
    private static let monitorRoom = 384
    /// `none` of what is not there.
    private static let none = UInt16.max

    let version: Int64
    private(set) var revision: Int64
    /// The rule set's name, details, identity and own limits as they are sealed, and then the monitor, one behind the other.
    private var content: [UInt8]
    private var rareBox: RareBox?
    private let detailsCount: UInt32
    private let identityCount: UInt16
    private let thresholdsCount: UInt16
    private let rulesCount: UInt8
    /// The monitor is not stored as it is here.
    private(set) var isUnsaved = false
    /// What the person is judged by is to be read anew.
    var isExpired = false
    /// It is among those that are to be saved.
    var isListed = false
    /// Counts what becomes of the person in memory.
    var changes: UInt32
    /// Once it was opened.
    private var birthDate: CalendarDate?
    /// As it was read with the birth date.
    private var ruleSet = RuleSet.standard

    init(_ entry: Roster.Entry, changes: UInt32) {
        let enrolled = entry.enrolled
        version = enrolled.version
        // What is longer than any that this service writes is left out, as what cannot be read is.
        let rules = enrolled.rules.utf8.prefix(Int(UInt8.max))
        let identity = enrolled.identity.flatMap { $0.count < Int(Self.none) ? $0 : nil }
        let thresholds = enrolled.thresholds.flatMap { $0.count < Int(Self.none) ? $0 : nil }
        let sealedCount = rules.count + enrolled.details.count + (identity?.count ?? 0) + (thresholds?.count ?? 0)
        content = []
        content.reserveCapacity(sealedCount + max(Self.monitorRoom, entry.monitor.count))
        content += rules
        content += enrolled.details
        content += identity ?? []
        content += thresholds ?? []
        content += entry.monitor
        rulesCount = UInt8(rules.count)
        detailsCount = UInt32(enrolled.details.count)
        identityCount = identity.map { UInt16($0.count) } ?? Self.none
        thresholdsCount = thresholds.map { UInt16($0.count) } ?? Self.none
        revision = entry.revision
        self.changes = changes
        rare = Rare(runs: entry.runs, incident: entry.incident)
    }

    private var rare: Rare {
        get { rareBox?.rare ?? Rare() }
        set { rareBox = newValue.isEmpty ? nil : RareBox(newValue) }
    }

    private static func count(_ mark: UInt16) -> Int { mark == none ? 0 : Int(mark) }

    private var sealedCount: Int {
        Int(rulesCount) + Int(detailsCount) + Self.count(identityCount) + Self.count(thresholdsCount)
    }

    /// A copy: what is here is written over in place.
    var monitor: [UInt8] { Array(content[sealedCount...]) }

    /// About, with the table, what the memory's management takes, and the key: an incident has its details in memory.
    var bytes: Int {
        320 + content.capacity + (rareBox == nil ? 0 : 512) + (rareBox?.rare.incident == nil ? 0 : 8192)
    }

    var entry: Roster.Entry {
        Roster.Entry(
            enrolled: enrolled, monitor: monitor, revision: revision, runs: rare.runs, incident: rare.incident)
    }

    private var enrolled: Roster.Enrolled {
        let begin = Int(rulesCount)
        let first = begin + Int(detailsCount)
        let second = first + Self.count(identityCount)
        return Roster.Enrolled(
            version: version, rules: rules, details: Array(content[begin..<first]),
            identity: identityCount == Self.none ? nil : Array(content[first..<second]),
            thresholds: thresholdsCount == Self.none ? nil : Array(content[second..<sealedCount]))
    }

    private var rules: String { String(decoding: content[..<Int(rulesCount)], as: UTF8.self) }

    var incident: IncidentRecord? {
        get { rareBox?.rare.incident }
        set { rare.incident = newValue }
    }

    /// Whom it is to be judged; `nil` before `note(_:)`.
    func wearer(_ account: UUID) -> Wearer? {
        guard let birthDate else { return nil }
        return Wearer(
            account: account, birthDate: birthDate, rules: ruleSet, thresholds: rare.thresholds, runs: rare.runs)
    }

    /// What was opened of the enrolment.
    func note(_ wearer: Wearer) {
        (birthDate, ruleSet) = (wearer.birthDate, wearer.rules)
        rare.thresholds = wearer.thresholds
    }

    func takeMonitor(from other: RosterPerson) {
        write(other.monitor)
        (revision, isUnsaved, isListed) = (other.revision, other.isUnsaved, other.isListed)
    }

    /// A sample was judged that is not stored.
    func keep(_ monitor: [UInt8]) {
        write(monitor)
        changes &+= 1
        isUnsaved = true
    }

    private func write(_ monitor: [UInt8]) {
        let sealedCount = sealedCount
        if sealedCount + monitor.count > content.capacity {
            // Not twice as much, as an array would take.
            var larger: [UInt8] = []
            larger.reserveCapacity(sealedCount + monitor.count + monitor.count / 4)
            larger += content[..<sealedCount]
            content = larger
        } else {
            content.removeLast(content.count - sealedCount)
        }
        content += monitor
    }

    /// The monitor of then is stored.
    func saved(at changes: UInt32) {
        revision += 1
        if self.changes == changes { isUnsaved = false }
    }
}
