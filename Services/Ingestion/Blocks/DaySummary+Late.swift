import Domain
import Primitives

/// What comes for a day whose samples had to go (ING-10). Repeats cannot be told from what is new any more, so that hours in which a
/// source has something stay as they are; what it sends of other hours is new.
extension DaySummary {
    /// Those of late samples of the day whose source has nothing in the hour to which they belong.
    func news(in late: BlockSamples) -> BlockSamples {
        var known = Dictionary(uniqueKeysWithValues: sources.map { ($0.source, Set($0.hours.map(\.hour))) })
        let found = late.sources.compactMap { samples -> SourceSamples? in
            if known[samples.source] == nil {
                guard known.count < BlockSamples.sourcesMax else { return nil }
                known[samples.source] = []
            }
            let hours = known[samples.source] ?? []
            let new = samples.filtered { !hours.contains(hour(of: $0, samples)) }
            return new.count > 0 ? new : nil
        }
        return BlockSamples(type: type, day: day, sources: found)
    }

    /// Adds these hours. Returns how many samples belong to others. `late` is normalized.
    mutating func fill(from late: BlockSamples) -> Int {
        let new = news(in: late)
        for source in DaySummary(new).sources {
            let place = sources.firstIndex { $0.source >= source.source } ?? sources.count
            if place < sources.count, sources[place].source == source.source {
                sources[place].fill(from: source, on: day)
            } else {
                sources.insert(source, at: place)
            }
        }
        return late.count - new.count
    }

    /// The hour to which a sample belongs, since the beginning of the day.
    private func hour(of index: Int, _ samples: SourceSamples) -> Int {
        let end = type == .sleep ? samples.values.duration(index) : 0
        let number = LocalTime.hour(of: samples.times[index] &+ end, zone: samples.zones[index])
        return number - Int(day.daysSinceEpoch) * 24
    }
}

extension DaySummary.Source {
    fileprivate mutating func fill(from late: DaySummary.Source, on day: CalendarDate) {
        let spreads = Set((self.spreads + late.spreads).map(\.day)).sorted().map { spread(of: $0, with: late, on: day) }
        let known = Set(hours.map(\.hour))
        hours = (hours + late.hours.filter { !known.contains($0.hour) }).sorted { $0.hour < $1.hour }
        self.spreads = spreads
    }

    /// How the readings of a local day are spread, here and in another part of the block's day. From two sets of percentiles
    /// follow those of all readings nearly.
    private func spread(
        of local: CalendarDate, with other: DaySummary.Source, on day: CalendarDate
    ) -> DaySummary.Spread {
        let parts = [self, other].map { source in
            (
                quantiles: source.spreads.first { $0.day == local }?.quantiles ?? [],
                count: source.hours.reduce(0) { $0 + ($1.localDay(on: day) == local ? $1.values.count : 0) }
            )
        }
        let all = parts.flatMap(\.quantiles).sorted()
        guard all.count > DaySummary.quantilesMax else { return .init(day: local, quantiles: all) }
        var spread = ValueSpread()
        for part in parts { spread.add(part.quantiles, count: part.count) }
        let last = DaySummary.quantilesMax - 1
        let quantiles = spread.quantiles((0...last).map { Double($0) / Double(last) })
        return .init(day: local, quantiles: quantiles.map { Int64($0.rounded()) })
    }
}
