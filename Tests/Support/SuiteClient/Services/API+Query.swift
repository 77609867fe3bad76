public import Contracts
public import Domain
import HTTP
import JSON
public import Primitives

/// What a third party asks of one person.
public struct RequestForm: Encodable, Sendable {
    public var fiscalCode: FiscalCode?
    public var email: EmailAddress?
    public var dataTypes: [DataType]
    public var from: Timestamp
    public var to: Timestamp
    public var mode: String
    public var reason: String
    /// Samples as they were measured when it is not said.
    public var granularity: String?

    public init(
        fiscalCode: FiscalCode? = nil, email: EmailAddress? = nil, dataTypes: [DataType], from: Timestamp,
        to: Timestamp, mode: String, reason: String, granularity: String? = nil
    ) {
        self.fiscalCode = fiscalCode
        self.email = email
        self.dataTypes = dataTypes
        self.from = from
        self.to = to
        self.mode = mode
        self.reason = reason
        self.granularity = granularity
    }
}

/// What a third party asks of several people, by one call.
public struct RequestBatchForm: Encodable, Sendable {
    public struct Person: Encodable, Sendable {
        public var fiscalCode: FiscalCode

        public init(_ fiscalCode: FiscalCode) { self.fiscalCode = fiscalCode }
    }

    public var people: [Person]
    public var dataTypes: [DataType]
    public var from: Timestamp
    public var to: Timestamp
    public var mode: String
    public var reason: String

    public init(
        people: [Person], dataTypes: [DataType], from: Timestamp, to: Timestamp, mode: String, reason: String
    ) {
        self.people = people
        self.dataTypes = dataTypes
        self.from = from
        self.to = to
        self.mode = mode
        self.reason = reason
    }
}

/// What came of one of them.
public struct RequestBatchItem: Decodable, Sendable, Equatable {
    /// As of a call by itself.
    public var status: Int
    /// Of a request that was created.
    public var id: UUID?
    public var state: String?
    /// Of a problem.
    public var code: String?
}

/// The answer to a new request.
public struct RequestCreated: Decodable, Sendable {
    public var id: UUID
    public var state: String
}

/// A request as the individual sees it.
public struct ReceivedRequest: Decodable, Sendable {
    public struct Requester: Decodable, Sendable {
        public var name: String
    }
    public var id: UUID
    /// `request` or `check-in`.
    public var kind: String
    public var runID: UUID?
    public var state: String
    public var requester: Requester
    public var dataTypes: [DataType]
    public var reason: String
    public var createdAt: Timestamp
    /// When it was accepted or refused.
    public var decidedAt: Timestamp?
}

/// A page of a person's data.
public struct DataPage: Decodable, Sendable {
    public var series: [SampleSeries]
    public var next: String
    public var hasMore: Bool

    public func count(_ type: DataType) -> Int { series.filter { $0.type == type }.reduce(0) { $0 + $1.count } }
    public var count: Int { series.reduce(0) { $0 + $1.count } }
}

/// One reading of a person's data by somebody else, or a look-up of the person.
public struct AccessEntry: Decodable, Sendable {
    /// `nil` for a look-up.
    public var requestID: UUID?
    public var way: String
    public var samples: Int
}

extension API {
    public func createRequest(_ form: RequestForm) async throws(SuiteError) -> RequestCreated {
        try await call(.post, .query, "/requests", form)
    }

    /// What came of each of several people, in their order. With the same key the same call takes effect once.
    public func createRequests(
        _ form: RequestBatchForm, key: String
    ) async throws(SuiteError) -> [RequestBatchItem] {
        struct Answer: Decodable { var items: [RequestBatchItem] }
        var asked = try request(.post, .query, "/request-batches", form)
        asked.fields["Idempotency-Key"] = key
        let response = try await send(asked)
        do throws(HTTPClientError) { return try response.json(Answer.self).items } catch {
            throw .unexpected("The answer to a batch of requests is not as described: \(error)")
        }
    }

    /// As the individual.
    public func receivedRequests() async throws(SuiteError) -> [ReceivedRequest] {
        struct Page: Decodable { var requests: [ReceivedRequest] }
        return try await call(.get, .query, "/me/requests", as: Page.self).requests
    }

    /// As the individual: `acceptance`, `refusal` or `withdrawal`.
    public func decide(_ decision: String, on request: UUID) async throws(SuiteError) {
        try await perform(.post, .query, "/me/requests/\(request)/\(decision)")
    }

    /// As the individual: shares these types, or all that are asked for.
    public func accept(_ request: UUID, only types: [DataType]? = nil) async throws(SuiteError) {
        let path = "/me/requests/\(request)/acceptance"
        guard let types else { return try await perform(.post, .query, path) }
        try await perform(.post, .query, path, ["data_types": types])
    }

    /// As the individual.
    public func accessLog() async throws(SuiteError) -> [AccessEntry] {
        struct Page: Decodable { var accesses: [AccessEntry] }
        return try await call(.get, .query, "/me/access-log", as: Page.self).accesses
    }

    /// One page of a request's data; with `wait` an empty one waits for more.
    public func data(
        of request: UUID, after cursor: String? = nil, limit: Int = 2000, wait: Duration = .zero
    ) async throws(SuiteError) -> DataPage {
        let after = cursor.map { "&cursor=\(PercentEncoding.encode($0))" } ?? ""
        return try await call(
            .get, .query, "/requests/\(request)/data?limit=\(limit)&wait_ms=\(wait.milliseconds)\(after)")
    }

    /// All data of a request as CSV.
    public func csv(of request: UUID) async throws(SuiteError) -> String {
        var asked = try self.request(.get, .query, "/requests/\(request)/data")
        asked.fields["Accept"] = "text/csv"
        return try await send(asked).text
    }
}
