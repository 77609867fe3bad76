import Reactor

/// The connections that one loop has to one service, and the choice among them.
actor LoopClient {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private nonisolated let configuration: RPCClientConfiguration
    private let tls: TLSContext?
    private let metrics: RPCClientMetrics
    private var balancer: AddressBalancer
    private var budget: RetryBudget
    /// The connection of each address that takes calls, as far as there is one.
    private var current: [ClientConnection?]
    private var running: [ObjectIdentifier: (connection: ClientConnection, task: Task<Void, Never>)] = [:]
    private var isClosed = false

    init(
        configuration: RPCClientConfiguration, tls: TLSContext?, loop: EventLoop, metrics: RPCClientMetrics
    ) {
        self.metrics = metrics
        self.configuration = configuration
        self.tls = tls
        self.loop = loop
        let count = configuration.endpoints.count
        current = Array(repeating: nil, count: count)
        balancer = AddressBalancer(
            count: count, backOff: configuration.reconnect, first: Int.random(in: 0..<max(count, 1)))
        budget = RetryBudget(ratio: configuration.retries.ratio, savedMax: Double(configuration.retries.burstMax))
    }

    /// Calls, and calls again as far as the retry policy allows. From any thread; on the loop it costs no hop.
    nonisolated func call(_ call: OutgoingCall) async throws(RPCError) -> Reply {
        var attempt = 1
        while true {
            let outcome =
                if let connection = await connection(isFirst: attempt == 1) {
                    await connection.exchange(call)
                } else {
                    Result<Reply, CallFailure>.failure(unreachable)
                }
            switch outcome {
            case .success(let reply): return reply
            case .failure(let failure):
                guard !Task.isCancelled, let delay = await delay(after: failure, of: call, attempt: attempt) else {
                    throw failure.error
                }
                guard await pause(delay) else { throw RPCError(.cancelled) }
                attempt += 1
            }
        }
    }

    /// Closes all connections and waits for their ends; pending calls fail.
    func close() async {
        isClosed = true
        for (connection, task) in running.values {
            await connection.close()
            await task.value
        }
    }

    private nonisolated var unreachable: CallFailure {
        CallFailure(
            error: RPCError(.unavailable, "The service \(configuration.service) cannot be reached."), wasSent: false)
    }

    private nonisolated func connection(isFirst: Bool) async -> ClientConnection? {
        loop.isCurrent ? chooseHere(isFirst: isFirst) : await choose(isFirst: isFirst)
    }

    /// As `choose`, for callers that are on the loop: without the cost of changing to the actor.
    private nonisolated func chooseHere(isFirst: Bool) -> ClientConnection? {
        assumeIsolated { $0.choose(isFirst: isFirst) }
    }

    private func choose(isFirst: Bool) -> ClientConnection? {
        if isFirst { budget.earn() }
        guard !isClosed else { return nil }
        let choice = balancer.choose(at: .now())
        for index in choice.probes where index != choice.call { open(index) }
        guard let index = choice.call else { return nil }
        if let connection = current[index], connection.assumeIsolated({ $0.takesCalls }) { return connection }
        return open(index)
    }

    /// How long to wait before the next try, which is then paid for; `nil` when there must not be one.
    private func delay(after failure: CallFailure, of call: OutgoingCall, attempt: Int) -> Duration? {
        guard !isClosed,
            let delay = configuration.retries.delay(
                after: failure, attempt: attempt, isIdempotent: call.isIdempotent, remaining: call.deadline.remaining,
                random: .random(in: 0...1)), budget.spend()
        else { return nil }
        return delay
    }

    /// False when the task was cancelled meanwhile. Sleeps in a task of the loop, since the caller may be on none.
    private nonisolated func pause(_ delay: Duration) async -> Bool {
        let sleeper = loop.throwingTask { [loop] in try await loop.sleep(for: delay) }
        return await withTaskCancellationHandler {
            if case .success = await sleeper.result { true } else { false }
        } onCancel: {
            sleeper.cancel()
        }
    }

    @discardableResult
    private func open(_ index: Int) -> ClientConnection {
        let connection = ClientConnection(
            to: configuration.endpoints[index], configuration: configuration, tls: tls, loop: loop,
            metrics: metrics)
        current[index] = connection
        balancer.opening(index)
        let task = loop.task {
            let end = await connection.run { await self.connected(index, connection) }
            await self.ended(index, connection, end)
        }
        running[ObjectIdentifier(connection)] = (connection, task)
        return connection
    }

    private func connected(_ index: Int, _ connection: ClientConnection) {
        if current[index] === connection { balancer.connected(index) }
    }

    private func ended(_ index: Int, _ connection: ClientConnection, _ end: ClientConnection.End) {
        running[ObjectIdentifier(connection)] = nil
        guard current[index] === connection else { return }
        current[index] = nil
        switch end {
        case .orderly: balancer.closed(index)
        case .failed(let wasUseful, let isRefused):
            balancer.failed(
                index, at: .now(), wasUseful: wasUseful, isRefused: isRefused, random: .random(in: 0...1))
        }
    }
}
