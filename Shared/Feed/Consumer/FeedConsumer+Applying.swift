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
extension FeedConsumer {
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

    func settle(_ batch: FeedRead.Result, _ stored: inout CursorStore.Stored) async throws {
        for attempt in 1... {
            do {
                return try await apply(batch.events, &stored, to: batch.cursor, settled: batch.settled)
            } catch  where ApplyFailure(error).concernsEvents {
                report(.applyFailed(feed: feed, error: error))
                guard ApplyFailure(error) == .unclear, attempt < Self.unclearAttemptsMax else { break }
            }
            try await pause(afterFailures: attempt)
        }
        var division = Division()
        if batch.events.count == 1 {
            try await settleAlone(batch.events[0], &stored, &division, attempts: 1)
        } else {
            try await settleHalves(batch.events[...], &stored, &division)
        }
        if let suspect = division.suspects.last { throw suspect.error }
    }

    private func settleHalves(
        _ records: ArraySlice<FeedRecord>, _ stored: inout CursorStore.Stored, _ division: inout Division
    ) async throws {
        let middle = records.startIndex + records.count / 2
        for half in [records[..<middle], records[middle...]] {
            if half.count == 1, let record = half.first {
                try await settleAlone(record, &stored, &division)
                continue
            }
            do {
                try await applyPart(half, &stored, &division)
            } catch  where ApplyFailure(error).concernsEvents {
                try await settleHalves(half, &stored, &division)
            }
        }
    }

    /// Applies one event; parks it when another one was applied. `attempts` were made already.
    private func settleAlone(
        _ record: FeedRecord, _ stored: inout CursorStore.Stored, _ division: inout Division, attempts: Int = 0
    ) async throws {
        for attempt in (attempts + 1)... {
            do {
                return try await applyPart([record], &stored, &division)
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
            try await applyPart([], &stored, &division)
        } else if division.suspects.count >= Self.suspectsMax, let suspect = division.suspects.last {
            throw suspect.error
        }
    }

    /// Applies events in one transaction, in which the suspects before them are parked.
    private func applyPart(
        _ records: ArraySlice<FeedRecord>, _ stored: inout CursorStore.Stored, _ division: inout Division
    ) async throws {
        var cursor = stored.cursor
        cursor.advance(past: division.suspects.map(\.record))
        cursor.advance(past: records)
        let parks = try division.suspects.map { try parked.park($0.record, epoch: cursor.epoch, error: $0.error) }
        if records.isEmpty {
            try await commit(.statements(parks), &stored, to: cursor)
        } else {
            try await apply(Array(records), &stored, to: cursor, with: parks)
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
    func retryParked(_ stored: inout CursorStore.Stored, isStart: Bool) async throws {
        for row in try await parked.load(epoch: stored.cursor.epoch, isStart: isStart) {
            do {
                let record = try row.record()
                try await apply([record], &stored, to: stored.cursor, with: [parked.remove(row)])
                report(.unparked(feed: feed, record: record))
            } catch  where ApplyFailure(error).concernsEvents {
                report(.applyFailed(feed: feed, error: error))
                try await database.execute(parked.postpone(row))
            }
        }
        metrics.set(parked: try await parked.count())
    }

    // MARK: Steps

    /// Lets the handler apply the records, commits, and tells it so.
    private func apply(
        _ records: [FeedRecord], _ stored: inout CursorStore.Stored, to cursor: FeedCursor,
        settled: FeedSettled? = nil, with more: [SQL] = []
    ) async throws {
        let effect = try await handler.apply(records)
        try await commit(effect, &stored, to: cursor, settled: settled, with: more)
        await handler.committed(records)
    }

    private func pause(afterFailures failures: Int) async throws {
        try await EventLoop.current?.sleep(for: settings.pauses.delay(afterFailures: failures))
    }
}
