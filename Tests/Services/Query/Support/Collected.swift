import Synchronization

/// Bodies gathered from several places.
final class Collected: Sendable {
    private let bodies = Mutex<[[UInt8]]>([])

    func add(_ body: [UInt8]) { bodies.withLock { $0.append(body) } }
    var all: [[UInt8]] { bodies.withLock { $0 } }
}
