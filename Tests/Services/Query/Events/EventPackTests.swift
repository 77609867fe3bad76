import JSON
import Primitives
import Security
import Testing

@testable import Query

/// Which events become packs, and what is sealed of them.
@Suite struct EventPackTests {
    private static let start = Timestamp("2025-07-01T12:00:00Z")!

    private func entry(
        _ number: Int64, at time: Timestamp = start, kind: String = "data.samples", bytes: Int = 100
    ) throws -> EventPack.Entry {
        let series = try JSONRaw(encoding: String(repeating: "x", count: bytes - 2))
        return EventPack.Entry(
            number: number, id: .timeOrdered(at: time), createdAt: time, kind: kind,
            piece: EventPack.Piece(types: [2], counts: [3], from: time, to: time + .seconds(1), series: series))
    }

    private func plan(
        _ entries: [EventPack.Entry], last: Int64? = nil, goesOn: Bool = false
    ) -> (packs: [[Int64]], lookedAt: Int64) {
        let plan = EventPack.Plan(entries, after: 0, last: last ?? entries.last?.number ?? 0, goesOn: goesOn)
        return (plan.packs.map { $0.map(\.number) }, plan.lookedAt)
    }

    @Test("SUB-02a: A pack has a limited number of events and of bytes, of one day, one kind and one window of numbers")
    func limits() throws {
        let many = try (1...600).map { try entry(Int64($0)) }
        #expect(plan(many).packs.map(\.count) == [256, 256, 88])
        let large = try (1...30).map { try entry(Int64($0), bytes: 50_000) }
        #expect(plan(large).packs.map(\.count) == [5, 5, 5, 5, 5, 5])
        let one = try [entry(1, bytes: 400_000), entry(2, bytes: 400_000)]
        #expect(plan(one).packs == [[1], [2]])
        let midnight = Timestamp("2025-07-02T00:00:00Z")!
        let days = try (1...20).map { try entry(Int64($0), at: midnight + .seconds(Int64($0) - 11)) }
        #expect(plan(days).packs == [Array(1...10), Array(11...20)])
        let kinds = try (1...20).map { try entry(Int64($0), kind: $0 > 9 ? "data.sums" : "data.samples") }
        #expect(plan(kinds).packs == [Array(1...9), Array(10...20)])
        let border: Int64 = 1 << 18
        let windows = try (border - 8..<border + 8).map { try entry($0) }
        #expect(plan(windows).packs == [Array(border - 8..<border), Array(border..<border + 8)])
    }

    @Test("SUB-02a: What a pack would not make smaller stays, and what goes on is left for the next time")
    func remainder() throws {
        let few = try (1...7).map { try entry(Int64($0)) }
        #expect(plan(few, last: 9).packs.isEmpty && plan(few, last: 9).lookedAt == 9)
        let open = try (1...300).map { try entry(Int64($0)) }
        let first = plan(open, goesOn: true)
        #expect(first.packs == [Array(1...256)] && first.lookedAt == 256)
        // Nothing but the one that is open: it is closed, so that it goes on at all.
        let stuck = plan(try (1...10).map { try entry(Int64($0)) }, last: 1000, goesOn: true)
        #expect(stuck.packs == [Array(1...10)] && stuck.lookedAt == 1000)
        #expect(plan([], last: 5).lookedAt == 5 && plan([], last: 5, goesOn: true).lookedAt == 5)
    }

    @Test("NFR-05d: A pack is sealed to its first event with the person's key, and is opened as it was")
    func sealing() throws {
        let entries = try (1...20).map { try entry(Int64($0), at: Self.start + .seconds(Int64($0))) }
        let (key, ids) = (SubjectKey.random(), entries.map(\.id))
        let sealed = try #require(try EventPack.seal(entries, with: key))
        #expect(sealed.count < 1000)
        let pieces = try EventPack.open(sealed, ids: ids, with: key)
        #expect(pieces.map(\.series) == entries.map(\.piece.series))
        #expect(
            pieces.map(\.from) == entries.map(\.createdAt) && pieces.allSatisfy { $0.samples == 3 && $0.types == [2] })
        #expect(throws: SecurityError.self) { try EventPack.open(sealed, ids: ids, with: .random()) }
        #expect(throws: SecurityError.self) { try EventPack.open(sealed, ids: ids.reversed(), with: key) }
        #expect(throws: (any Error).self) { try EventPack.open(sealed, ids: Array(ids.dropLast()), with: key) }
    }

    @Test(
        "SUB-02a: An id tells when its event was made, and those of later events do not come before the earliest of their time"
    )
    func ids() {
        for milliseconds: Int64 in [0, 1, 1_751_371_200_123] {
            let time = Timestamp(milliseconds: milliseconds)
            let id = UUID.timeOrdered(at: time)
            #expect(id.madeAt == time)
            #expect(UUID.earliest(at: time) <= id && id < UUID.earliest(at: time + .milliseconds(1)))
        }
    }
}
