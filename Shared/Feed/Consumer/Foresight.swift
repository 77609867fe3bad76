internal import RPC
internal import Reactor
internal import Synchronization

/// Reads on in memory while the consumer's own database does not take what was read (`FeedConsumerSettings.foresight`).
///
/// ```
/// batch is read ──▶ committed in time: nothing
///      │ not committed in time, or the database cannot be asked for the cursor
///      ▼
/// handler.foresee(batch), then of all that is read behind it; nothing is kept but the cursor
///      │ what is committed has come as far as what was foreseen, but for what took less than that time
///      ▼
/// handler.foresightEnded(), and only commits count again
/// ```
///
/// What was foreseen comes again to `FeedHandler.apply` when the database is there: the stored cursor has not moved.
final class Foresight: Sendable {
    /// Reads the events of these parts after a cursor, without telling the producer that anything is applied.
    typealias Read = @Sendable (FeedCursor, FeedParts) async throws(RPCError) -> FeedRead.Result

    private static let pause = Duration.milliseconds(200)

    private struct State {
        /// The end of what was read, of which everything before `records` is committed.
        var cursor: FeedCursor
        var share: FeedParts
        /// Read, and not committed yet.
        var records: [FeedRecord] = []
        /// When something began to wait; `nil` while nothing does.
        var waitingSince: Deadline?
        var isActive = false
        /// How far was read at a time: the commits are as good as at hand when they come there soon.
        var mark: (cursor: FeedCursor, at: Deadline)?
    }

    private let time: Duration
    private let shard: Int
    private let handler: any FeedHandler
    private let read: Read
    private let state = Mutex<State?>(nil)
    private let changes = EventCounter()

    init(after time: Duration, shard: Int, handler: any FeedHandler, read: @escaping Read) {
        (self.time, self.shard, self.handler, self.read) = (time, shard, handler, read)
    }

    // MARK: Told by the consumer

    /// Everything up to the cursor is committed.
    func reached(_ cursor: FeedCursor, _ share: FeedParts, at now: Deadline = .now()) {
        state.withLock { state in
            guard var known = state else {
                state = State(cursor: cursor, share: share)
                return
            }
            let isAtHand =
                known.isActive && (known.mark.map { cursor.covers($0.cursor) && now.since($0.at) < time } ?? true)
            let isPending = known.isActive || !known.records.isEmpty
            if !isPending || isAtHand || cursor.epoch != known.cursor.epoch || cursor.covers(known.cursor) {
                return state = State(cursor: cursor, share: share)
            }
            if let mark = known.mark, cursor.covers(mark.cursor) { known.mark = (known.cursor, now) }
            state = known
        }
        changes.raise()
    }

    /// A batch is about to be applied, which ends at the cursor.
    func waits(for records: [FeedRecord], to cursor: FeedCursor, _ share: FeedParts, at now: Deadline = .now()) {
        state.withLock { state in
            guard state?.isActive != true else { return }
            // One that failed is read again, perhaps with more.
            state = State(
                cursor: cursor, share: share, records: records, waitingSince: state?.waitingSince ?? now)
        }
        changes.raise()
    }

    /// Something failed: whether what was read last is committed is not known until `reached` is called.
    func interrupted(at now: Deadline = .now()) {
        state.withLock { state in
            guard let known = state, !known.isActive, known.waitingSince == nil else { return }
            state?.waitingSince = now
        }
        changes.raise()
    }

    /// Whether the handler is being told of what is not committed.
    var isActive: Bool { state.withLock { $0?.isActive ?? false } }

    /// Since when something is not committed.
    var waitingSince: Deadline? { state.withLock { $0?.waitingSince } }

    // MARK: Work

    /// Until the task is cancelled.
    func run(on loop: EventLoop) async {
        while !Task.isCancelled {
            let seen = changes.value
            guard let since = state.withLock({ $0?.waitingSince }) else {
                _ = await changes.wait(after: seen)
                continue
            }
            let due = since.advanced(by: time)
            guard due.hasPassed else {
                _ = await changes.wait(after: seen, deadline: due)
                continue
            }
            guard let begun = begin() else { continue }
            await foresee(begun.records, begun.cursor, begun.share, on: loop)
            await handler.foresightEnded(ofShard: shard)
        }
        state.withLock { $0 = nil }
    }

    private func begin() -> (records: [FeedRecord], cursor: FeedCursor, share: FeedParts)? {
        state.withLock { state in
            guard var known = state, known.waitingSince != nil, !known.isActive else { return nil }
            let records = known.records
            known.isActive = true
            known.records = []
            known.mark = (known.cursor, .now())
            state = known
            return (records, known.cursor, known.share)
        }
    }

    private func foresee(
        _ records: [FeedRecord], _ cursor: FeedCursor, _ share: FeedParts, on loop: EventLoop
    ) async {
        let work = loop.task { [self] in
            var cursor = cursor
            if !records.isEmpty { await handler.foresee(records, ofShard: shard) }
            while !Task.isCancelled {
                do throws(RPCError) {
                    let answer = try await read(cursor, share)
                    let fresh = answer.events.filter { share.contains($0.entity) }
                    if !fresh.isEmpty { await handler.foresee(fresh, ofShard: shard) }
                    cursor = answer.cursor
                    state.withLock { $0?.cursor = cursor }
                } catch {
                    do throws(IOError) { try await loop.sleep(for: Self.pause) } catch { return }
                }
            }
        }
        while !Task.isCancelled {
            let seen = changes.value
            guard isActive else { break }
            _ = await changes.wait(after: seen)
        }
        work.cancel()
        await work.value
    }
}
