import Reactor
import Service
import Synchronization

/// Decides whose password is hashed next. Clients wait in two queues, each of which gives every site (24 bits of IPv4,
/// 48 bits of IPv6) the same share.
///
/// A hash takes a third of a second of computing, so that a client could keep everybody out with log-ins under random
/// names. With turns such a client waits only for itself: sites take turns, and when a queue is full, a site with fewer
/// waiting takes the last place of the site with most. Clients from which the right password came before (and people
/// who are logged in) have a queue of their own, which goes first three times out of four, so that many sites together
/// do not keep them out either. The queue depends on what came from the client's own address, never on whether there is
/// an account (ACC-07).
final class HashingTurns: Sendable {
    struct Client: Sendable, Hashable {
        let site: [UInt8]
        let isKnown: Bool

        init(_ address: SocketAddress?, isKnown: Bool) {
            site = address?.site ?? []
            self.isKnown = isKnown
        }
    }

    /// Waiters of each queue: some seconds' work; a client that waits longer has given up.
    static let waitingMax = 32
    /// Consecutive turns of known clients while others wait.
    static let knownInRowMax = 3

    private struct Waiter {
        let id: UInt64
        let continuation: UnsafeContinuation<Bool, Never>
    }

    /// Waiting clients by site, with the sites in the order of their turns.
    private struct Queue {
        private var waiters: [[UInt8]: [Waiter]] = [:]
        private var order: [[UInt8]] = []
        private(set) var count = 0

        /// Adds a waiter. Returns the one that is refused for it: one of the site with most waiting, or the new one
        /// itself.
        mutating func add(_ waiter: Waiter, of site: [UInt8]) -> Waiter? {
            var refused: Waiter?
            if count == HashingTurns.waitingMax {
                let own = waiters[site]?.count ?? 0
                guard let most = waiters.max(by: { $0.value.count < $1.value.count }), most.value.count > own + 1
                else { return waiter }
                refused = waiters[most.key]?.popLast()
                count -= 1
            }
            if waiters[site] == nil { order.append(site) }
            waiters[site, default: []].append(waiter)
            count += 1
            return refused
        }

        mutating func next() -> Waiter? {
            guard !order.isEmpty else { return nil }
            let site = order.removeFirst()
            guard var own = waiters[site], !own.isEmpty else { return nil }
            let waiter = own.removeFirst()
            count -= 1
            waiters[site] = own.isEmpty ? nil : own
            if !own.isEmpty { order.append(site) }
            return waiter
        }

        mutating func remove(_ id: UInt64, of site: [UInt8]) -> Waiter? {
            guard let index = waiters[site]?.firstIndex(where: { $0.id == id }) else { return nil }
            let waiter = waiters[site]?.remove(at: index)
            count -= 1
            if waiters[site]?.isEmpty == true {
                waiters[site] = nil
                order.removeAll { $0 == site }
            }
            return waiter
        }
    }

    private struct State {
        var running = 0
        var known = Queue()
        var others = Queue()
        var knownInRow = 0
        var lastID: UInt64 = 0

        mutating func next() -> Waiter? {
            if known.count > 0, knownInRow < HashingTurns.knownInRowMax || others.count == 0 {
                knownInRow += 1
                return known.next()
            }
            knownInRow = 0
            return others.next()
        }
    }

    private let runningMax: Int
    private let state = Mutex(State())

    /// At most `runningMax` at the same time.
    init(runningMax: Int) {
        self.runningMax = runningMax
    }

    /// Number of waiting clients.
    var waiting: Int { state.withLock { $0.known.count + $0.others.count } }

    /// The result of `body`, run at the client's turn. Throws `limit` when too many wait, `cancelled`, and what `body` throws.
    func run<T: Sendable>(_ client: Client, _ body: () async throws(IOError) -> T) async throws(IOError) -> T {
        try await take(client)
        defer { give() }
        return try await body()
    }

    private func take(_ client: Client) async throws(IOError) {
        let id: UInt64? = state.withLock { state in
            if state.running < runningMax {
                state.running += 1
                return nil
            }
            state.lastID += 1
            return state.lastID
        }
        guard let id else { return }
        let hasTurn = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                enter(Waiter(id: id, continuation: continuation), client)
            }
        } onCancel: {
            leave(id, client)
        }
        guard hasTurn else {
            throw Task.isCancelled ? .cancelled : .limit("passwords waiting to be hashed: \(Self.waitingMax)")
        }
    }

    private func enter(_ waiter: Waiter, _ client: Client) {
        var mayRun = false
        let refused = state.withLock { state -> Waiter? in
            guard !Task.isCancelled else { return waiter }
            // A turn may have ended meanwhile.
            if state.running < runningMax {
                state.running += 1
                mayRun = true
                return nil
            }
            return client.isKnown
                ? state.known.add(waiter, of: client.site) : state.others.add(waiter, of: client.site)
        }
        if mayRun { waiter.continuation.resume(returning: true) }
        refused?.continuation.resume(returning: false)
    }

    private func leave(_ id: UInt64, _ client: Client) {
        let left = state.withLock { state in
            client.isKnown ? state.known.remove(id, of: client.site) : state.others.remove(id, of: client.site)
        }
        left?.continuation.resume(returning: false)
    }

    private func give() {
        let next = state.withLock { state in
            let next = state.next()
            if next == nil { state.running -= 1 }
            return next
        }
        next?.continuation.resume(returning: true)
    }
}
