import Glibc
import Primitives

/// Writes uploads into the memory of requests: head, token, and a body that was made before, with its number and times.
struct UploadWriter {
    private let head: [UInt8]
    private let middle = Array("\r\nContent-Length: ".utf8)
    private var (sentText, startText) = (TimeText(), TimeText())

    init(host: String) {
        head = Array(
            "POST /ingestion/v1/uploads HTTP/1.1\r\nHost: \(host)\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                .utf8)
    }

    /// The most that a request with one of these bodies has.
    func requestBytesMax(_ bodies: some Sequence<UploadBody>, tokenBytes: Int) -> Int {
        head.count + tokenBytes + middle.count + 32 + (bodies.lazy.map(\.bytes.count).max() ?? 0)
    }

    /// Returns the request's length. `start` is the time that offsets count from, both in milliseconds since the epoch.
    mutating func write(
        _ body: UploadBody, number: Int64, token: UnsafeBufferPointer<UInt8>, sentAt: Int64, start: Int64,
        into target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var end = target
        func add(_ bytes: UnsafeBufferPointer<UInt8>) {
            guard let base = bytes.baseAddress else { return }
            end.update(from: base, count: bytes.count)
            end += bytes.count
        }
        head.withUnsafeBufferPointer(add)
        add(token)
        middle.withUnsafeBufferPointer(add)
        body.lengthLine.withUnsafeBufferPointer(add)
        let bodyStart = end
        body.bytes.withUnsafeBufferPointer(add)
        Self.write(number, to: bodyStart + body.numberAt)
        sentText.write(sentAt, to: bodyStart + body.sentAt)
        for position in body.startsAt { startText.write(start, to: bodyStart + position) }
        return end - target
    }

    private static func write(_ number: Int64, to target: UnsafeMutablePointer<UInt8>) {
        var left = number
        for index in (0..<UploadBody.numberDigits).reversed() {
            target[index] = UInt8(ascii: "0") + UInt8(left % 10)
            left /= 10
        }
    }
}
