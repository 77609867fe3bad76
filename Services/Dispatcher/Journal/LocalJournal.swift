import JSON
import Primitives
import Reactor
import Security
import Service
import Synchronization

/// What could not be written to the database in time, on this machine's disk (SOS-07a): incidents, and what ambulance
/// services and wearers said of them. Append-only and sealed with the service's key; `README.md` says how it is used.
///
/// Files are called by the number of their first frame. Nothing in them is ever changed; a file goes when the database has
/// all that is in it. After a failure, and at a start, another file is begun, so that nothing is written behind a torn end.
final class LocalJournal: Sendable {
    struct Limits: Sendable {
        /// All files together. The last quarter is kept for what is said of incidents: those are open already.
        var bytesMax = 64 << 20
        var fileBytesMax = 1 << 20
        /// How long anybody waits for the disk.
        var waitMax = Duration.milliseconds(500)
        /// Entries that wait for the disk.
        var waitingMax = 10_000
    }

    private static let column = "dispatcher.journal.entry"
    private static let suffix = ".journal"

    private struct File {
        let name: String
        var bytes = 0
        /// Entries in it that the database has not.
        var open: Set<UUID> = []
        /// Holds something that this process cannot read: it stays.
        var isUnreadable = false
    }

    private struct Writing {
        let entry: JournalEntry
        let frame: [UInt8]
        let ticket: JournalTicket
    }

    private struct State {
        var isOpen = false
        var isClosed = false
        var files: [File] = []
        /// Whether the last file may be written to.
        var mayAppend = false
        var nextNumber: UInt64 = 1
        var incidents: [UUID: JournalledIncident] = [:]
        var waiting: [Writing] = []
        /// Of what waits or is being written, by the entry's id.
        var tickets: [UUID: JournalTicket] = [:]
        var isWriting = false
        /// What is being written has not come to an end in time.
        var isHanging = false
        /// Decisions that are being written.
        var deciding: [UUID: [JournalEntry]] = [:]
    }

    private let disk: any JournalDisk
    private let cipher: FieldCipher
    private let limits: Limits
    private let pool: any JournalThread
    private let log: Log
    private let state = Mutex(State())
    /// Raised when entries were added or are settled.
    let changes = EventCounter()

    /// The disk has a thread of its own.
    convenience init(
        _ disk: any JournalDisk, cipher: FieldCipher, limits: Limits = Limits(), log: Log
    ) throws(IOError) {
        self.init(
            disk, on: try BlockingPool(threads: 1, queueMax: 16), cipher: cipher, limits: limits, log: log)
    }

    init(_ disk: any JournalDisk, on pool: any JournalThread, cipher: FieldCipher, limits: Limits = Limits(), log: Log)
    {
        (self.disk, self.pool, self.cipher, self.limits, self.log) = (disk, pool, cipher, limits, log)
    }

    // MARK: Opening

    var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Reads what is there. Until it has been called without an error nothing can be added. On a loop.
    func open() async throws {
        guard !isOpen else { return }
        let found = try await pool.run { [self] in Result { () throws(JournalFault) in try readAll() } }.get()
        state.withLock { state in
            guard !state.isClosed, !state.isOpen else { return }
            state.isOpen = true
            state.files = found.files
            state.nextNumber = found.lastNumber + 1
            for entry in found.entries { state.incidents[entry.incident, default: .init(entry.incident)].add(entry) }
        }
        if found.lostBytes > 0 {
            log.warning("a local journal has an end that was torn off", ["bytes": .integer(Int64(found.lostBytes))])
        }
        if found.unreadable > 0 {
            log.error(
                "entries of the local journal cannot be read, and stay", ["entries": .integer(Int64(found.unreadable))])
        }
        if !found.entries.isEmpty {
            log.warning(
                "the local journal has what the database may lack", ["entries": .integer(Int64(found.entries.count))])
        }
        changes.raise()
    }

    private struct Found: Sendable {
        var files: [File] = []
        var entries: [JournalEntry] = []
        var lastNumber: UInt64 = 0
        var lostBytes = 0
        var unreadable = 0
    }

    private func readAll() throws(JournalFault) -> Found {
        try disk.open()
        var found = Found()
        for name in try disk.files().filter({ $0.hasSuffix(Self.suffix) }).sorted() {
            found.lastNumber = max(found.lastNumber, UInt64(name.dropLast(Self.suffix.count)) ?? 0)
            var file = File(name: name)
            let scan: JournalFrame.Scan
            do throws(JournalFault) {
                let bytes = try disk.read(name)
                file.bytes = bytes.count
                scan = JournalFrame.scan(bytes)
            } catch {
                log.error("a file of the local journal cannot be read", ["error": .string(error.description)])
                file.isUnreadable = true
                found.files.append(file)
                continue
            }
            found.lostBytes += scan.lostBytes
            for frame in scan.frames {
                found.lastNumber = max(found.lastNumber, frame.number)
                do {
                    let entry = try opened(frame)
                    file.open.insert(entry.id)
                    found.entries.append(entry)
                } catch {
                    file.isUnreadable = true
                    found.unreadable += 1
                }
            }
            found.files.append(file)
        }
        return found
    }

