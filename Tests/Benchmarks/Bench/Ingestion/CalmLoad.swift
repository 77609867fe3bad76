import LoadGenerator

/// A load at fixed times, in pieces of a second. A piece does not count when the machine's host gave more than a twentieth of both
/// cores to others meanwhile: its latencies tell about the host, and one such second in a hundred is all that p99 sees.
struct CalmLoad: Sendable {
    private static let stolenMax = 0.05
    private static let pieceSeconds = 1.0
    /// Of so many pieces one has to count.
    private static let piecesEach = 6

    private let rate: Double
    private var calm: [LoadFigures] = []
    /// Of all pieces.
    private(set) var uploads = 0
    /// Uploads for which no connection was free in their second.
    private(set) var unsent = 0
    private(set) var processorSeconds = 0.0
    private(set) var pieces = 0

    init(rate: Double) {
        self.rate = rate
    }

    var figures: LoadFigures { LoadFigures(calm) }
    var text: String { "\(figures.text); \(calm.count) of \(pieces) s count, undisturbed by the host" }

    /// Runs one piece more. Returns whether it counts.
    @discardableResult
    mutating func run(_ runner: LoadRunner, _ bed: LoadBed) throws -> Bool {
        let piece = try bed.measured(runner, .open(rate: rate), for: .seconds(Self.pieceSeconds))
        pieces += 1
        uploads += piece.result.good
        unsent += piece.result.unsent
        processorSeconds += (piece.ingestion + piece.postgres) * Double(piece.result.good) / 1e6
        let isCalm = piece.stolenShare <= Self.stolenMax
        if isCalm { calm.append(piece) }
        return isCalm
    }

    /// Runs until so many seconds count; `told` hears after each piece whether it does.
    mutating func run(_ runner: LoadRunner, _ bed: LoadBed, seconds: Int, told: (Bool) -> Void = { _ in }) throws {
        while calm.count < seconds {
            guard pieces < seconds * Self.piecesEach else {
                throw BenchError.failed(
                    "the host disturbed \(pieces - calm.count) of \(pieces) s: nothing can be measured")
            }
            told(try run(runner, bed))
        }
    }
}

extension LoadFigures {
    /// Several together.
    init(_ pieces: [LoadFigures]) {
        let result = LoadResult(pieces.map(\.result))
        func share(_ value: KeyPath<LoadFigures, Double>) -> Double {
            pieces.reduce(0) { $0 + $1[keyPath: value] * $1.result.seconds }
                / max(result.seconds, .leastNonzeroMagnitude)
        }
        func each(_ value: KeyPath<LoadFigures, Double>) -> Double {
            pieces.reduce(0) { $0 + $1[keyPath: value] * Double($1.result.good) } / Double(max(result.good, 1))
        }
        self.init(
            result: result, ingestion: each(\.ingestion), postgres: each(\.postgres), generator: each(\.generator),
            idleShare: share(\.idleShare), stolenShare: share(\.stolenShare))
    }
}
