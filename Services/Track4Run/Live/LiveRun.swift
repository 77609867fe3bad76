import Contracts
import HTTP
import JSON
import Primitives
import Reactor
import Synchronization

/// One run in memory, with its spectators (RUN-09, RUN-11). From any thread.
final class LiveRun: Sendable {
    /// Messages kept for spectators that come back.
    static let recentMax = 256
    static let recentBytesMax = 2 << 20

    struct Particulars: Sendable {
        let id: UUID
        let version: Int64
        let state: Run.State
        let start: Timestamp
        let end: Timestamp
    }

    /// The parts of a placing whose change makes a new ranking event.
    fileprivate struct Ranked: Equatable {
        let bib: Int
        let state: Placing.State
    }

    fileprivate struct State {
        var particulars: Particulars
        var run: RunState
        var moved: Set<UUID> = []
        var removed: [Int] = []
        var lost: Set<UUID> = []
        var ranked: [Ranked] = []
        var finalRanking: [Placing]?
        var sequence: UInt64 = 0
        var recent: [LiveMessage] = []
        var recentBytes = 0
        var snapshot: LiveMessage?
        var spectators: [UInt64: SpectatorStream] = [:]
        var lastSpectator: UInt64 = 0
    }

    let id: UUID
    /// Tells the ids of this process's messages from those of other processes and earlier starts.
    private let epoch = hex(UUID.random().bytes.prefix(6))
    private let state: Mutex<State>

    init(_ particulars: Particulars, _ run: RunState, finalRanking: [Placing]? = nil) {
        id = particulars.id
        state = Mutex(State(particulars: particulars, run: run, finalRanking: finalRanking))
    }

    var particulars: Particulars { state.withLock(\.particulars) }
    var spectatorCount: Int { state.withLock(\.spectators.count) }
    var runnerCount: Int { state.withLock(\.run.runners.count) }
    var allFinishedAt: Timestamp? { state.withLock(\.run.allFinishedAt) }
    func contains(_ account: UUID) -> Bool { state.withLock { $0.run.contains(account) } }

    /// The placings at the moment.
    func placings() -> [Placing] { state.withLock { $0.run.placings(order: $0.run.order()) } }

    // MARK: What happens in the run

    /// Applies samples; returns what changed and the runner's progress afterwards, or `nil` for somebody who does not
    /// take part.
    func apply(_ samples: Ingestion.LiveSamples) -> (change: RunState.Change, progress: RunnerProgress)? {
        state.withLock { state in
            let change = state.run.apply(samples)
            if change.isMoved {
                state.moved.insert(samples.accountID)
                state.lost.remove(samples.accountID)
            }
            return state.run.progress(of: samples.accountID).map { (change, $0) }
        }
    }

    /// An empty trace for a runner of this run.
    func trace(of account: UUID) -> RunnerTrace? { state.withLock { $0.run.trace(of: account) } }

    /// Applies a runner's samples from the first on; returns the progress, or `nil` when the feed has brought later
    /// samples than the trace has.
    func rebuild(_ account: UUID, from trace: inout RunnerTrace) -> RunnerProgress? {
        let (course, rules) = state.withLock { ($0.run.course, $0.run.rules) }
        guard let known = state.withLock({ $0.run.progress(of: account) }) else { return nil }
        var progress = RunnerProgress(start: particulars.start, generation: known.generation + 1)
        _ = trace.apply(to: &progress, on: course, rules: rules)
        return state.withLock { state in
            guard let now = state.run.progress(of: account), now.generation == known.generation,
                now.heardAt.map({ heard in progress.heardAt.map { heard <= $0 } ?? false }) ?? true
            else { return nil }
            state.run.replace(account, progress)
            state.moved.insert(account)
            return progress
        }
    }

    /// A runner leaves the run under way: removed from the map, and kept in the ranking with what was reached.
    func leave(_ account: UUID, at time: Timestamp) {
        state.withLock { state in
            guard let bib = state.run.leave(account, at: time) else { return }
            state.moved.remove(account)
            state.removed.append(bib)
            state.snapshot = nil
        }
    }

