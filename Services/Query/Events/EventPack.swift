import Domain
import JSON
import Postgres
import Primitives
import Security
import Service

/// Events with data of one request as a row of `event_pack` holds them: what is in them deflated and sealed together, with the
/// person's key. Their numbers and ids stand beside it, so that only a pack with an event that is wanted is opened.
enum EventPack {
    /// Events of a pack; so many are opened for one of them.
    static let countMax = 256
    /// Bytes of data in a pack before it is deflated, unless one event alone has more, …
    static let bytesMax = 256 * 1024
    /// … and those of an event that becomes one. Larger ones stay rows.
    static let eventBytesMax = 1024 * 1024
    /// No pack has numbers of two windows: these are of 2^18.
    static let windowBits: Int64 = 18
    /// The last number of a window is this one, or has these bits set.
    static let windowMask: Int64 = 1 << windowBits - 1
    /// From its first event to its last less than this passes.
    static let span = Duration.seconds(86_400)
    /// With fewer events and less data it would take as much room as rows.
    private static let (countMin, bytesMin) = (8, 16 * 1024)
    /// What JSON beside its data an event has, at most.
    private static let frameBytes = 512

    /// A row of `event` that may be packed.
    struct Entry: Sendable {
        let number: Int64
        let id: UUID
        let createdAt: Timestamp
        let kind: String
        let piece: Piece
    }

    /// What is sealed of an event.
    struct Piece: Codable, Sendable {
        let types: [Int16]
        /// Samples of each type.
        let counts: [Int32]
        let from: Timestamp
        let to: Timestamp
        let series: JSONRaw

        var measured: ClosedRange<Timestamp> { min(from, to)...max(from, to) }
        var samples: Int64 { counts.reduce(0) { $0 + Int64($1) } }
    }

    /// Which rows become packs, and up to which number all were looked at.
    struct Plan {
        private(set) var packs: [[Entry]] = []
        let lookedAt: Int64

        /// Of rows after the number `start`, in order, of which those that may be packed are `entries`, and `last` is the last. With
        /// `goesOn` there may be more for the last pack: then it is left for the next time.
        init(_ entries: [Entry], after start: Int64, last: Int64, goesOn: Bool) {
            var (open, bytes): ([Entry], Int) = ([], 0)
            var packs: [[Entry]] = []
            func close() {
                if open.count >= countMin || bytes >= bytesMin { packs.append(open) }
                (open, bytes) = ([], 0)
            }
            for entry in entries {
                let more = entry.piece.series.bytes.count
                if let first = open.first,
                    open.count == countMax || bytes + more > bytesMax || !entry.isBeside(first)
                {
                    close()
                }
                open.append(entry)
                bytes += more
            }
            if goesOn, let first = open.first, first.number - 1 > start {
                lookedAt = first.number - 1
            } else {
                close()
                lookedAt = last
            }
            self.packs = packs
        }
    }

    /// Seals what some events hold; `nil` when it cannot be deflated.
    static func seal(_ entries: [Entry], with key: SubjectKey) throws(JSONError) -> [UInt8]? {
        guard let first = entries.first, let deflated = Deflate.compress(try JSONEncoder().encode(entries.map(\.piece)))
        else { return nil }
        return key.seal(deflated, at: location(first.id))
    }

    /// What the events of a pack hold.
    static func open(_ sealed: [UInt8], ids: [UUID], with key: SubjectKey) throws -> [Piece] {
        guard let first = ids.first else { throw PostgresError.usage("a pack of no events") }
        let json = try Deflate.expand(
            try key.open(sealed, at: location(first)), bytesMax: max(bytesMax, eventBytesMax) + countMax * frameBytes)
        let pieces = try JSONDecoder().decode([Piece].self, from: json)
        guard pieces.count == ids.count else {
            throw PostgresError.usage("a pack does not have the events that it names")
        }
        return pieces
    }

    private static func location(_ first: UUID) -> FieldLocation {
        FieldLocation("query.event_pack.content", row: first)
    }
}

extension EventPack.Entry {
    /// Whether it may be in one pack with the first of it: made on the same day, in the same window of numbers.
    fileprivate func isBeside(_ first: EventPack.Entry) -> Bool {
        kind == first.kind && createdAt.dateUTC == first.createdAt.dateUTC
            && number >> EventPack.windowBits == first.number >> EventPack.windowBits
    }
}

extension UUID {
    /// When the event that is called so was made, to the millisecond (`UUID.timeOrdered`).
    var madeAt: Timestamp { Timestamp(milliseconds: Int64(high >> 16)) }

    /// Not after any that is made at this time or later.
    static func earliest(at time: Timestamp) -> UUID {
        UUID(high: (UInt64(clamping: time.milliseconds) & 0xffff_ffff_ffff) << 16, low: 0)
    }
}
