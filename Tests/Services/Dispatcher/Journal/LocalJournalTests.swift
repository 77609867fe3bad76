import Domain
import Primitives
import Reactor
import Security
import Service
import Synchronization
import Telemetry
import Testing

@testable import Dispatcher

/// The journal on disks that fail.
@Suite struct LocalJournalTests {
    private let cipher: FieldCipher
    private let sink = MemoryLogSink()

    init() throws {
        cipher = FieldCipher(try ServiceKeys.random().fields)
    }

    /// Runs `body` on a loop with a journal that is open.
    private func with<R: Sendable>(
        _ disk: MemoryDisk = MemoryDisk(), limits: LocalJournal.Limits = .init(),
        _ body: @escaping @Sendable (LocalJournal) async throws -> R
    ) async throws -> R {
        try await EventLoopGroup.withLoops(1) { _ in
            let journal = try LocalJournal(
                disk, cipher: cipher, limits: limits, log: Log(service: "dispatcher", level: .debug, sink: sink))
            try await journal.open()
            let outcome: Result<R, any Error>
            do { outcome = .success(try await body(journal)) } catch { outcome = .failure(error) }
            disk.hang(false)
            journal.close()
            return try outcome.get()
        }
    }

    private static func entry(_ event: IncidentEvent = .calledOff, of incident: UUID = watch) -> JournalEntry {
        JournalEntry(event, of: incident, at: time(1))
    }

    /// What a process that starts finds.
    private func found(_ files: [String: [UInt8]]) async throws -> [JournalledIncident] {
        try await with(MemoryDisk(files)) { $0.incidents }
    }

    @Test(
        "SOS-07a: what was added is there after a crash, in its order and sealed; what is settled is gone from the disk"
    )
    func survives() async throws {
        let disk = MemoryDisk()
        let entries = [
            Self.entry(.handOverBegun("north")), Self.entry(.accepted("north")), Self.entry(.calledOff, of: phone),
        ]
        try await with(disk) { journal in
            try await journal.add(entries)
            #expect(journal.count == 3 && journal.bytes > 0)
        }
        let found = try await found(disk.contents)
        #expect(found.first { $0.id == watch }?.events.map(\.event) == [.handOverBegun("north"), .accepted("north")])
        #expect(found.first { $0.id == phone }?.events.map(\.event) == [.calledOff])
        let text = disk.contents.values.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(!text.contains("north") && !text.contains("called_off"))
        try await with(disk) { journal in
            journal.settle(entries.map(\.id), of: watch)
            #expect(journal[watch] == nil && journal[phone] != nil && !disk.contents.isEmpty)
            journal.settle([entries[2].id], of: phone)
            #expect(journal.count == 0 && journal.bytes == 0)
            // Removing waits for the disk's thread, as whatever comes after it does.
            try await journal.add([Self.entry()])
            #expect(disk.contents.count == 1)
        }
    }