    private func opened(_ frame: JournalFrame) throws -> JournalEntry {
        try JSONDecoder().decode(
            JournalEntry.self, from: try cipher.open(frame.payload, at: Self.place(frame.number)))
    }

    /// A frame is good at its own number alone.
    private static func place(_ number: UInt64) -> FieldLocation {
        FieldLocation(column, row: JournalFrame.bytes(of: number))
    }

    // MARK: Adding

    /// Returns when the entries are on disk, after `Limits.waitMax` at the latest. What could not be written in time may be
    /// there all the same. On a loop.
    func add(_ entries: [JournalEntry]) async throws(JournalFault) {
        let tickets = try submit(entries)
        // A disk that hangs is waited for once, and then no more than a moment: emergency after emergency would wait.
        let isHanging = state.withLock { $0.isHanging }
        let deadline = Deadline.after(isHanging ? limits.waitMax / 10 : limits.waitMax)
        for ticket in tickets {
            do throws(JournalFault) { try await ticket.wait(until: deadline) } catch {
                if case .timedOut = error, !Task.isCancelled { state.withLock { $0.isHanging = $0.isWriting } }
                throw error
            }
        }
        changes.raise()
    }

    private func submit(_ entries: [JournalEntry]) throws(JournalFault) -> [JournalTicket] {
        guard let loop = EventLoop.current else { preconditionFailure("LocalJournal.add outside an event loop") }
        let (tickets, begins) = try state.withLock { state throws(JournalFault) in
            guard !state.isClosed, state.isOpen else { throw .closed }
            // What is on the disk, or on its way there, is not written again.
            let known = entries.compactMap { state.tickets[$0.id] }
            let entries = entries.filter { entry in
                state.tickets[entry.id] == nil
                    && state.incidents[entry.incident]?.entryIDs.contains(entry.id) != true
            }
            guard state.waiting.count + entries.count <= limits.waitingMax else { throw .full }
            let used = state.files.reduce(0) { $0 + $1.bytes } + state.waiting.reduce(0) { $0 + $1.frame.count }
            var writings: [Writing] = []
            for entry in entries {
                let number = state.nextNumber + UInt64(writings.count)
                writings.append(Writing(entry: entry, frame: try frame(entry, number), ticket: JournalTicket()))
            }
            let opens = entries.contains { if case .opened = $0.content { true } else { false } }
            let room = opens ? limits.bytesMax / 4 * 3 : limits.bytesMax
            guard used + writings.reduce(0, { $0 + $1.frame.count }) <= room else { throw .full }
            guard !writings.isEmpty else { return (known, false) }
            state.nextNumber += UInt64(writings.count)
            state.waiting += writings
            for writing in writings { state.tickets[writing.entry.id] = writing.ticket }
            defer { state.isWriting = true }
            return (known + writings.map(\.ticket), !state.isWriting)
        }
        if begins { _ = loop.task { [self] in await writeAll() } }
        return tickets
    }

    private func frame(_ entry: JournalEntry, _ number: UInt64) throws(JournalFault) -> [UInt8] {
        let plain: [UInt8]
        do throws(JSONError) { plain = try JSONEncoder().encode(entry) } catch { throw .entry(error.description) }
        let sealed = cipher.seal(plain, at: Self.place(number))
        guard sealed.count <= JournalFrame.payloadBytesMax else { throw .entry("an entry of \(sealed.count) bytes") }
        return JournalFrame(number: number, payload: sealed).bytes
    }

    /// Writes what waits, all of it with one wait for the disk, until nothing does.
    private func writeAll() async {
        while true {
            let (batch, name) = state.withLock { state -> ([Writing], String) in
                let batch = state.waiting
                state.waiting = []
                guard let first = batch.first else {
                    state.isWriting = false
                    return ([], "")
                }
                if !state.mayAppend || state.files.last.map({ $0.bytes >= limits.fileBytesMax }) ?? true {
                    // In the order of their names.
                    let number = JournalFrame.number(of: first.frame)
                    let digits = String(number)
                    let name = String(repeating: "0", count: max(0, 20 - digits.count)) + digits + Self.suffix
                    state.files.append(File(name: name))
                    state.mayAppend = true
                }
                return (batch, state.files[state.files.count - 1].name)
            }
            guard !batch.isEmpty else { return }
            let bytes = Array(batch.map(\.frame).joined())
            let outcome: Result<Void, JournalFault>
            do throws(IOError) {
                outcome = try await pool.run { [disk] in
                    Result { () throws(JournalFault) in try disk.append(bytes, to: name) }
                }
            } catch { outcome = .failure(.disk("\(error)")) }
            finish(batch, in: name, bytes.count, outcome)
        }
    }

