public import HTTP
public import Service

/// Calls each route that needs no log-in as one client, until it is refused (OWASP API4:2023, unrestricted resource consumption).
public enum LimitWalk {
    /// How a route is tried.
    public struct Try: Sendable {
        /// Requests of one client that are answered before one is refused.
        public let max: Int
        public let fields: HTTPFields
        /// What is sent the n-th time: nothing that is good, where only what is not good counts.
        public let body: @Sendable (_ number: Int) -> String

        public init(
            _ max: Int, fields: HTTPFields = ["Content-Type": "application/json"],
            body: @escaping @Sendable (_ number: Int) -> String = { _ in "{}" }
        ) {
            (self.max, self.fields, self.body) = (max, fields, body)
        }
    }

    /// What is not limited as it should be, in words; empty when all is well. A route that is in neither list is a fault, so that a
    /// new one is thought of.
    ///
    /// - Parameters:
    ///   - limited: by the route's name, as in `POST /accounts/v1/pairings`.
    ///   - unlimited: why there is no limit, by the route's name.
    ///   - proxied: the request as from a proxy in front, which tells the client's address in `X-Forwarded-For`.
    public static func faults(
        in service: AssembledService, limited: [String: Try], unlimited: [String: String],
        proxied: (_ request: HTTPRequest) throws -> HTTPRequest
    ) async throws -> [String] {
        // Those that every service has beside its own, and pages, are not walked.
        let open = service.routes.filter { route in
            if case .open = route.caller { route.pattern.contains("/v1/") } else { false }
        }
        var faults = Set(limited.keys).union(unlimited.keys).subtracting(open.map(\.name)).sorted()
            .map { "\($0): not open" }
        for (number, route) in open.enumerated() {
            guard let trial = limited[route.name] else {
                if unlimited[route.name] == nil { faults.append("\(route.name): limited or not?") }
                continue
            }
            if unlimited[route.name] != nil { faults.append("\(route.name): limited and not") }
            // Far from the clients of other routes, some of which share a limit.
            let (client, other) = ("198.18.\(number).1", "198.19.\(number).1")
            func status(of client: String, _ time: Int) async throws -> HTTPStatus {
                var fields = trial.fields
                fields["X-Forwarded-For"] = client
                let request = try HTTPRequest(
                    route.method, AccessWalk.target(route.pattern), fields: fields,
                    body: route.method.isSafe ? [] : Array(trial.body(time).utf8))
                return try await service.answer(try proxied(request)).status
            }
            for time in 0..<trial.max {
                let status = try await status(of: client, time)
                guard status == .tooManyRequests else { continue }
                faults.append("\(route.name): refused at try \(time)")
                break
            }
            let refused = try await status(of: client, trial.max)
            if refused != .tooManyRequests { faults.append("\(route.name): \(refused.rawValue) after \(trial.max)") }
            let answered = try await status(of: other, trial.max + 1)
            if answered == .tooManyRequests { faults.append("\(route.name): refused to others, too") }
        }
        return faults
    }
}
