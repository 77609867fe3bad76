/// Patterns as a trie over path segments. A literal segment goes before `:name` (one segment), which goes before
/// `*name` (all the rest, at least one octet); the first full match in that order wins. `/a` and `/a/` are different
/// paths.
struct RouteTree: Sendable {
    private struct Node: Sendable {
        var literals: [(segment: [UInt8], node: Int)] = []
        var parameter: Int?
        var tail: Int?
        /// By method.
        var routes: [HTTPRoute?] = []
    }

    /// How a pattern's segment matches.
    enum Segment: Equatable {
        case literal(String)
        case parameter(String)
        case tail(String)
    }

    private static let segmentsMax = 32
    private var nodes = [Node()]

    static func segments(of pattern: String) -> [Segment] {
        precondition(pattern.hasPrefix("/"), "a route's pattern begins with a slash: \(pattern)")
        let segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            text -> Segment in
            switch text.first {
            case ":": .parameter(String(text.dropFirst()))
            case "*": .tail(String(text.dropFirst()))
            default: .literal(String(text))
            }
        }
        precondition(segments.count <= segmentsMax, "a route's pattern has too many segments: \(pattern)")
        for (index, segment) in segments.enumerated() {
            if case .tail = segment { precondition(index == segments.count - 1, "* ends a pattern: \(pattern)") }
        }
        return segments
    }

    /// Adds a route; a method and pattern can be added once.
    mutating func add(_ method: HTTPMethod, _ segments: [Segment], _ route: HTTPRoute) {
        var node = 0
        for segment in segments { node = child(of: node, segment) }
        if nodes[node].routes.isEmpty { nodes[node].routes = .init(repeating: nil, count: HTTPMethod.allCases.count) }
        precondition(nodes[node].routes[Int(method.rawValue)] == nil, "\(method) \(route.pattern) is routed twice")
        nodes[node].routes[Int(method.rawValue)] = route
    }

    private mutating func child(of node: Int, _ segment: Segment) -> Int {
        switch segment {
        case .literal(let text):
            let octets = Array(text.utf8)
            if let known = nodes[node].literals.first(where: { $0.segment == octets }) { return known.node }
            nodes[node].literals.append((octets, nodes.count))
        case .parameter:
            if let known = nodes[node].parameter { return known }
            nodes[node].parameter = nodes.count
        case .tail:
            if let known = nodes[node].tail { return known }
            nodes[node].tail = nodes.count
        }
        nodes.append(Node())
        return nodes.count - 1
    }

    /// What the path of `head` leads to; HEAD takes GET's route when it has none of its own.
    func match(_ head: HTTPRequestHead) -> HTTPRouteMatch {
        head.octets.withUnsafeBytes { octets in
            let path = Octets.slice(octets, head.pathRange.lowerBound, head.pathRange.upperBound)
            guard path.first == UInt8(ascii: "/") else { return .notFound }
            var captures: [Range<Int>] = []
            guard let found = find(0, path, 1, head.pathHasEscapes, &captures) else { return .notFound }
            let routes = nodes[found].routes
            var route = routes[Int(head.method.rawValue)]
            if route == nil, head.method == .head { route = routes[Int(HTTPMethod.get.rawValue)] }
            guard let route else { return .otherMethods(methods(of: found)) }
            if captures.isEmpty { return .route(route, .none) }
            var values: [String] = []
            for capture in captures {
                guard let value = PercentEncoding.decode(Octets.slice(path, capture.lowerBound, capture.upperBound))
                else {
                    return .malformed
                }
                values.append(value)
            }
            return .route(route, PathParameters(names: route.parameterNames, values: values))
        }
    }

    private func methods(of node: Int) -> [HTTPMethod] {
        HTTPMethod.allCases.filter { method in
            nodes[node].routes[Int(method.rawValue)] != nil
                || method == .head && nodes[node].routes[Int(HTTPMethod.get.rawValue)] != nil
        }
    }

    /// The node with routes that the rest of `path` from `start` leads to. As deep as the deepest pattern.
    private func find(
        _ node: Int, _ path: UnsafeRawBufferPointer, _ start: Int, _ hasEscapes: Bool, _ captures: inout [Range<Int>]
    ) -> Int? {
        let end = Octets.index(of: UInt8(ascii: "/"), in: path, from: start, to: path.count) ?? path.count
        let segment = Octets.slice(path, start, end)
        for literal in nodes[node].literals where Self.equal(segment, literal.segment, hasEscapes) {
            if let found = follow(literal.node, path, end, hasEscapes, &captures) { return found }
        }
        if let parameter = nodes[node].parameter, start < end {
            captures.append(start..<end)
            if let found = follow(parameter, path, end, hasEscapes, &captures) { return found }
            captures.removeLast()
        }
        if let tail = nodes[node].tail, start < path.count {
            captures.append(start..<path.count)
            return tail
        }
        return nil
    }

    private func follow(
        _ node: Int, _ path: UnsafeRawBufferPointer, _ end: Int, _ hasEscapes: Bool, _ captures: inout [Range<Int>]
    ) -> Int? {
        if end == path.count { return nodes[node].routes.isEmpty ? nil : node }
        return find(node, path, end + 1, hasEscapes, &captures)
    }

    private static func equal(_ segment: UnsafeRawBufferPointer, _ literal: [UInt8], _ hasEscapes: Bool) -> Bool {
        if hasEscapes, segment.contains(UInt8(ascii: "%")) {
            return PercentEncoding.decode(segment).map { $0.utf8.elementsEqual(literal) } ?? false
        }
        guard segment.count == literal.count else { return false }
        return literal.withUnsafeBytes { literal in
            for index in 0..<segment.count where segment[index] != literal[index] { return false }
            return true
        }
    }
}