    private func finish(_ batch: [Writing], in name: String, _ bytes: Int, _ outcome: Result<Void, JournalFault>) {
        state.withLock { state in
            state.isHanging = false
            for writing in batch { state.tickets[writing.entry.id] = nil }
            guard let index = state.files.lastIndex(where: { $0.name == name }) else { return }
            // After a failure some of it may be there.
            state.files[index].bytes += bytes
            guard case .success = outcome else { return state.mayAppend = false }
            for entry in batch.map(\.entry) {
                state.files[index].open.insert(entry.id)
                state.incidents[entry.incident, default: .init(entry.incident)].add(entry)
            }
        }
        for writing in batch { writing.ticket.end(outcome) }
        if case .failure(let fault) = outcome {
            log.error("the local journal cannot be written", ["error": .string(fault.description)])
        }
        tidy()
    }

    // MARK: Settling

    /// Incidents of which the database lacks something, in the order of their ids.
    var incidents: [JournalledIncident] {
        state.withLock { Array($0.incidents.values) }.sorted { $0.id < $1.id }
    }

    subscript(id: UUID) -> JournalledIncident? { state.withLock { $0.incidents[id] } }

    /// Those of these people that were opened here, in the order of their ids.
    func incidents(of accounts: Set<UUID>) -> [JournalledIncident] {
        let found = state.withLock { state in
            state.incidents.values.filter { $0.opening.map { accounts.contains($0.account) } ?? false }
        }
        return found.sorted { $0.id < $1.id }
    }

    /// Lets `body` decide by what is on disk of an incident, and the decisions that are on their way there; one after the other.
    /// Call `end` when the entry that it returns is written or not.
    func begin<R>(_ id: UUID, _ body: (JournalledIncident) -> (R, JournalEntry?)) -> (R, JournalEntry?) {
        state.withLock { state in
            var incident = state.incidents[id] ?? JournalledIncident(id)
            for entry in state.deciding[id] ?? [] { incident.add(entry) }
            let (result, entry) = body(incident)
            if let entry { state.deciding[id, default: []].append(entry) }
            return (result, entry)
        }
    }

    func end(_ decision: JournalEntry) {
        state.withLock { state in
            state.deciding[decision.incident]?.removeAll { $0.id == decision.id }
            if state.deciding[decision.incident]?.isEmpty == true { state.deciding[decision.incident] = nil }
        }
    }

    /// Entries that the database has not.
    var count: Int { state.withLock { $0.incidents.values.reduce(0) { $0 + $1.entryIDs.count } } }
    var bytes: Int { state.withLock { $0.files.reduce(0) { $0 + $1.bytes } } }

    /// Call when the database has these entries. A file goes with its last one. One that is being written just now comes
    /// afterwards, and is settled again.
    func settle(_ ids: [UUID], of incident: UUID) {
        guard !ids.isEmpty else { return }
        let settled = Set(ids)
        state.withLock { state in
            for index in state.files.indices { state.files[index].open.subtract(settled) }
            state.incidents[incident]?.remove(settled)
            if state.incidents[incident]?.isEmpty == true { state.incidents[incident] = nil }
        }
        tidy()
        changes.raise()
    }

    /// Removes the files that are not needed any more. One that cannot be removed is read again at the next start, which is
    /// no harm.
    private func tidy() {
        let names = state.withLock { state in
            let last = state.files.last?.name
            let done = state.files.filter {
                // The one that is being written to stays.
                $0.open.isEmpty && !$0.isUnreadable && !(state.isWriting && $0.name == last)
            }.map(\.name)
            state.files.removeAll { done.contains($0.name) }
            if let last, done.contains(last) { state.mayAppend = false }
            return done
        }
        guard !names.isEmpty else { return }
        _ = EventLoop.current?.task { [self] in
            try? await pool.run { [disk, log] in
                for name in names {
                    do throws(JournalFault) { try disk.remove(name) } catch {
                        log.warning("a file of the local journal stays", ["error": .string(error.description)])
                    }
                }
            }
        }
    }

    /// Writes nothing more.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for writing in waiting { writing.ticket.end(.failure(.closed)) }
        pool.shutdown()
        disk.close()
    }
}

/// Somebody who waits for the disk.
final class JournalTicket: Sendable {
    private let outcome = Mutex<Result<Void, JournalFault>?>(nil)
    private let ended = EventCounter()

    func end(_ outcome: Result<Void, JournalFault>) {
        self.outcome.withLock { $0 = outcome }
        ended.raise()
    }

    func wait(until deadline: Deadline) async throws(JournalFault) {
        _ = await ended.wait(after: 0, deadline: deadline)
        guard let outcome = outcome.withLock({ $0 }) else { throw .timedOut }
        try outcome.get()
    }
}
