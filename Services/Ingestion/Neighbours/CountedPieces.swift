import Domain
import Primitives

/// Of samples that are about to be delivered those that count (ACC-14): of each hour (of sleep: of each local day) those of
/// the source that the person prefers among those with values in it, as in every view. Judged by what is stored when they are
/// read: what was delivered of another source before the preferred one's samples came stays delivered.
struct CountedPieces: Sendable {
    let contexts: PersonContexts
    let samples: PersonSamples

    /// For each hour (of sleep: local day) since 1970 the source that counts.
    private typealias Chosen = [Int: Int16]

    /// Only samples of a source that is not the person's first one cost more than looking that up, unless that is `known`.
    /// Errors: `PersonSamples.TooMuch` beside the database's and the keys'.
    func batches(
        _ pieces: [BlockPass.Piece], of account: UUID, _ known: PersonContext? = nil
    ) async throws -> [SampleBatch] {
        guard !pieces.isEmpty else { return [] }
        let person: PersonContext
        if let known { person = known } else { person = try await contexts.context(of: account) }
        let doubtful = Self.doubtful(pieces, person)
        guard !doubtful.isEmpty else { return pieces.map(\.batch) }
        var chosen: [DataType: Chosen] = [:]
        for (type, days) in doubtful {
            let summaries = try await samples.summaries(of: account, type, days: CountedDay.blockDays(of: days), person)
            chosen[type] = Self.chosen(type, summaries, person.order(of: type))
        }
        let found = chosen
        return try await samples.threads.computing { pieces.map { Self.counted($0, person, found) } }
    }

    /// The data types and UTC days of samples whose source is not the first.
    private static func doubtful(
        _ pieces: [BlockPass.Piece], _ person: PersonContext
    ) -> [DataType: ClosedRange<CalendarDate>] {
        var result: [DataType: ClosedRange<CalendarDate>] = [:]
        func add(_ column: some SampleColumn, _ type: DataType, of source: Int16) {
            guard let first = column.times.first, let last = column.times.last, !person.isFirst(source, of: type) else {
                return
            }
            let days = PersonSamples.days(
                of: type.bit, from: Timestamp(milliseconds: first), to: Timestamp(milliseconds: last + 1))
            let known = result[type] ?? days
            result[type] = min(known.lowerBound, days.lowerBound)...max(known.upperBound, days.upperBound)
        }
        for piece in pieces {
            for column in piece.batch.values { add(column, column.type, of: piece.source) }
            add(piece.batch.positions, .position, of: piece.source)
        }
        return result
    }

    private static func chosen(
        _ type: DataType, _ summaries: [CalendarDate: DaySummary], _ order: SourceOrder
    ) -> Chosen {
        var result: Chosen = [:]
        for day in CountedDay.days(of: type, in: summaries, order: order) {
            for hour in day.hours {
                result[type == .sleep ? Int(day.day.daysSinceEpoch) : hour.number] = hour.source
            }
        }
        return result
    }

    private static func counted(
        _ piece: BlockPass.Piece, _ person: PersonContext, _ chosen: [DataType: Chosen]
    ) -> SampleBatch {
        func kept<Column: SampleColumn>(_ column: Column, _ type: DataType) -> Column {
            guard let chosen = chosen[type], !person.isFirst(piece.source, of: type) else { return column }
            return column.filtered { index in
                let told = column.zones[index]
                let time = column.times[index]
                let zone = told == ZoneColumn.unknown ? person.zone.minutes(at: time) : told
                let place =
                    type == .sleep
                    ? Int(LocalTime.day(of: time &+ column.duration(index), zone: zone).daysSinceEpoch)
                    : LocalTime.hour(of: time, zone: zone)
                return chosen[place] ?? piece.source == piece.source
            }
        }
        return SampleBatch(
            values: piece.batch.values.map { kept($0, $0.type) }.filter { $0.count > 0 },
            positions: kept(piece.batch.positions, .position))
    }
}
