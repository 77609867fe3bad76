/// Names and values of a query string or of a form, decoded, in their order. At most `countMax`.
public struct QueryItems: Sendable {
    public static let countMax = 100

    public let items: [(name: String, value: String)]

    init(items: [(name: String, value: String)]) { self.items = items }

    /// `a=1&b=2`, with `+` for a space; `nil` when an escape is broken, the text is not UTF-8 or holds control
    /// characters, or there are too many items.
    init?(_ octets: UnsafeRawBufferPointer) {
        var items: [(name: String, value: String)] = []
        var start = 0
        while start < octets.count {
            let end = Octets.index(of: UInt8(ascii: "&"), in: octets, from: start, to: octets.count) ?? octets.count
            defer { start = end + 1 }
            guard start < end else { continue }
            let equals = Octets.index(of: UInt8(ascii: "="), in: octets, from: start, to: end) ?? end
            guard items.count < Self.countMax,
                let name = PercentEncoding.decode(Octets.slice(octets, start, equals), plusIsSpace: true),
                let value = PercentEncoding.decode(
                    Octets.slice(octets, min(equals + 1, end), end), plusIsSpace: true)
            else { return nil }
            items.append((name, value))
        }
        self.items = items
    }

    public init?(_ text: String) {
        var text = text
        guard let items = text.withUTF8({ QueryItems(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = items
    }

    /// The first value of `name`.
    public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// All values of `name`, in order.
    public func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}
