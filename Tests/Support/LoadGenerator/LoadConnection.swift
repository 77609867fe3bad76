import CLinux
import Glibc

/// One connection of a load, over which one request at a time is under way.
final class LoadConnection {
    enum Step {
        /// More has to come.
        case wait
        /// An answer is complete: its status.
        case answer(Int)
        case broken
    }

    /// Of an answer's head and the first bytes of its body.
    private static let keptMax = 8192

    let descriptor: Int32
    private let output: UnsafeMutablePointer<UInt8>
    private var outputRange = 0..<0
    private let kept: UnsafeMutablePointer<UInt8>
    private var keptCount = 0
    /// Where the body begins among the kept bytes; `nil` while the head is incomplete.
    private var bodyAt: Int?
    /// Bytes of the body that are lacking; `nil`: it is chunked, and ends with `chunksEnd`.
    private var bodyLeft: Int?
    private var status = 0
    /// The last bytes of a chunked body.
    private var tail: [UInt8] = []
    private static let chunksEnd = Array("\r\n0\r\n\r\n".utf8)
    /// When the request was to be sent, on the monotonic clock in nanoseconds; `nil` while none is under way.
    var intendedAt: Int64?
    /// When the first byte of its answer came.
    private(set) var firstByteAt: Int64 = 0

    /// Connects; waits for that, since it is this machine or near it.
    init(_ address: sockaddr_in, requestBytesMax: Int) throws(LoadError) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        var address = address
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            let reason = errno
            close(descriptor)
            throw .system("connect", reason)
        }
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        self.descriptor = descriptor
        output = .allocate(capacity: requestBytesMax)
        kept = .allocate(capacity: Self.keptMax)
    }

    deinit {
        close(descriptor)
        output.deallocate()
        kept.deallocate()
    }

    /// Begins a request that `write` writes and returns the length of. `false` when the connection is broken.
    func begin(intendedAt time: Int64, _ write: (UnsafeMutablePointer<UInt8>) throws -> Int) rethrows -> Bool {
        outputRange = 0..<(try write(output))
        intendedAt = time
        (keptCount, bodyAt, bodyLeft, status) = (0, nil, nil, 0)
        tail.removeAll(keepingCapacity: true)
        return flush()
    }

    /// Sends what the network takes. `false` when the connection is broken.
    func flush() -> Bool {
        while !outputRange.isEmpty {
            let count = send(
                descriptor, output + outputRange.lowerBound, outputRange.count, Int32(MSG_NOSIGNAL))
            if count < 0 {
                if errno == EINTR { continue }
                return errno == EAGAIN
            }
            outputRange = (outputRange.lowerBound + count)..<outputRange.upperBound
        }
        return true
    }

    /// Reads what has come, into `scratch` what is not kept.
    func receive(_ scratch: UnsafeMutableRawBufferPointer) -> Step {
        while true {
            let room = Self.keptMax - keptCount
            let count =
                room > 0
                ? recv(descriptor, kept + keptCount, room, 0) : recv(descriptor, scratch.baseAddress, scratch.count, 0)
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                return count < 0 && errno == EAGAIN ? .wait : .broken
            }
            if keptCount == 0 { firstByteAt = monotonicNanoseconds() }
            let fresh =
                room > 0
                ? UnsafeRawBufferPointer(start: kept + keptCount, count: count)
                : UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(scratch)[..<count])
            if room > 0 { keptCount += count }
            if let isComplete = take(fresh) {
                guard isComplete else { continue }
                return .answer(status)
            }
            return .broken
        }
    }

    /// The first bytes of the answer's body.
    var body: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: kept + (bodyAt ?? 0), count: keptCount - (bodyAt ?? 0))
    }

    /// Whether the answer is complete; `nil` when it is none.
    private func take(_ fresh: UnsafeRawBufferPointer) -> Bool? {
        var fresh = fresh
        if bodyAt == nil {
            let all = UnsafeBufferPointer(start: kept, count: keptCount)
            guard let end = all.position(of: Array("\r\n\r\n".utf8)) else {
                return keptCount < Self.keptMax ? false : nil
            }
            guard readHead(UnsafeBufferPointer(rebasing: all[..<end])) else { return nil }
            bodyAt = end + 4
            fresh = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(all)[(end + 4)...])
        }
        if let left = bodyLeft {
            bodyLeft = left - fresh.count
            return left < fresh.count ? nil : left == fresh.count
        }
        tail += fresh.suffix(Self.chunksEnd.count)
        tail.removeFirst(max(0, tail.count - Self.chunksEnd.count))
        return tail == Self.chunksEnd
    }

    private func readHead(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
        // HTTP/1.1 200
        guard head.count >= 12 else { return false }
        status = (9..<12).reduce(0) { $0 * 10 + Int(head[$1]) - 48 }
        var line = 0
        while line < head.count {
            let rest = UnsafeBufferPointer(rebasing: head[line...])
            if rest.begins(withField: Self.lengthField) {
                bodyLeft = rest.number(at: Self.lengthField.count)
                return bodyLeft != nil
            }
            if rest.begins(withField: Self.encodingField) { return true }
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return false }
            line += end + 1
        }
        return false
    }

    /// In lower case.
    private static let lengthField = Array("content-length:".utf8)
    private static let encodingField = Array("transfer-encoding: chunked".utf8)
}

/// The monotonic clock, which all processes of this machine share.
public func monotonicNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension UnsafeBufferPointer<UInt8> {
    /// In upper or lower case.
    fileprivate func begins(withField name: [UInt8]) -> Bool {
        guard count >= name.count else { return false }
        for index in name.indices {
            let byte = self[index]
            let lower = (65...90).contains(byte) ? byte + 32 : byte
            if lower != name[index] { return false }
        }
        return true
    }

    /// The decimal number after spaces, up to the end of the line.
    fileprivate func number(at start: Int) -> Int? {
        var number: Int?
        for byte in self[start...] {
            switch byte {
            case 48...57: number = (number ?? 0) * 10 + Int(byte - 48)
            case UInt8(ascii: " ") where number == nil: break
            case UInt8(ascii: "\r"): return number
            default: return nil
            }
            // A terabyte: no answer is longer.
            if number ?? 0 > 1 << 40 { return nil }
        }
        return number
    }
}