    @Test(
        "SOS-07a: torn off at any byte, every entry that was written before is found by the next process, which goes on"
    )
    func torn() async throws {
        let disk = MemoryDisk()
        let entries = (0..<3).map { _ in Self.entry(of: .random()) }
        try await with(disk) { journal in for entry in entries { try await journal.add([entry]) } }
        let (name, bytes) = try #require(disk.contents.first)
        let ends = JournalFrame.scan(bytes).frames.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) }
        #expect(ends.count == 4)
        for length in stride(from: 0, through: bytes.count, by: 7) {
            let torn = MemoryDisk([name: Array(bytes.prefix(length))])
            let whole = ends.dropFirst().count { $0 <= length }
            let next = Self.entry()
            try await with(torn) { journal in
                #expect(Set(journal.incidents.map(\.id)) == Set(entries.prefix(whole).map(\.incident)))
                try await journal.add([next])
            }
            // Not behind the torn end.
            #expect(torn.contents.count == 2)
            #expect(try await found(torn.contents).contains { $0.id == next.incident })
        }
    }

    @Test("SOS-07a: an entry that the disk has altered, or that lies in another's place, is left out; its file stays")
    func altered() async throws {
        let disk = MemoryDisk()
        try await with(disk) { journal in try await journal.add([Self.entry(), Self.entry(of: phone)]) }
        let (name, bytes) = try #require(disk.contents.first)
        let frames = JournalFrame.scan(bytes).frames
        #expect(frames.count == 2)
        let moved = JournalFrame(number: frames[0].number, payload: frames[1].payload)
        let other = MemoryDisk([name: frames[0].bytes + moved.bytes])
        try await with(other) { journal in
            #expect(journal.incidents.map(\.id) == [watch])
            journal.settle(journal.incidents[0].entryIDs, of: watch)
            try await journal.add([Self.entry()])
        }
        #expect(other.contents[name] != nil)
        #expect(sink.has("entries of the local journal cannot be read, and stay"))
    }

    @Test("SOS-07a: a full disk is an error at once, and nothing is lost or mixed up once there is room again")
    func full() async throws {
        for room in stride(from: 0, through: 200, by: 13) {
            let disk = MemoryDisk()
            let (refused, later) = (Self.entry(of: phone), Self.entry())
            disk.state.withLock { $0.room = room }
            try await with(disk) { journal in
                await #expect(throws: JournalFault.disk("no space left on device")) { try await journal.add([refused]) }
                #expect(journal[phone] == nil)
                disk.state.withLock { $0.room = .max }
                try await journal.add([later])
                #expect(journal[watch]?.events.map(\.id) == [later.id])
            }
            #expect(try await found(disk.contents).map(\.id) == [watch])
        }
    }

    @Test("SOS-07a: a disk that hangs makes nobody wait for long; what it writes afterwards counts once")
    func hangs() async throws {
        let disk = MemoryDisk()
        var limits = LocalJournal.Limits()
        limits.waitMax = .milliseconds(300)
        let (entry, later) = (Self.entry(), Self.entry(of: phone))
        try await with(disk, limits: limits) { journal in
            disk.hang(true)
            let began = Deadline.now()
            // Once for all that is to be written.
            for _ in 0..<20 { await #expect(throws: JournalFault.timedOut) { try await journal.add([entry]) } }
            #expect(Deadline.now().since(began) < .seconds(5))
            disk.hang(false)
            // Written behind the others, once it has come so far.
            while journal[phone] == nil {
                do { try await journal.add([later]) } catch JournalFault.timedOut {}
            }
            #expect(journal[watch]?.events.map(\.id) == [entry.id])
        }
        #expect(try await found(disk.contents).first { $0.id == watch }?.events.count == 1)
    }

    @Test("SOS-07a: it is bounded; the last quarter is kept for what is said of incidents that are open")
    func bounded() async throws {
        var limits = LocalJournal.Limits()
        limits.bytesMax = 40_000
        try await with(limits: limits) { journal in
            await #expect(throws: JournalFault.full) {
                for _ in 0..<1000 {
                    try await journal.add(JournalledIncident(.test(), events: [.handOverBegun("north")]).entries)
                }
            }
            #expect(journal.incidents.count > 10 && journal.bytes <= 30_000)
            try await journal.add([Self.entry(.accepted("north"))])
            await #expect(throws: JournalFault.full) {
                for _ in 0..<1000 { try await journal.add([Self.entry(.accepted("north"))]) }
            }
            #expect(journal.bytes <= 40_000)
        }
    }

    @Test("SOS-07a: many at the same time share one wait for the disk, and files are no larger than they may be")
    func together() async throws {
        let disk = MemoryDisk()
        var limits = LocalJournal.Limits()
        limits.fileBytesMax = 2000
        try await with(disk, limits: limits) { journal in
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 {
                    group.addTask { (try? await journal.add([Self.entry(of: .random())])) != nil }
                }
                for await isWritten in group { #expect(isWritten) }
            }
            #expect(disk.appends < 50 && journal.count == 100)
            for _ in 0..<20 { try await journal.add([Self.entry()]) }
            #expect(disk.contents.count > 1)
        }
        #expect(try await found(disk.contents).reduce(0) { $0 + $1.events.count } == 120)
    }

    @Test("SOS-07a: a directory that another process has is not written to")
    func taken() async throws {
        try await EventLoopGroup.withLoops(1) { _ in
            let disk = MemoryDisk()
            disk.state.withLock { $0.isTaken = true }
            let journal = try LocalJournal(disk, cipher: cipher, log: Log(service: "dispatcher", sink: sink))
            await #expect(throws: JournalFault.taken) { try await journal.open() }
            await #expect(throws: JournalFault.closed) { try await journal.add([Self.entry()]) }
            disk.state.withLock { $0.isTaken = false }
            try await journal.open()
            try await journal.add([Self.entry()])
            journal.close()
        }
    }

    @Test(
        "SOS-07c: of an incident that this process does not deliver the first acceptance on disk counts, also when both come at once"
    )
    func decisions() async throws {
        let disk = MemoryDisk()
        try await with(disk) { journal in
            let verdicts = try await withThrowingTaskGroup(of: IncidentVerdict.self) { group in
                for hook in ["north", "south"] {
                    group.addTask { try await journal.decide(.accepted(hook), of: watch, at: time(5)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(verdicts.count { $0 == .done } == 1 && verdicts.count { $0 == .acceptedByAnother } == 1)
            let winner = try #require(journal[watch]?.incident.acceptedBy)
            #expect(try await journal.decide(.accepted(winner), of: watch, at: time(6)) == .repeated)
            #expect(try await journal.decide(.resolved("east"), of: watch, at: time(7)) == .acceptedByAnother)
            #expect(try await journal.decide(.resolved(winner), of: watch, at: time(8)) == .done)
            // That is not told where only the database knows who was first.
            let call = Incident.CallBack(id: "x", sentAt: time(9))
            let count = journal[watch]?.events.count
            _ = try await journal.decide(.accepted("east", call), of: watch, at: time(9))
            #expect(journal[watch]?.events.count == count)
        }
    }

    @Test("SOS-13: a service that hands back what is over here is remembered: it may go on on the other side")
    func rejectedAfterEnd() async throws {
        let disk = MemoryDisk()
        try await with(disk) { journal in
            for (second, event, verdict) in [
                (5.0, IncidentEvent.accepted("north"), IncidentVerdict.done), (6, .calledOff, .done),
                (7, .rejected("north"), .closed),
            ] {
                let given = try await journal.decide(event, of: watch, at: time(second))
                #expect(given == verdict)
            }
            #expect(journal[watch]?.events.last?.event == .rejected("north"))
        }
    }

    @Test("SOS-13a: a decision that the disk does not take is not answered as taken; sent again it is")
    func decisionNotWritten() async throws {
        let disk = MemoryDisk()
        try await with(disk) { journal in
            disk.state.withLock { $0.room = 10 }
            await #expect(throws: JournalFault.self) { () async throws in
                try await journal.decide(.accepted("north"), of: watch, at: time(5))
            }
            #expect(journal[watch] == nil)
            disk.state.withLock { $0.room = .max }
            let verdict = try await journal.decide(.accepted("north"), of: watch, at: time(6))
            #expect(verdict == .done)
        }
    }
}

extension IncidentRecord {
    /// A new one of somebody, with one finding.
    static func test(_ account: UUID = .random(), openedAt: Timestamp = start) -> IncidentRecord {
        let details = IncidentDetails(
            findings: [], fixes: [], vitals: [],
            enrolment: EnrolmentDetails(
                birthDate: TestDispatcher.birthDate, callbackPhone: .init("+390212345678")!, contacts: [],
                conditions: [], medication: [], languages: ["it"], addressNotes: nil, abortWindowSeconds: 0),
            person: nil, supersedes: nil)
        return IncidentRecord(
            id: .random(), account: account, openedAt: openedAt, incident: Incident(), details: details)
    }
}
