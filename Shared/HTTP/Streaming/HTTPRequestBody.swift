/// A request's body: read before the handler began, or while it runs.
public enum HTTPRequestBody: Sendable {
    case buffered([UInt8])
    case streaming(HTTPBodySource)
}

/// A body in pieces of at most 64 KiB. Errors: 400 when it is malformed or incomplete, 408 when it is too slow, 413
/// when it is too large.
public struct HTTPBodyChunks: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = Problem

    let body: HTTPRequestBody

    public struct AsyncIterator: AsyncIteratorProtocol {
        private var rest: [UInt8]?
        private let source: HTTPBodySource?

        init(_ body: HTTPRequestBody) {
            switch body {
            case .buffered(let bytes): (rest, source) = (bytes.isEmpty ? nil : bytes, nil)
            case .streaming(let source): (rest, self.source) = (nil, source)
            }
        }

        public mutating func next() async throws(Problem) -> [UInt8]? {
            if let source { return try await source.next() }
            defer { rest = nil }
            return rest
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Problem) -> [UInt8]? {
            if let source { return try await source.next() }
            defer { rest = nil }
            return rest
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body) }
}
