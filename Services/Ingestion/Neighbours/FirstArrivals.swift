import Domain
import Primitives

/// Of arrivals that may repeat what came before (`ArrivalContent.mayRepeat`) the samples that came with them first: a device
/// that sends what it kept once more, or a file that is imported again with more in it, is delivered once (REQ-07). Blocks keep
/// of exact repeats only the first, too, so that readers get the same whether it is sealed by then or not.
struct FirstArrivals: Sendable {
    let samples: PersonSamples

    /// Samples of one arrival.
    struct Piece: Sendable {
        let arrival: Int64
        let piece: BlockPass.Piece
    }

    /// Those of some data types (a mask) that begin from `from` to before `to` (milliseconds since 1970).
    func pieces(
        of arrivals: [StoredArrival], _ account: UUID, types: Int64, from: Int64, to: Int64
    ) async throws -> [Piece] {
        guard !arrivals.isEmpty else { return [] }
        let numbers = Set(arrivals.map(\.arrival))
        return try await samples.merged(arrivals, of: account, types: types) { block in
            block.sources.flatMap { Self.pieces($0, of: numbers, from: from, to: to) }
        }.flatMap(\.self)
    }

    private static func pieces(
        _ source: SourceSamples, of numbers: Set<Int64>, from: Int64, to: Int64
    ) -> [Piece] {
        let found = source.filtered { numbers.contains(source.arrivals[$0]) }
        return Set(found.arrivals).map { number in
            let own = found.filtered { found.arrivals[$0] == number }
            return Piece(
                arrival: number, piece: BlockPass.Piece(source: source.source, batch: own.batch.between(from, to)))
        }
    }
}
