import Glibc

/// Bytes that are appended at the end and consumed from the front.
public struct ByteBuffer: Sendable {
    private var storage: [UInt8] = []
    private var start = 0
    /// An emptied buffer of more than this many bytes gives its memory back.
    private static let keptBytesMax = 4096

    public init() {}
    public init(_ bytes: [UInt8]) { storage = bytes }

    public var count: Int { storage.count - start }
    public var isEmpty: Bool { start == storage.count }

    /// The byte `offset` after the first that is left.
    public subscript(offset: Int) -> UInt8 { storage[start + offset] }

    public mutating func append(contentsOf bytes: some Sequence<UInt8>) {
        compact()
        storage.append(contentsOf: bytes)
    }

    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        compact()
        storage.append(contentsOf: bytes)
    }

    /// Drops `count` bytes from the front.
    public mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "cannot consume more than there is")
        start += count
        guard start == storage.count else { return }
        storage.removeAll(keepingCapacity: storage.capacity <= Self.keptBytesMax)
        start = 0
    }

    /// What is left, until the closure returns.
    public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        let start = start
        return try storage.withUnsafeBufferPointer { (bytes) throws(E) -> R in
            try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...]))
        }
    }

    /// Copies out and consumes the first `count` bytes.
    public mutating func take(_ count: Int) -> [UInt8] {
        let bytes = Array(storage[start..<start + count])
        consume(count)
        return bytes
    }

    /// The offset of the first `byte` at or after `offset`.
    public func firstIndex(of byte: UInt8, from offset: Int = 0) -> Int? {
        withUnsafeBytes { bytes in
            guard offset < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + offset, Int32(byte), bytes.count - offset)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Moves what is left to the front once most of the storage is consumed: amortised constant per byte.
    private mutating func compact() {
        guard start > 0, start >= storage.count / 2 else { return }
        storage.removeSubrange(..<start)
        start = 0
    }
}