    /// Takes over progress that another replica has stored.
    func merge(_ stored: [ProgressStore.Stored]) {
        state.withLock { state in
            for entry in stored {
                guard let known = state.run.progress(of: entry.runner), entry.progress.isNewer(than: known) else {
                    continue
                }
                state.run.replace(entry.runner, entry.progress)
                state.moved.insert(entry.runner)
            }
        }
    }

    func remove(_ account: UUID) {
        state.withLock { state in
            guard let bib = state.run.remove(account) else { return }
            state.moved.remove(account)
            state.removed.append(bib)
            state.forget()
        }
    }

    /// Takes over the run and its runners as they were stored a moment ago: a progress that has moved meanwhile stays.
    func update(
        _ particulars: Particulars, course: Course?, runners: [RunState.Runner], progresses: [ProgressStore.Stored],
        finalRanking: [Placing]?
    ) {
        let stored = Dictionary(progresses.map { ($0.runner, $0.progress) }) { first, _ in first }
        state.withLock { state in
            let before = state.run
            var run = RunState(
                course: course ?? before.course, start: particulars.start, end: particulars.end, rules: before.rules)
            let keepsProgress = before.start == particulars.start
            for runner in runners {
                let known = keepsProgress ? before.progress(of: runner.account) : nil
                run.add(runner, progress: known)
                if let progress = stored[runner.account], known.map(progress.isNewer) ?? true {
                    run.add(runner, progress: progress)
                }
            }
            let gone = before.runners.filter { !run.contains($0.account) }
            state.run = run
            state.particulars = particulars
            state.finalRanking = finalRanking
            if gone.isEmpty {
                state.snapshot = nil
            } else {
                state.removed += gone.map(\.bib)
                state.forget()
            }
        }
    }

    // MARK: Spectators

    /// Adds a spectator and sends what was missed since `Last-Event-ID`, or a snapshot. Errors: `limit`.
    func join(_ spectator: SpectatorStream, spectatorsMax: Int, at now: Timestamp) throws -> UInt64 {
        try state.withLock { state in
            guard state.spectators.count < spectatorsMax else { throw IOError.limit("spectators of one run") }
            let seen = spectator.lastEventID.flatMap { LiveMessage.sequence(of: $0, epoch: epoch) }
            if let seen, let missed = state.missed(since: seen) {
                for message in missed { spectator.send(message) }
            } else {
                spectator.send(try snapshot(&state, at: now))
            }
            if let placings = state.finalRanking {
                let message = try LiveMessage(
                    "finished", LiveEvents.Ranking(final: true, placings: placings), epoch: epoch,
                    sequence: state.sequence)
                spectator.send(message)
            }
            if state.isOver { spectator.end() }
            state.lastSpectator += 1
            state.spectators[state.lastSpectator] = spectator
            return state.lastSpectator
        }
    }

    func leave(_ spectator: UInt64) {
        state.withLock { _ = $0.spectators.removeValue(forKey: spectator) }
    }

    /// Spectators who join between two broadcasts get the same bytes, and then the next broadcast.
    private func snapshot(_ state: inout State, at now: Timestamp) throws(JSONError) -> LiveMessage {
        let (isShown, isUnderWay) = (state.particulars.hasBegun(at: now), state.particulars.isUnderWay(at: now))
        if isUnderWay, let known = state.snapshot, known.sequence == state.sequence { return known }
        let order = isShown ? state.run.order() : []
        let message = try LiveMessage(
            "snapshot",
            LiveEvents.Snapshot(
                state: state.particulars.phase(at: now), start: state.particulars.start, end: state.particulars.end,
                length: state.run.course.length, runners: state.run.placings(order: order),
                positions: isUnderWay ? state.run.markers(order: order, at: now) : []),
            epoch: epoch, sequence: state.sequence)
        state.snapshot = isUnderWay ? message : nil
        return message
    }

