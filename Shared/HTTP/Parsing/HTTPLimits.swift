/// What one message may cost. The answer to exceeding a limit is the status named.
public struct HTTPLimits: Sendable {
    /// Request line with its line end: 414.
    public var requestLineBytesMax = 8 * 1024
    /// All field lines of a head together: 431.
    public var fieldBytesMax = 32 * 1024
    /// Field lines of a head: 431.
    public var fieldCountMax = 100
    /// Body, unless a route says otherwise: 413.
    public var bodyBytesMax = 1024 * 1024
    /// The line before a chunk, with extensions: 400.
    public var chunkLineBytesMax = 256
    /// The fields after the last chunk, which are checked and dropped: 431.
    public var trailerBytesMax = 4096

    public init() {}
}
