import Reactor

/// The connections of a client, by origin, with limits.
///
/// Sendable without the compiler's proof: it is used on the client's loop only.
final class HTTPClientPool: @unchecked Sendable {
    struct Idle {
        let connection: HTTPClientConnection
        let expires: Deadline
    }

    struct Origin {
        var idle: [Idle] = []
        /// Places taken, connected or not.
        var inUse = 0
        /// Each is raised when it is given a place, in the order of arrival.
        var waiters: [EventCounter] = []
    }

    private static let originsMax = 1024

    private let configuration: HTTPClient.Configuration
    private let tls: TLSContext?
    private(set) var origins: [HTTPOrigin: Origin] = [:]
    private var isClosed = false

    init(_ configuration: HTTPClient.Configuration, tls: TLSContext?) {
        self.configuration = configuration
        self.tls = tls
    }

    /// A kept connection, or a new one; must be given back by `release`.
    func take(
        _ origin: HTTPOrigin, mustBeNew: Bool, deadline: Deadline
    ) async throws(HTTPClientError) -> HTTPClientConnection {
        try await takePlace(origin, deadline: deadline)
        closeExpired()
        while !mustBeNew, let kept = origins[origin]?.idle.popLast()?.connection {
            kept.isReused = true
            if kept.stream.isQuiet { return kept }
            kept.stream.close()
        }
        do throws(HTTPClientError) {
            return HTTPClientConnection(try await connect(origin, deadline: deadline))
        } catch {
            leave(origin)
            throw error
        }
    }

    /// Takes one of the origin's places, or waits until one is handed over.
    private func takePlace(_ origin: HTTPOrigin, deadline: Deadline) async throws(HTTPClientError) {
        guard !isClosed else { throw .io(.closed) }
        guard origins[origin] != nil || origins.count < Self.originsMax else { throw .overloaded }
        let state = origins[origin, default: Origin()]
        guard state.inUse >= configuration.connectionsPerOriginMax else {
            origins[origin, default: Origin()].inUse += 1
            return
        }
        guard state.waiters.count < configuration.waitingPerOriginMax else { throw .overloaded }
        let turn = EventCounter()
        origins[origin]?.waiters.append(turn)
        _ = await turn.wait(after: 0, deadline: deadline)
        let hasPlace = turn.value > 0
        if !hasPlace { origins[origin]?.waiters.removeAll { $0 === turn } }
        guard hasPlace, !isClosed, !Task.isCancelled, !deadline.hasPassed else {
            if hasPlace { leave(origin) } else { forgetIfUnused(origin) }
            throw .io(isClosed ? .closed : Task.isCancelled ? .cancelled : .timedOut)
        }
    }

    /// Gives a connection back, for others to use when `isReusable`.
    func release(_ connection: HTTPClientConnection, _ origin: HTTPOrigin, isReusable: Bool) {
        if isReusable, connection.isClean, !isClosed {
            origins[origin]?.idle.append(Idle(connection: connection, expires: .after(configuration.idleMax)))
        } else {
            connection.stream.close()
        }
        leave(origin)
    }

    func close() {
        isClosed = true
        for origin in origins.values {
            for idle in origin.idle { idle.connection.stream.close() }
            for waiter in origin.waiters { waiter.raise() }
        }
        origins = [:]
    }

    /// Hands a place to the call that has waited longest.
    private func leave(_ origin: HTTPOrigin) {
        if let waiters = origins[origin]?.waiters, let next = waiters.first {
            origins[origin]?.waiters.removeFirst()
            next.raise()
        } else {
            origins[origin]?.inUse -= 1
            forgetIfUnused(origin)
        }
    }

    private func forgetIfUnused(_ origin: HTTPOrigin) {
        if let state = origins[origin], state.inUse == 0, state.waiters.isEmpty, state.idle.isEmpty {
            origins[origin] = nil
        }
    }

    private func closeExpired() {
        let now = Deadline.now()
        for (origin, state) in origins where state.idle.contains(where: { $0.expires <= now }) {
            for idle in state.idle where idle.expires <= now { idle.connection.stream.close() }
            origins[origin]?.idle.removeAll { $0.expires <= now }
            forgetIfUnused(origin)
        }
    }

    /// Resolves the name, checks the addresses, and connects to those that were checked, so that a name that resolves
    /// to another address a moment later (DNS rebinding) has no effect. A name with an address that is not public is
    /// refused.
    private func connect(_ origin: HTTPOrigin, deadline: Deadline) async throws(HTTPClientError) -> ByteStream {
        let deadline = min(deadline, .after(configuration.connectMax))
        let addresses: [SocketAddress]
        do throws(IOError) { addresses = try await origin.endpoint.resolve(deadline: deadline) } catch {
            throw .io(error)
        }
        if !configuration.allowPrivateAddresses {
            for address in addresses where !AddressPolicy.isPublic(address) {
                throw .refusedAddress("\(origin.endpoint.host) is \(address.host), which is not a public address")
            }
        }
        if origin.isSecure, tls == nil { throw .invalidRequest("this client has no certificate authorities for https") }
        do throws(IOError) {
            return try await ByteStream.connect(
                toFirstOf: addresses, tls: origin.isSecure ? tls : nil, serverName: origin.endpoint.host,
                deadline: deadline)
        } catch { throw .io(error) }
    }
}
