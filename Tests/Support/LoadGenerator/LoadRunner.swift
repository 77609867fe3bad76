import CLinux
import Glibc
import Primitives

/// Sends a load from one thread: HTTP/1.1 over connections that stay, one request at a time on each.
///
/// Open loop: the time of each request is fixed in advance, and latency counts from that time, so that a service that
/// falls behind is seen to. Closed loop: each connection sends the next request when it has its answer. Blocks the thread.
public final class LoadRunner {
    public enum Pace: Sendable {
        /// Requests per second.
        case open(rate: Double)
        case closed
    }

    public enum Length: Sendable {
        case seconds(Double)
        case requests(Int)
    }

    /// How long answers may take after the last request.
    private static let drainNanoseconds: Int64 = 30_000_000_000
    private static let eventsMax = 512

    private let address: sockaddr_in
    private let source: any LoadSource
    private let epoll: Int32
    private var connections: [LoadConnection?]
    private var free: [Int] = []
    private let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: LoadRunner.eventsMax)
    private var result = LoadResult()

    /// `port` on this machine or another, by IPv4 address.
    public init(
        host: String, port: UInt16, connections count: Int, source: any LoadSource
    ) throws(LoadError) {
        precondition(count > 0, "no connections")
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { throw .address("\(host):\(port)") }
        self.address = address
        self.source = source
        epoll = epoll_create1(Int32(O_CLOEXEC))
        guard epoll >= 0 else { throw .system("epoll_create1", errno) }
        connections = Array(repeating: nil, count: count)
        for index in 0..<count { try connect(index) }
    }

    deinit {
        close(epoll)
        scratch.deallocate()
        events.deallocate()
    }

    private func connect(_ index: Int) throws(LoadError) {
        let connection = try LoadConnection(address, requestBytesMax: source.requestBytesMax)
        let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLET.rawValue
        guard tm_epoll_ctl(epoll, EPOLL_CTL_ADD, connection.descriptor, events, UInt64(index)) == 0 else {
            throw .system("epoll_ctl", errno)
        }
        connections[index] = connection
        free.append(index)
    }

    /// Runs to the end of `length` and until all answers are there. May be called again: connections stay. Errors: `system`
    /// when a broken connection cannot be replaced, and those of the source.
    public func run(_ pace: Pace, for length: Length) throws -> LoadResult {
        result = LoadResult()
        let begin = monotonicNanoseconds()
        result.beganAt = begin
        var wall = (time: Timestamp.now(), at: begin)
        let (end, requestsMax): (Int64, Int) =
            switch length {
            case .seconds(let seconds): (begin + Int64(seconds * 1e9), .max)
            case .requests(let count): (.max, count)
            }
        var begun = 0
        var dueMax = 0
        var overSince: Int64?
        // Connections that were closed since the last time.
        try wait(until: begin, begin)
        while true {
            let now = monotonicNanoseconds()
            if now - wall.at > 1_000_000_000 { wall = (.now(), now) }
            let time = wall.time + .nanoseconds(now - wall.at)
            // Those whose time has come, as long as a connection is free.
            if now < end {
                dueMax = min(requestsMax, Self.due(pace, now - begin))
            } else if case .closed = pace {
                dueMax = begun
            }
            while begun < dueMax, let index = free.popLast() {
                let intended = Self.intended(pace, begun, begin, now)
                begun += 1
                try send(index, intended, time)
            }
            let isOver = now >= end || begun >= requestsMax
            if isOver, free.count == connections.count { break }
            if isOver { overSince = overSince ?? now }
            if let overSince, now - overSince > Self.drainNanoseconds { break }
            try wait(until: Self.wakeUp(pace, begun, begin, isOver: isOver), now)
        }
        let last = monotonicNanoseconds()
        result.seconds = Double(last - begin) / 1e9
        if case .open = pace { result.unsent = dueMax - begun }
        for index in connections.indices where connections[index]?.intendedAt != nil { try replace(index) }
        return result
    }

    /// How many requests are to be sent until `elapsed` nanoseconds after the beginning.
    private static func due(_ pace: Pace, _ elapsed: Int64) -> Int {
        switch pace {
        case .open(let rate): Int(Double(elapsed) / 1e9 * rate) + 1
        case .closed: .max
        }
    }

    private static func intended(_ pace: Pace, _ index: Int, _ begin: Int64, _ now: Int64) -> Int64 {
        switch pace {
        case .open(let rate): begin + Int64(Double(index) / rate * 1e9)
        case .closed: now
        }
    }

    /// When the next request is due, if a connection is free for it; else an answer comes first.
    private static func wakeUp(_ pace: Pace, _ begun: Int, _ begin: Int64, isOver: Bool) -> Int64? {
        guard case .open(let rate) = pace, !isOver else { return nil }
        return begin + Int64(Double(begun) / rate * 1e9)
    }

    private func send(_ index: Int, _ intended: Int64, _ now: Timestamp) throws {
        guard let connection = connections[index] else { return }
        let isFine = try connection.begin(intendedAt: intended) { try source.next(into: $0, at: now) }
        if !isFine { try replace(index) }
    }

    private func wait(until time: Int64?, _ now: Int64) throws {
        // A tenth of a millisecond at least, in which several become due; a second at most.
        let pause = min(1_000_000_000, max(100_000, (time ?? .max) - now))
        var limit = timespec(tv_sec: Int(pause / 1_000_000_000), tv_nsec: Int(pause % 1_000_000_000))
        let count = epoll_pwait2(epoll, events, Int32(Self.eventsMax), &limit, nil)
        guard count >= 0 else {
            if errno == EINTR { return }
            throw LoadError.system("epoll_pwait2", errno)
        }
        for number in 0..<Int(count) {
            let index = Int(tm_epoll_data(events + number))
            guard let connection = connections[index] else { continue }
            guard connection.intendedAt != nil else {
                if case .wait = connection.receive(scratch) { continue }
                // The server has closed it, since it was idle for long; nothing is lost by that.
                free.removeAll { $0 == index }
                try connect(index)
                continue
            }
            guard connection.flush() else {
                try replace(index)
                continue
            }
            switch connection.receive(scratch) {
            case .wait: break
            case .broken: try replace(index)
            case .answer(let status): finish(index, connection, status)
            }
        }
    }

    private func finish(_ index: Int, _ connection: LoadConnection, _ status: Int) {
        if status == 200, source.isGood(connection.body) {
            result.good += 1
            let intended = connection.intendedAt ?? 0
            result.latency.add(microseconds: (monotonicNanoseconds() - intended) / 1000)
            result.firstByte.add(microseconds: (connection.firstByteAt - intended) / 1000)
        } else {
            result.refused[status, default: 0] += 1
            if result.example.isEmpty {
                result.example = String(decoding: connection.body.prefix(400), as: UTF8.self)
            }
        }
        connection.intendedAt = nil
        free.append(index)
    }

    /// What was under way on it is lost.
    private func replace(_ index: Int) throws {
        result.broken += 1
        connections[index] = nil
        try connect(index)
    }
}
