import CLinux
import Glibc
import Primitives

/// Event streams over plain connections of their own, thousands of them on one thread, and what comes over them counted. Blocks.
final class StreamPool {
    struct Stream {
        let descriptor: Int32
        var bytes = 0
        /// Pieces that came in themselves.
        var pieces = 0
        var isOver = false
        /// Of somebody who has withdrawn: bytes that had come before the answer and are not read yet.
        var bytesBefore: Int?
        var bytesAfter = 0
        /// What came after the answer begins so.
        var after: [UInt8] = []
    }

    private static let eventsMax = 512
    private static let headBytesMax = 8192
    private static let shownBytesMax = 200
    private static let answerSeconds = 10
    /// Keys of connections that are no streams.
    private static let othersFrom: UInt64 = 1 << 32

    private(set) var streams: [Stream] = []
    private let port: UInt16
    private let epoll: Int32
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: StreamPool.eventsMax)
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(port: UInt16) throws {
        self.port = port
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw BenchError.system("epoll_create1", errno) }
    }

    deinit {
        for stream in streams where !stream.isOver { close(stream.descriptor) }
        close(epoll)
        events.deallocate()
    }

    /// Opens a stream, whose number is the next one from 0: it is there once its head is.
    func open(_ path: String, token: String) throws {
        let descriptor = try connect()
        streams.append(Stream(descriptor: descriptor))
        try send(RequestText.make("GET", path, token: token, accept: "text/event-stream"), to: descriptor)
        var head: [UInt8] = []
        while !head.contains(emptyLine: ()) {
            let count = recv(descriptor, &buffer, Self.headBytesMax, 0)
            guard count > 0, head.count + count <= Self.headBytesMax else {
                throw BenchError.failed("a stream without an answer: \(String(decoding: head, as: UTF8.self))")
            }
            head += buffer[..<count]
        }
        guard head.starts(with: Array("HTTP/1.1 200".utf8)) else {
            throw BenchError.failed("a stream was answered \(String(decoding: head.prefix(600), as: UTF8.self))")
        }
        try watch(descriptor, key: UInt64(streams.count - 1))
    }

    /// Sends another request over a connection of its own, whose descriptor `wait` tells once there is an answer.
    func begin(_ request: [UInt8]) throws -> Int32 {
        let descriptor = try connect()
        try send(request, to: descriptor)
        try watch(descriptor, key: Self.othersFrom + UInt64(descriptor))
        return descriptor
    }

    /// Reads what comes, for at most so long, and waits for something at most once. Returns the connections of `begin` that
    /// have an answer: what comes over the streams in the same moment is read after whoever called has looked at them.
    func wait(milliseconds: Int) throws -> [Int32] {
        let count = epoll_wait(epoll, events, Int32(Self.eventsMax), Int32(milliseconds))
        guard count >= 0 else {
            if errno == EINTR { return [] }
            throw BenchError.system("epoll_wait", errno)
        }
        let keys = (0..<Int(count)).map { tm_epoll_data(events + $0) }
        let others = keys.filter { $0 >= Self.othersFrom }
        // They come again at once: the events are told by level.
        guard others.isEmpty else { return others.map { Int32($0 - Self.othersFrom) } }
        for key in keys { try receive(Int(key)) }
        return []
    }

    /// Reads the answer of `begin`, and closes its connection. Returns its status.
    func finish(_ descriptor: Int32) throws -> Int {
        defer { close(descriptor) }
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count >= 12 else { throw BenchError.failed("a call without an answer") }
        return (9..<12).reduce(0) { $0 * 10 + Int(buffer[$1]) - 48 }
    }

    /// From here on bytes of the stream count as late, but those that are here already and wait to be read. Call as soon as the
    /// answer is here: what comes in between is taken for earlier.
    func endData(of number: Int) throws {
        guard !streams[number].isOver else {
            streams[number].bytesBefore = 0
            return
        }
        var waiting: Int32 = 0
        guard ioctl(streams[number].descriptor, UInt(FIONREAD), &waiting) == 0 else {
            throw BenchError.system("ioctl", errno)
        }
        streams[number].bytesBefore = Int(waiting)
    }

    private func receive(_ number: Int) throws {
        guard !streams[number].isOver else { return }
        let descriptor = streams[number].descriptor
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else {
            close(descriptor)
            streams[number].isOver = true
            return
        }
        streams[number].bytes += count
        streams[number].pieces += 1
        guard let before = streams[number].bytesBefore else { return }
        let late = max(0, count - before)
        streams[number].bytesBefore = max(0, before - count)
        guard late > 0 else { return }
        streams[number].bytesAfter += late
        let shown = Self.shownBytesMax - streams[number].after.count
        streams[number].after += buffer[(count - late)..<count].prefix(shown)
    }

    // MARK: Sockets

    private func watch(_ descriptor: Int32, key: UInt64) throws {
        guard tm_epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, EPOLLIN.rawValue, key) == 0 else {
            throw BenchError.system("epoll_ctl", errno)
        }
    }

    private func connect() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError.system("socket", errno) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            let reason = errno
            close(descriptor)
            throw BenchError.system("connect", reason)
        }
        // A head that never comes is an error, not a wait without end.
        var limit = timeval(tv_sec: Self.answerSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return descriptor
    }

    private func send(_ request: [UInt8], to descriptor: Int32) throws {
        guard Glibc.send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw BenchError.system("send", errno)
        }
    }
}

extension [UInt8] {
    /// Whether the head of an answer is complete.
    fileprivate func contains(emptyLine: ()) -> Bool {
        let end = Array("\r\n\r\n".utf8)
        guard count >= end.count else { return false }
        return (0...(count - end.count)).contains { self[$0..<$0 + end.count].elementsEqual(end) }
    }
}
