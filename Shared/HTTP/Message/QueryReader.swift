import Primitives

/// Reads the parameters of a request's query and collects what is wrong with them: one that nobody asked for, one that
/// comes twice, and values that cannot be used. See `HTTPRequest.parameters`.
public struct QueryReader {
    private var items: QueryItems
    private var asked: Set<String> = []
    private var ignoresUnknown = false
    private(set) var faults: [Problem.FieldError] = []

    init(_ items: QueryItems) {
        self.items = items
    }

    /// Takes parameters without a value as absent: browsers send the fields of a form that were left empty.
    public mutating func ignoreEmpty() { items = QueryItems(items: items.items.filter { !$0.value.isEmpty }) }

    /// Takes parameters that nobody asks for as absent: whoever passes a link to a page on may add some.
    public mutating func ignoreUnknown() { ignoresUnknown = true }

    /// The text of a parameter; `nil` when it is absent.
    public mutating func text(_ name: String) -> String? {
        asked.insert(name)
        let values = items.all(name)
        if values.count > 1 { refuse(name, "this parameter comes more than once") }
        return values.first
    }

    /// A time, date, number, identifier …; `nil` when it is absent or cannot be read.
    public mutating func value<T: LosslessStringConvertible>(_ name: String, as type: T.Type = T.self) -> T? {
        guard let text = text(name) else { return nil }
        if let value = T(text) { return value }
        let isSpaced = text.contains(" ") && T(String(text.map { $0 == " " ? "+" : $0 })) != nil
        let reason = isSpaced ? "a + in a query is a space: write %2B" : "write \(Self.form(of: type))"
        refuse(name, reason)
        return nil
    }

    /// A whole number in `range`.
    public mutating func number(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        guard let text = text(name) else { return nil }
        if let number = Int(text), range.contains(number) { return number }
        refuse(name, "write a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// One of an enumeration's values.
    public mutating func choice<C: CaseIterable & RawRepresentable<String>>(
        _ name: String, of type: C.Type = C.self
    ) -> C? {
        guard let text = text(name) else { return nil }
        if let value = C(rawValue: text) { return value }
        refuse(name, "write one of \(C.allCases.map(\.rawValue).joined(separator: ", "))")
        return nil
    }

    /// Where the page before ended, from that page's answer.
    public mutating func cursor<Key: Decodable>(_ name: String = "cursor", as type: Key.Type = Key.self) -> Key? {
        guard let text = text(name) else { return nil }
        if let key = HTTPCursor.decode(text, as: type) { return key }
        refuse(name, "take the cursor as it was in the answer to the page before")
        return nil
    }

    /// Adds a fault of a parameter that was asked for.
    public mutating func refuse(_ name: String, _ detail: String) {
        guard !faults.contains(where: { $0.parameter == name }) else { return }
        faults.append(.init(parameter: name, detail: detail))
    }

    /// `value`, which has to be there; throws the faults found so far when it is not.
    public mutating func required<Value>(_ name: String, _ value: Value?) throws(Problem) -> Value {
        if let value { return value }
        refuse(name, "this parameter is missing")
        throw Problem(parameters: faults)
    }

    /// All faults, once everything has been asked for.
    func check() throws(Problem) {
        var faults = faults
        let unknown = ignoresUnknown ? [] : Set(items.items.map(\.name)).subtracting(asked)
        for name in unknown.sorted() {
            let known = asked.isEmpty ? "none" : asked.sorted().joined(separator: ", ")
            faults.append(.init(parameter: String(name.prefix(64)), detail: "not known here; known: \(known)"))
        }
        if !faults.isEmpty { throw Problem(parameters: faults) }
    }

    private static func form(of type: any LosslessStringConvertible.Type) -> String {
        switch type {
        case is Timestamp.Type: "a time such as 2026-11-22T10:00:00Z"
        case is CalendarDate.Type: "a date such as 2026-11-22"
        case is UUID.Type: "an identifier such as 0193a3a4-6c3e-7d5c-8f00-3b1f7a1c2d3e"
        case is Int.Type, is Int64.Type: "a whole number"
        default: "a value of the documented form"
        }
    }
}

extension HTTPRequest {
    /// What `read` makes of the query's parameters. 400 for a query that is malformed, 422 with every fault for parameters
    /// that are not known or cannot be used.
    public func parameters<R>(_ read: (inout QueryReader) throws(Problem) -> R) throws(Problem) -> R {
        var reader = QueryReader(try query())
        let value = try read(&reader)
        try reader.check()
        return value
    }

    /// 422 for a query on a route that has no parameters.
    public func refuseQuery() throws(Problem) {
        guard head.queryRange != nil else { return }
        try parameters { (_) throws(Problem) in }
    }
}

extension Problem {
    /// 422 for parameters of the query or path.
    public init(parameters faults: [FieldError]) {
        let names = faults.compactMap(\.parameter).joined(separator: ", ")
        self.init(
            .unprocessableContent, code: "invalid-request", detail: "these parameters cannot be used: \(names)",
            errors: faults)
    }

    /// 422 for one parameter.
    public init(parameter name: String, _ detail: String) {
        self.init(
            .unprocessableContent, code: "invalid-request", detail: "\(name): \(detail)",
            errors: [FieldError(parameter: name, detail: detail)])
    }
}
