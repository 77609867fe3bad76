import Domain
import Postgres
import Primitives
import Security

/// The computing of a deletion: no database, for worker threads.
struct DeletionWork: Sendable {
    let cut: SpanCut
    let work: SealWork

    struct Arrival: Sendable {
        let number: Int64
        let sealed: [UInt8]
    }

    /// What becomes of some blocks.
    struct Outcome: Sendable {
        var gone: [BlockKey] = []
        var changed: [BlockStore.Block] = []
        /// How many bytes fewer they have.
        var bytes = BlockBytes()
    }

    func blocks(_ blocks: [BlockStore.Block]) throws -> Outcome {
        var outcome = Outcome()
        for block in blocks {
            var rest = block
            if let sealed = block.samples {
                let samples = try work.open(block.key, sealed)
                let left = cut.rest(of: samples)
                guard left.count < samples.count else { continue }
                (rest.summary, rest.samples) = work.sealed(left)
                rest.lastArrival = left.lastArrival
                if left.isEmpty { outcome.gone.append(block.key) } else { outcome.changed.append(rest) }
                outcome.bytes += block.bytes
                if !left.isEmpty { outcome.bytes -= rest.bytes }
            } else {
                let summary = try work.openSummary(block.key, block.summary)
                let left = cut.rest(of: summary)
                guard left != summary else { continue }
                rest.summary = work.sealed(left)
                if left.sources.isEmpty { outcome.gone.append(block.key) } else { outcome.changed.append(rest) }
                outcome.bytes += block.bytes
                if !left.sources.isEmpty { outcome.bytes -= rest.bytes }
            }
        }
        return outcome
    }

    /// Those that change.
    func arrivals(_ arrivals: [StoredArrival]) throws -> [Arrival] {
        try arrivals.compactMap { arrival in
            let content = try arrival.content(of: work.account, work.key)
            let left = cut.rest(of: content.batch)
            guard left.count < content.batch.count else { return nil }
            let rest = ArrivalContent(
                receivedAt: content.receivedAt, sentAt: content.sentAt, batch: left, mayRepeat: content.mayRepeat)
            return Arrival(
                number: arrival.arrival,
                sealed: work.key.seal(rest.encoded, at: SealedLocation.arrival(arrival.arrival, of: work.account)))
        }
    }

    /// A mask of the types that arrivals have.
    func types(in arrivals: [StoredArrival]) throws -> Int64 {
        try arrivals.reduce(0) { try $0 | $1.samples(of: work.account, work.key).types }
    }
}
