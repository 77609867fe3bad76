/// Finds the lines of a head in a growing buffer. A line ends with CR LF; a bare LF is refused (RFC 9112 §2.2 lets a
/// server accept it; two servers that disagree about it are a way to smuggle requests).
struct LineScanner: Sendable {
    /// Where the first line that was not returned yet begins.
    private(set) var position = 0
    private var searched = 0

    /// The end of the next line, before its CR LF; `nil` when it has not arrived. Throws `tooLong` when no line ends
    /// before the offset `limit`.
    mutating func next(
        in octets: UnsafeRawBufferPointer, limit: Int, tooLong: @autoclosure () -> HTTPParseError
    ) throws(HTTPParseError) -> (start: Int, end: Int)? {
        let visible = min(octets.count, limit)
        guard let lineFeed = Octets.index(of: Octets.lineFeed, in: octets, from: searched, to: visible) else {
            searched = max(searched, visible)
            if octets.count >= limit { throw tooLong() }
            return nil
        }
        guard lineFeed > position, octets[lineFeed - 1] == Octets.carriageReturn else {
            throw HTTPParseError(.badRequest, "a line must end with CR LF")
        }
        defer {
            position = lineFeed + 1
            searched = position
        }
        return (position, lineFeed - 1)
    }
}
