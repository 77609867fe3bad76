import Contracts
import Feed
import JSON
import Primitives
import RPC
import Reactor
import Service
import Synchronization
import Telemetry

/// What AutomatedSOS tells of wearers, followed in memory from `dispatcher.wearers`: each replica knows it of everybody of whom there is
/// more to tell than that all is well, and answers uploads with it (SOS-04, SOS-08, SOS-13). It is no part of what is stored: an
/// upload does not wait for it, and goes on without it.
final class WearerStates: Sendable {
    /// People of whom something is told at the same time. Of further ones nothing is known here.
    static let peopleMax = 100_000
    /// After so long without an answer of the dispatcher nothing is known any more: what was told may be over.
    static let silenceMax = Duration.seconds(30)
    /// How long the dispatcher may hold back an answer.
    private static let wait = Duration.seconds(5)
    /// How old its knowledge may be of what its other replicas have told.
    private static let freshness = Duration.milliseconds(250)
    /// That all is well again is remembered for so long: an older event may come after it.
    private static let calmKept = Duration.seconds(600)

    /// What is known of somebody.
    enum Knowledge: Sendable, Equatable {
        /// The dispatcher has not been heard, or too many people are told of.
        case unknown
        case calm
        case told(Dispatcher.WearerState)

        /// Something is critical, or an incident is open.
        var isAlerted: Bool { if case .told(let state) = self { state.isAlerted } else { false } }
    }

    private struct Entry {
        var version: Int64
        var state: Dispatcher.WearerState
        /// When it was so.
        var at: Deadline
    }

    private struct Known {
        var people: [UUID: Entry] = [:]
        /// The snapshot that is being read.
        var next: [UUID: Entry]?
        var isOverfull = false
    }

    private let known = Mutex(Known())
    private let log: Log
    private let heardAgo: @Sendable () -> Duration?
    private let reader: FeedReader?

    /// `nil` without a dispatcher: nothing is ever known.
    init(from dispatcher: (any RPCCaller)?, observer: Observer) {
        log = observer.log
        let updates = Updates()
        reader = dispatcher.map { caller in
            FeedReader(
                feed: Dispatcher.wearersFeed, from: caller, wait: Self.wait, freshness: Self.freshness,
                observer: observer
            ) { update, _ in updates.handler.withLock { $0 }?(update) }
        }
        heardAgo = { [reader] in reader?.age }
        updates.handler.withLock { $0 = { [weak self] update in self?.apply(update) } }
    }

    /// For tests: `heardAgo` is how long ago the dispatcher was heard.
    init(log: Log, heardAgo: @escaping @Sendable () -> Duration?) {
        self.log = log
        self.heardAgo = heardAgo
        reader = nil
    }

    /// What the reader calls, which is made before this is.
    private final class Updates: Sendable {
        let handler = Mutex<(@Sendable (FeedReader.Update) -> Void)?>(nil)
    }

    /// Follows the feed; `nil` without a dispatcher.
    var task: BackgroundTask? { reader.map { reader in BackgroundTask("wearers") { await reader.run() } } }

    // MARK: Asking

    /// With times that are counted from now.
    func knowledge(of account: UUID) -> Knowledge {
        guard let age = heardAgo(), age <= Self.silenceMax else { return .unknown }
        let (entry, isOverfull) = known.withLock { ($0.people[account], $0.isOverfull) }
        guard let entry else { return isOverfull ? .unknown : .calm }
        guard entry.state.stage != .calm else { return .calm }
        let passed = Deadline.now().since(entry.at).milliseconds
        var state = entry.state
        state.callsInMilliseconds = state.callsInMilliseconds.map { max(0, $0 - passed) }
        state.arrivesInMilliseconds = state.arrivesInMilliseconds.map { $0 - passed }
        return .told(state)
    }

    // MARK: Following

    func apply(_ update: FeedReader.Update, at now: Deadline = .now()) {
        switch update {
        case .snapshotBegan: known.withLock { $0.next = [:] }
        case .entities(let entities):
            let people = entities.compactMap { entity in
                read(entity.entity, entity.version) { try entity.decode() }.map { (entity.entity, $0, now) }
            }
            known.withLock { known in
                for (account, told, at) in people where known.next?.count ?? 0 < Self.peopleMax {
                    known.next?[account] = Entry(version: told.version, state: told.state, at: at)
                }
                if known.next?.count ?? 0 >= Self.peopleMax { known.isOverfull = true }
            }
        case .snapshotEnded:
            known.withLock { known in
                guard let next = known.next else { return }
                known.people = next
                known.next = nil
                known.isOverfull = next.count >= Self.peopleMax
            }
        case .changes(let records):
            let people = records.filter { $0.kind == Dispatcher.wearersKind }.compactMap { record in
                read(record.entity, record.version) { try record.decode() }.map {
                    (record.entity, $0, now.advanced(by: .zero - record.age))
                }
            }
            known.withLock { known in
                for (account, told, at) in people { Self.set(account, told.version, told.state, at, in: &known) }
                if known.people.count > Self.peopleMax / 2 { Self.forgetCalm(in: &known, at: now) }
            }
        }
    }

    private static func set(
        _ account: UUID, _ version: Int64, _ state: Dispatcher.WearerState, _ at: Deadline, in known: inout Known
    ) {
        let before = known.people[account]
        guard version >= before?.version ?? version else { return }
        guard before != nil || known.people.count < peopleMax else {
            known.isOverfull = true
            return
        }
        known.people[account] = Entry(version: version, state: state, at: at)
    }

    private static func forgetCalm(in known: inout Known, at now: Deadline) {
        known.people = known.people.filter { $0.value.state.stage != .calm || now.since($0.value.at) < calmKept }
    }

    /// `nil` for what cannot be read: it concerns one person, of whom then nothing new is told.
    private func read(
        _ account: UUID, _ version: Int64, _ decode: () throws -> Dispatcher.WearerState
    ) -> (version: Int64, state: Dispatcher.WearerState)? {
        do { return (version, try decode()) } catch {
            log.error(
                "what a wearer is told cannot be read",
                ["account": .string(account.description), "error": Log.text(of: error)])
            return nil
        }
    }
}
