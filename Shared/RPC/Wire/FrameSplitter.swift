import Reactor

/// Cuts what arrives into frames: one JSON text per line, ended by a line feed. A compact JSON text never holds one.
struct FrameSplitter {
    /// A frame may have this many bytes, without its line feed.
    let frameBytesMax: Int
    /// Bytes at the front of the buffer that are known to hold no line feed, so that none is looked at twice.
    private var searchedBytes = 0

    init(frameBytesMax: Int) {
        self.frameBytesMax = frameBytesMax
    }

    /// A frame was longer than allowed. Where the next one begins is not known, so the connection cannot go on.
    struct FrameTooLong: Error {}

    /// Takes the next whole frame out of the buffer, without its line feed; `nil` when more bytes are needed. Empty
    /// lines are passed over.
    mutating func next(in buffer: inout ByteBuffer) throws(FrameTooLong) -> [UInt8]? {
        while true {
            guard let end = buffer.firstIndex(of: UInt8(ascii: "\n"), from: searchedBytes) else {
                searchedBytes = buffer.count
                guard searchedBytes <= frameBytesMax else { throw FrameTooLong() }
                return nil
            }
            searchedBytes = 0
            guard end <= frameBytesMax else { throw FrameTooLong() }
            if end == 0 || (end == 1 && buffer[0] == UInt8(ascii: "\r")) {
                buffer.consume(end + 1)
                continue
            }
            let frame = buffer.withUnsafeBytes { [UInt8]($0.prefix(end)) }
            buffer.consume(end + 1)
            return frame
        }
    }
}
