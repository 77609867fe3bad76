/// The course of a load that goes on, in pieces of the same length, one after the other: whether the service's memory and latency
/// stay flat.
public struct SoakCourse: Sendable {
    public struct Piece: Sendable {
        /// Memory of the service after it.
        let megabytes: Double
        /// Of its requests.
        let p99Milliseconds: Double

        public init(_ result: LoadResult, _ memory: ProcessMemory) {
            self.init(megabytes: memory.now, p99Milliseconds: result.latency.percentile(0.99) / 1000)
        }

        init(megabytes: Double, p99Milliseconds: Double) {
            (self.megabytes, self.p99Milliseconds) = (megabytes, p99Milliseconds)
        }
    }

    private let pieces: [Piece]
    private var third: Int { pieces.count / 3 }

    /// - `pieces`: three at least.
    public init(_ pieces: [Piece]) {
        precondition(pieces.count >= 3, "a course too short for thirds")
        self.pieces = pieces
    }

    /// In MB: in the first third the service warms up.
    public var memoryAfterFirstThird: Double { pieces[third].megabytes }
    public var memoryAtEnd: Double { pieces[pieces.count - 1].megabytes }

    /// In milliseconds.
    public var p99OfFirstThird: Double { Self.p99(pieces.prefix(third)) }
    public var p99OfLastThird: Double { Self.p99(pieces.suffix(third)) }

    /// Of the piece in the middle: one in which the host was busy tells about the host.
    private static func p99(_ pieces: some Sequence<Piece>) -> Double {
        let each = pieces.map(\.p99Milliseconds).sorted()
        return each[each.count / 2]
    }
}
