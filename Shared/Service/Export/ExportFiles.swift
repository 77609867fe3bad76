public import Contracts
import JSON
import Primitives

/// Files of an export that are small enough to be made as a whole: what a service has of an account beside what grows.
public struct ExportFiles: Sendable {
    /// There is no memory to compress with.
    struct NoMemory: Error {}

    public private(set) var pieces: [Exports.Piece] = []

    public init() {}

    /// A file of this content; none for an empty one.
    public mutating func add(_ path: String, _ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        guard let deflater = Deflater() else { throw NoMemory() }
        deflater.add(bytes)
        pieces.append(deflater.finish(path: path))
    }

    /// A file with one JSON object; none for `nil`.
    public mutating func add(_ path: String, json value: (some Encodable)?) throws {
        guard let value else { return }
        try add(path, try JSONEncoder().encode(value))
    }

    /// A file of one JSON object per line (https://jsonlines.org); none without objects. Called again with the same path, its
    /// lines go on.
    public mutating func add(_ path: String, lines: [some Encodable]) throws {
        try add(path, try lines.flatMap { value throws(JSONError) in try JSONEncoder().encode(value) + [10] })
    }
}
