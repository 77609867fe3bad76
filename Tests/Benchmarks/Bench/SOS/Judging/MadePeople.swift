import Contracts
import Domain
import JSON
import Postgres
import PostgresTesting
import Primitives
import Reactor
import Security
import SimulatedPeople

/// Enrolled people, written into the dispatcher's tables and its key store, as enrolling by the API writes them: a million by the API
/// would take an hour.
struct MadePeople: Sendable {
    private static let pageMax = 5000

    let dispatcher: Database
    /// The schema of its key store.
    let keys: Database
    let cipher: FieldCipher

    /// Returns their accounts.
    func add(_ count: Int) async throws -> [UUID] {
        guard let born = CalendarDate(year: 1950, month: 3, day: 14) else { throw BenchError.failed("no date") }
        let details = Self.details(bornOn: born)
        let code = try FiscalCode.make(
            surname: "Bianchi", name: "Rosa", birth: born, sex: .female, place: try place())
        // As `IncidentDetails.Person`.
        let identity =
            [1] + Self.packed("Rosa") + Self.packed("Bianchi") + Self.packed(code.description)
            + Self.packed(born) + [0]
        var accounts: [UUID] = []
        while accounts.count < count {
            let page = (0..<min(Self.pageMax, count - accounts.count)).map { _ in UUID.random() }
            try await write(page, details, identity)
            accounts += page
        }
        try await dispatcher.execute("analyze enrolment")
        try await dispatcher.execute("analyze monitor")
        return accounts
    }

    /// As the compact form of `EnrolmentDetails`, of somebody with one contact.
    private static func details(bornOn born: CalendarDate) -> [UInt8] {
        var bytes: [UInt8] = [1] + packed(born) + packed("+39021234567")
        bytes +=
            [1] + packed("Luca Bianchi") + packed("+393331234567")
            + packed("luca.bianchi@example.org", isOptional: true)
        for text in ["diabete di tipo 2", "metformina 1000 mg", "it"] { bytes += [1] + packed(text) }
        // No reason, address and notes, and no time to call off.
        return bytes + [0, 0, 0, 0]
    }

    /// Of up to 126 bytes.
    private static func packed(_ text: String, isOptional: Bool = false) -> [UInt8] {
        [UInt8(text.utf8.count + (isOptional ? 1 : 0))] + text.utf8
    }

    private static func packed(_ date: CalendarDate) -> [UInt8] {
        let days = Int64(date.daysSinceEpoch)
        var rest = UInt64(bitPattern: days << 1 ^ days >> 63)
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private func place() throws -> BelfioreCode {
        guard let code = BelfioreCode("F205") else { throw BenchError.failed("no place") }
        return code
    }

    private func write(_ accounts: [UUID], _ details: [UInt8], _ identity: [UInt8]) async throws {
        var (wrapped, sealed, known, states): ([[UInt8]], [[UInt8]], [[UInt8]], [[UInt8]]) = ([], [], [], [])
        let now = Timestamp.now()
        let monitor = Self.emptyMonitor(at: now)
        for account in accounts {
            let key = SubjectKey.random()
            wrapped.append(key.wrapped(of: account, with: cipher))
            sealed.append(key.seal(details, at: FieldLocation("dispatcher.enrolment.details", row: account)))
            known.append(key.seal(identity, at: FieldLocation("dispatcher.enrolled_person.identity", row: account)))
            states.append(key.seal(monitor, at: FieldLocation("dispatcher.monitor.state", row: account)))
        }
        try await keys.execute(
            "insert into subject_key (account_id, wrapped) select * from unnest(\(accounts), \(wrapped))")
        try await dispatcher.batch([
            """
            insert into enrolment (account, version, is_active, rules, clauses_version, clauses_accepted_at, details,
              enrolled_at, changed_at)
            select a, 1, true, 'age', '2026-01', \(now), d, \(now), \(now) from unnest(\(accounts), \(sealed)) n (a, d)
            """,
            """
            insert into enrolled_person (account, identity, told_at)
            select a, i, \(now) from unnest(\(accounts), \(known)) n (a, i)
            """,
            """
            insert into monitor (account, phase, state, last_vital_at)
            select a, 'normal', s, \(now) from unnest(\(accounts), \(states)) n (a, s)
            """,
        ])
    }

    /// The compact form of a monitor that has seen nothing (`Monitor.packed`): version, phase, marks, the time, no zone, five stretches
    /// that are not there, and no offsets, tracks, vital signs and positions.
    private static func emptyMonitor(at time: Timestamp) -> [UInt8] {
        var bytes: [UInt8] = [1, 0, 0]
        var rest = UInt64(time.milliseconds) << 3
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest), 0x80, 0x80, 0x04, 3, 3, 3, 3, 3, 0, 0, 0, 0]
    }
}
