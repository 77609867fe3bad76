import Contracts
import Domain
import Primitives
import Security

/// The computing of sealing: no database, for worker threads.
struct SealWork: Sendable {
    let account: UUID
    let key: SubjectKey
    /// Of table `person`, where a person's zone is, for samples whose device did not tell one …
    var details: [UInt8]?
    /// … or the zone, where it is known already.
    var zone: TimeZoneRules?

    /// What sealing made of some arrivals.
    struct Outcome: Sendable {
        /// Of days and types that had none.
        var new: [BlockStore.Block] = []
        /// In the place of those that are there.
        var changed: [BlockStore.Block] = []
        /// Samples that found no place: in hours that are known already of days whose samples had to go, or beyond what a block
        /// holds.
        var dropped = 0
        /// How many bytes more the person's blocks have.
        var bytes = BlockBytes()
    }

    /// The samples of arrivals by type and UTC day, and of how many arrivals they are: of as many as hold `samplesMax` samples,
    /// of one at least. Sealed bytes tell nothing about that: equal values take none. Errors: `SecurityError`, `SampleCodecError`.
    func split(
        _ arrivals: [StoredArrival], types: Int64 = .max, samplesMax: Int
    ) throws -> (samples: [BlockSamples], arrivals: Int) {
        let zone = try zoneRules()
        var split = DaySplit { zone.minutes(at: $0) }
        var (samples, taken) = (0, 0)
        for arrival in arrivals {
            var batch = try arrival.samples(of: account, key)
            if types != .max { batch.keep(types) }
            samples += batch.count
            guard taken == 0 || samples <= samplesMax else { break }
            split.add(batch, from: arrival.source, arrival: arrival.arrival)
            taken += 1
        }
        return (split.take(), taken)
    }

    /// The samples of one arrival by type and UTC day.
    func split(_ batch: SampleBatch, from source: Int16, arrival: Int64) throws -> [BlockSamples] {
        let zone = try zoneRules()
        var split = DaySplit { zone.minutes(at: $0) }
        split.add(batch, from: source, arrival: arrival)
        return split.take()
    }

    /// Those of the arrivals that hold the newest sample of a data type.
    func withNewest(_ arrivals: [StoredArrival]) throws -> [StoredArrival] {
        var newest: [DataType: (time: Int64, index: Int)] = [:]
        for (index, arrival) in arrivals.enumerated() {
            for (type, time) in try arrival.samples(of: account, key).newestTimes
            where time >= newest[type]?.time ?? .min { newest[type] = (time, index) }
        }
        return Set(newest.values.map(\.index)).sorted().map { arrivals[$0] }
    }

    /// The person's own zone; UTC until accounts has told it.
    private func zoneRules() throws -> TimeZoneRules {
        if let zone { return zone }
        guard let details else { return .utc }
        return try Accounts.PersonDetails(opening: details, with: key, of: account).zoneRules
    }

    /// With what arrived since, as far as there is room for it.
    func open(_ key: BlockKey, _ samples: [UInt8], with late: BlockSamples? = nil) throws -> BlockSamples {
        let opened = try self.key.open(samples, at: SealedLocation.block(key.type, key.day, of: account))
        var block = try BlockCodec.decode(opened, type: key.type, day: key.day)
        if let late { _ = block.merge(late) }
        return block
    }

    /// `nil` when its last sample begins at `time` or before.
    func open(_ key: BlockKey, _ samples: [UInt8], ifLaterThan time: Int64) throws -> BlockSamples? {
        let opened = try self.key.open(samples, at: SealedLocation.block(key.type, key.day, of: account))
        guard try BlockCodec.lastTime(opened, day: key.day) > time else { return nil }
        return try BlockCodec.decode(opened, type: key.type, day: key.day)
    }

    func openSummary(_ key: BlockKey, _ summary: [UInt8]) throws -> DaySummary {
        let opened = try self.key.open(summary, at: SealedLocation.summary(key.type, key.day, of: account))
        return try SummaryCodec.decode(opened, type: key.type, day: key.day)
    }

    /// The day's summary and samples.
    func sealed(_ block: BlockSamples) -> (summary: [UInt8], samples: [UInt8]) {
        (
            sealed(DaySummary(block)),
            key.seal(BlockCodec.encode(block), at: SealedLocation.block(block.type, block.day, of: account))
        )
    }

    func sealed(_ summary: DaySummary) -> [UInt8] {
        key.seal(SummaryCodec.encode(summary), at: SealedLocation.summary(summary.type, summary.day, of: account))
    }

    /// The blocks that have to be stored after samples were added to those that are there.
    func merged(_ new: [BlockSamples], into stored: [BlockStore.Row]) throws -> Outcome {
        let known = Dictionary(uniqueKeysWithValues: stored.map { ($0.key, $0) })
        var outcome = Outcome()
        for samples in new {
            let place = BlockKey(type: samples.type, day: samples.day)
            var block = BlockSamples(type: place.type, day: place.day)
            if let row = known[place] {
                guard let bytes = row.samples else {
                    try fill(row, from: samples, &outcome)
                    continue
                }
                block = try open(place, bytes)
                outcome.bytes -= BlockBytes(samples: Int64(bytes.count), summaries: Int64(row.summaryBytes))
            }
            outcome.dropped += block.merge(samples)
            let (summary, sealed) = sealed(block)
            let stored = BlockStore.Block(
                key: place, lastArrival: block.lastArrival, summary: summary, samples: sealed)
            outcome.bytes += stored.bytes
            if known[place] == nil { outcome.new.append(stored) } else { outcome.changed.append(stored) }
        }
        return outcome
    }

    /// Adds to the summary of a block whose samples had to go.
    private func fill(_ row: BlockStore.Row, from late: BlockSamples, _ outcome: inout Outcome) throws {
        guard let stored = row.summary else { return }
        var summary = try openSummary(row.key, stored)
        let known = summary
        outcome.dropped += summary.fill(from: late)
        guard summary != known else { return }
        let block = BlockStore.Block(
            key: row.key, lastArrival: late.lastArrival, summary: sealed(summary), samples: nil)
        outcome.bytes += block.bytes
        outcome.bytes -= BlockBytes(summaries: Int64(row.summaryBytes))
        outcome.changed.append(block)
    }
}
