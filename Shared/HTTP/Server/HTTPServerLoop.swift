import Reactor

/// What a server keeps for one of its loops: the connections there, the time, and buffers that are lent to them.
///
/// Sendable without the compiler's proof: after `init` it is used on its loop only.
final class HTTPServerLoop: @unchecked Sendable {
    private static let buffersMax = 16
    private static let bufferBytesMax = 64 * 1024

    let loop: EventLoop
    var defaults: ResponseDefaults
    var requestsInFlight = 0
    private(set) var requestsInFlightMax: Int
    /// The limits and timeouts.
    private(set) var configuration: HTTPServerConfiguration
    /// Shared with the server's other loops.
    let bodyMemory: BodyMemory
    let requestShares: NetworkShares
    private(set) var isStopping = false
    /// The server will stop soon: connections end after the answers under way.
    var isLeaving = false
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private var buffers: [[UInt8]] = []
    private var supervisor: Task<Void, Never>?
    private let loopCount: Int

    init(
        _ loop: EventLoop, configuration: HTTPServerConfiguration, loopCount: Int, bodyMemory: BodyMemory,
        requestShares: NetworkShares
    ) {
        self.loop = loop
        defaults = ResponseDefaults(isHTTPSOnly: configuration.isHTTPSOnly)
        self.configuration = configuration
        self.loopCount = loopCount
        requestsInFlightMax = Self.share(of: configuration, loopCount)
        self.bodyMemory = bodyMemory
        self.requestShares = requestShares
    }

    private static func share(of configuration: HTTPServerConfiguration, _ loopCount: Int) -> Int {
        max(1, configuration.requestsInFlightMax / loopCount)
    }

    /// Sets other limits and timeouts.
    func update(_ configuration: HTTPServerConfiguration) {
        loop.preconditionCurrent()
        self.configuration = configuration
        requestsInFlightMax = Self.share(of: configuration, loopCount)
    }

    func add(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = connection
        if supervisor == nil { supervisor = loop.task { [self] in await supervise() } }
    }

    func remove(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if connections.isEmpty {
            supervisor?.cancel()
            supervisor = nil
        }
    }

    /// Ends what is idle; what is being answered is told to be the last on its connection.
    func stop() {
        loop.preconditionCurrent()
        isStopping = true
        isLeaving = true
        for connection in connections.values { connection.assumeIsolated { $0.stop() } }
    }

    /// An empty buffer to write responses into.
    func takeBuffer() -> [UInt8] { buffers.popLast() ?? [] }

    func giveBack(_ buffer: consuming [UInt8]) {
        guard buffers.count < Self.buffersMax, buffer.capacity <= Self.bufferBytesMax else { return }
        var buffer = buffer
        buffer.removeAll(keepingCapacity: true)
        buffers.append(buffer)
    }

    /// Cancels handlers at their deadlines: one pass over the connections now and then costs less than a timer for each
    /// request.
    private func supervise() async {
        while !Task.isCancelled {
            let interval = min(.milliseconds(250), max(.milliseconds(5), configuration.timeouts.handler / 20))
            do { try await loop.sleep(for: interval) } catch { return }
            enforceDeadlines()
        }
    }

    private func enforceDeadlines() {
        let now = Deadline.now()
        for connection in connections.values { connection.assumeIsolated { $0.enforceDeadline(now) } }
    }
}
