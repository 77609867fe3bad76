public import Primitives

/// The requests of a load, one after the other, and what a good answer is.
public protocol LoadSource: AnyObject {
    /// The most bytes that a request has.
    var requestBytesMax: Int { get }

    /// Writes the next request, head and body, and returns its length. `now` is the wall clock's time.
    func next(into target: UnsafeMutablePointer<UInt8>, at now: Timestamp) throws -> Int

    /// Whether an answer with the status 200 is good: the first bytes of its body.
    func isGood(_ body: UnsafeBufferPointer<UInt8>) -> Bool
}

extension UnsafeBufferPointer<UInt8> {
    /// Where `bytes` begin first.
    func position(of bytes: [UInt8]) -> Int? {
        guard let first = bytes.first, count >= bytes.count else { return nil }
        for start in 0...(count - bytes.count) where self[start] == first {
            if bytes.indices.allSatisfy({ self[start + $0] == bytes[$0] }) { return start }
        }
        return nil
    }
}
