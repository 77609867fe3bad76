import Glibc
import Synchronization

/// Finds the addresses of host names with `getaddrinfo`, on threads of its own: it blocks for as long as resolv.conf(5)
/// lets it. Who asks for a name that is being looked up already waits for the same answer, so that a zone without a
/// server takes one thread and leaves the others to other names.
final class NameResolver: Sendable {
    typealias Answer = Result<[SocketAddress], IOError>

    private final class LookUp: Sendable {
        let ended = EventCounter()
        let answer = Mutex<Answer?>(nil)
        /// How many wait for it still; grows under the resolver's lock.
        let waiting = Atomic<Int>(0)
    }

    static let shared: NameResolver = {
        do {
            return NameResolver(try BlockingPool(threads: 8, queueMax: 1024)) { lookUp($0) }
        } catch {
            preconditionFailure("no threads for name resolution: \(error)")
        }
    }()

    private let pool: BlockingPool
    private let lookUp: @Sendable (String) -> Answer
    private let underWay = Mutex<[String: LookUp]>([:])

    init(_ pool: BlockingPool, lookUp: @escaping @Sendable (String) -> Answer) {
        self.pool = pool
        self.lookUp = lookUp
    }

    /// The addresses of `host`, at least one, with port 0. Call on a loop. Errors: `resolve`; `limit` when too many names
    /// wait; `timedOut`, `cancelled`: then the look-up goes on without this caller.
    func addresses(of host: String, deadline: Deadline) async throws(IOError) -> [SocketAddress] {
        guard !deadline.hasPassed else { throw .timedOut }
        let mine = try join(host)
        _ = await mine.ended.wait(after: 0, deadline: deadline)
        mine.waiting.subtract(1, ordering: .relaxed)
        if let answer = mine.answer.withLock({ $0 }) { return try answer.get() }
        throw Task.isCancelled ? .cancelled : .timedOut
    }

    private func join(_ host: String) throws(IOError) -> LookUp {
        let (joined, isNew) = underWay.withLock { underWay in
            let known = underWay[host]
            let joined = known ?? LookUp()
            joined.waiting.add(1, ordering: .relaxed)
            underWay[host] = joined
            return (joined, known == nil)
        }
        guard isNew else { return joined }
        do throws(IOError) {
            try pool.start { [self] in perform(joined, host) }
        } catch {
            end(joined, host, .failure(error))
            throw error
        }
        return joined
    }

    /// On a thread of the pool. Nobody may want the answer any more by the time that its turn comes.
    private func perform(_ lookUp: LookUp, _ host: String) {
        let isWanted = underWay.withLock { underWay in
            guard lookUp.waiting.load(ordering: .relaxed) == 0 else { return true }
            underWay[host] = nil
            return false
        }
        if isWanted { end(lookUp, host, self.lookUp(host)) }
    }

    private func end(_ lookUp: LookUp, _ host: String, _ answer: Answer) {
        lookUp.answer.withLock { $0 = answer }
        underWay.withLock { $0[host] = nil }
        lookUp.ended.raise()
    }

    private static func lookUp(_ host: String) -> Answer {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &list)
        guard code == 0 else { return .failure(.resolve("\(host): \(String(cString: gai_strerror(code)))")) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next, addresses.count < 16 {
            if let address = info.pointee.ai_addr {
                var storage = sockaddr_storage()
                withUnsafeMutableBytes(of: &storage) {
                    $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(info.pointee.ai_addrlen)))
                }
                if let known = SocketAddress(storage), !addresses.contains(known) { addresses.append(known) }
            }
            next = info.pointee.ai_next
        }
        return addresses.isEmpty ? .failure(.resolve("\(host): no address")) : .success(addresses)
    }
}
