internal import Postgres
internal import Reactor

/// How a batch that cannot be applied is brought to an end.
///
/// ```
/// batch ── applied ────────────────────────────────────────────────▶ next batch
///   │ a neighbour or the database is away: again, with pauses, however long it takes
///   │ it took too long: again, three times in all
///   ▼
/// halves, quarters, … single events
///   │ one fails alone, several times
///   ▼
/// parked in the transaction that applies another event; while no other succeeds either, the fault lies elsewhere, and
/// all of it is tried again with pauses
/// ```
extension ShardConsumer {
    /// Tries of a batch whose failure is unclear, before it is divided.
    private static let unclearAttemptsMax = 3
    /// Events that fail alone, one after the other without a success, before another cause is assumed.
    private static let suspectsMax = 8

    /// A batch that is applied in parts.
    private struct Division {
        /// Events that failed alone and are not parked yet.
        var suspects: [(record: FeedRecord, error: any Error)] = []
        /// Whether a part was applied, so that whatever else is needed for that is there.
        var hasSucceeded = false
    }

    func settle(_ batch: FeedRead.Result, _ following: inout Following) async throws {
        for attempt in 1... {
            do {
                return try await apply(batch.events, &following, to: batch.cursor, settled: batch.settled)
            } catch  where ApplyFailure(error).concernsEvents {
                report(.applyFailed(feed: feed, error: error))
                guard ApplyFailure(error) == .unclear, attempt < Self.unclearAttemptsMax else { break }
            }
            try await pause(afterFailures: attempt)
        }
        var division = Division()
        if batch.events.count == 1 {
            try await settleAlone(batch.events[0], &following, &division, attempts: 1)
        } else {
            try await settleHalves(batch.events[...], &following, &division)
        }
        if let suspect = division.suspects.last { throw suspect.error }
    }

    private func settleHalves(
        _ records: ArraySlice<FeedRecord>, _ following: inout Following, _ division: inout Division
    ) async throws {
        let middle = records.startIndex + records.count / 2
        for half in [records[..<middle], records[middle...]] {
            if half.count == 1, let record = half.first {
                try await settleAlone(record, &following, &division)
                continue
            }
            do {
                try await applyPart(half, &following, &division)
            } catch  where ApplyFailure(error).concernsEvents {
                try await settleHalves(half, &following, &division)
            }
        }
    }

    /// Applies one event; parks it when another one was applied. `attempts` were made already.
    private func settleAlone(
        _ record: FeedRecord, _ following: inout Following, _ division: inout Division, attempts: Int = 0
    ) async throws {
        for attempt in (attempts + 1)... {
            do {
                return try await applyPart([record], &following, &division)
            } catch  where ApplyFailure(error).concernsEvents {
                if attempt >= settings.attemptsMax {
                    division.suspects.append((record, error))
                    break
                }
                report(.applyFailed(feed: feed, error: error))
            }
            try await pause(afterFailures: attempt)
        }
        if division.hasSucceeded {
            try await applyPart([], &following, &division)
        } else if division.suspects.count >= Self.suspectsMax, let suspect = division.suspects.last {
            throw suspect.error
        }
    }

    /// Applies events in one transaction, in which the suspects before them are parked.
    private func applyPart(
        _ records: ArraySlice<FeedRecord>, _ following: inout Following, _ division: inout Division
    ) async throws {
        var cursor = following.cursor
        cursor.advance(past: division.suspects.map(\.record))
        cursor.advance(past: records)
        let suspects = division.suspects.map { following.part(of: $0.record.entity) }
        let parks = try division.suspects.map { try parked.park($0.record, epoch: cursor.epoch, error: $0.error) }
        if records.isEmpty {
            try await commit(.statements(parks), Set(suspects), &following, to: cursor)
            following.cursor = cursor
        } else {
            try await apply(Array(records), &following, to: cursor, and: suspects, with: parks)
            division.hasSucceeded = true
        }
        for suspect in division.suspects {
            report(.parked(feed: feed, record: suspect.record, error: suspect.error))
        }
        division.suspects = []
    }

    // MARK: Parked events

    /// Applies parked events: those that are due, or at the start all of them, since a new version of the program may
    /// have mended the fault. Those that fail again wait longer.
    func retryParked(_ following: inout Following, isStart: Bool) async throws {
        let rows = try await parked.load(epoch: following.cursor.epoch, following.share, isStart: isStart)
        for row in rows {
            do {
                let record = try row.record()
                try await apply([record], &following, to: following.cursor, with: [parked.remove(row)])
                report(.unparked(feed: feed, record: record))
            } catch  where ApplyFailure(error).concernsEvents {
                report(.applyFailed(feed: feed, error: error))
                try await database.execute(parked.postpone(row))
            }
        }
        metrics.set(parked: try await parked.count())
    }

    // MARK: Steps

    /// Lets the handler apply the records, commits, and tells it so. The cursors of the records' parts are moved, those of
    /// `others`, and now and then all.
    private func apply(
        _ records: [FeedRecord], _ following: inout Following, to cursor: FeedCursor, and others: [Int] = [],
        settled: FeedSettled? = nil, with more: [SQL] = []
    ) async throws {
        let effect = try await handler.apply(records)
        let parts =
            following.flushDue.hasPassed
            ? following.all : Set(others).union(records.map { following.part(of: $0.entity) })
        try await commit(effect, parts, &following, to: cursor, settled: settled, with: more)
        following.cursor = cursor
        following.settled = settled ?? following.settled
        await handler.committed(records)
    }

    private func pause(afterFailures failures: Int) async throws {
        try await EventLoop.current?.sleep(for: settings.pauses.delay(afterFailures: failures))
    }
}
