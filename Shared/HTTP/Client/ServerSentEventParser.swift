/// Reads an event stream (WHATWG HTML §9.2.6) from bytes in any pieces. Events are limited in size.
public struct ServerSentEventParser: Sendable {
    public struct Event: Sendable, Equatable {
        /// `message` unless the server named it.
        public var name: String
        public var data: String
        /// The last id that the server gave, with this event or before.
        public var id: String?
    }

    private let eventBytesMax: Int
    private var line: [UInt8] = []
    private var afterReturn = false
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var lastID: String?
    private var isFirstLine = true

    public init(eventBytesMax: Int = 1024 * 1024) {
        self.eventBytesMax = eventBytesMax
    }

    /// The events that `bytes` complete. Errors: `responseTooLarge`.
    public mutating func events(in bytes: [UInt8]) throws(HTTPClientError) -> [Event] {
        var events: [Event] = []
        for octet in bytes {
            if octet == Octets.lineFeed, afterReturn {
                afterReturn = false
                continue
            }
            afterReturn = octet == Octets.carriageReturn
            if afterReturn || octet == Octets.lineFeed {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(octet)
                guard line.count + data.count <= eventBytesMax else { throw .responseTooLarge }
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        var line = self.line[...]
        if isFirstLine, line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
        isFirstLine = false
        defer { self.line = [] }
        if line.isEmpty { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        let field = String(decoding: line[..<(colon ?? line.endIndex)], as: UTF8.self)
        var value = colon.map { line[($0 + 1)...] } ?? []
        if value.first == Octets.space { value = value.dropFirst() }
        switch field {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data":
            if hasData { data.append(Octets.lineFeed) }
            data.append(contentsOf: value)
            hasData = true
        case "id" where !value.contains(0): lastID = String(decoding: value, as: UTF8.self)
        default: break
        }
        return nil
    }

    private mutating func dispatch() -> Event? {
        defer { (name, data, hasData) = ("", [], false) }
        guard hasData else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self), id: lastID)
    }
}