    // MARK: Sending

    /// Sends what has changed since the last broadcast to all spectators, encoded once; returns the number of messages.
    /// Call at most twice a second. After the end of the run no positions are sent, but the ranking as late samples
    /// change it, until it is official.
    @discardableResult
    func broadcast(at now: Timestamp) throws(JSONError) -> Int {
        let (messages, spectators, isOver) = try state.withLock { state throws(JSONError) in
            let messages = try collect(&state, at: now)
            for message in messages { state.remember(message) }
            let spectators = Array(state.spectators.values)
            if state.isOver { state.spectators = [:] }
            return (messages, spectators, state.isOver)
        }
        for spectator in spectators {
            for message in messages { spectator.send(message) }
            if isOver { spectator.end() }
        }
        return messages.count
    }

    private func collect(_ state: inout State, at now: Timestamp) throws(JSONError) -> [LiveMessage] {
        var messages: [LiveMessage] = []
        func add(_ event: String, _ value: some Encodable) throws(JSONError) {
            state.sequence += 1
            messages.append(try LiveMessage(event, value, epoch: epoch, sequence: state.sequence))
        }
        if let placings = state.finalRanking {
            guard !state.spectators.isEmpty else { return [] }
            try add("finished", LiveEvents.Ranking(final: true, placings: placings))
            return messages
        }
        guard state.particulars.hasBegun(at: now) else { return [] }
        let isUnderWay = state.particulars.isUnderWay(at: now)
        let lost = isUnderWay ? state.run.lost(at: now) : state.lost
        let moved = state.moved.union(lost.subtracting(state.lost))
        state.lost = lost
        guard !moved.isEmpty || !state.removed.isEmpty else { return [] }
        let order = state.run.order()
        let positions = LiveEvents.Positions(
            positions: isUnderWay ? state.run.markers(of: moved, order: order, at: now) : [], removed: state.removed)
        if !positions.positions.isEmpty || !positions.removed.isEmpty { try add("positions", positions) }
        state.moved = []
        state.removed = []
        let placings = state.run.placings(order: order.prefix(LiveEvents.rankingMax))
        let ranked = placings.map { LiveRun.Ranked(bib: $0.bib, state: $0.state) }
        if ranked != state.ranked {
            state.ranked = ranked
            try add("ranking", LiveEvents.Ranking(final: false, placings: placings))
        }
        return messages
    }
}

extension LiveRun.Particulars {
    func hasBegun(at now: Timestamp) -> Bool { state == .open && now >= start }
    func isUnderWay(at now: Timestamp) -> Bool { hasBegun(at: now) && now <= end }

    func phase(at now: Timestamp) -> Run.Phase {
        switch state {
        case .cancelled: .cancelled
        case .final: .past
        case .open: now < start ? .upcoming : now <= end ? .underWay : .past
        }
    }
}

extension LiveRun.State {
    /// Whether nothing more will happen.
    fileprivate var isOver: Bool { finalRanking != nil || particulars.state == .cancelled }

    fileprivate mutating func remember(_ message: LiveMessage) {
        recent.append(message)
        recentBytes += message.bytes.count
        while recent.count > LiveRun.recentMax || recentBytes > LiveRun.recentBytesMax, !recent.isEmpty {
            recentBytes -= recent.removeFirst().bytes.count
        }
    }

    /// Drops the messages kept for spectators that come back, after somebody was removed from the run.
    fileprivate mutating func forget() {
        recent = []
        recentBytes = 0
        snapshot = nil
    }

    /// The messages after `seen`; `nil` when some of them are no longer there.
    fileprivate func missed(since seen: UInt64) -> ArraySlice<LiveMessage>? {
        guard seen <= sequence else { return nil }
        if seen == sequence { return [] }
        guard let first = recent.firstIndex(where: { $0.sequence == seen + 1 }) else { return nil }
        return recent[first...]
    }
}
