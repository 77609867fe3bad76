import Contracts
public import Domain
import HTTP
public import Primitives

/// A question about a group of people.
public struct GroupQuestion: Encodable, Sendable {
    public struct Age: Encodable, Sendable {
        public var min: Int?
        public var max: Int?
        public init(min: Int? = nil, max: Int? = nil) {
            self.min = min
            self.max = max
        }
    }

    public struct Place: Encodable, Sendable {
        public var region: String?
        public var municipality: BelfioreCode?
        public init(region: String? = nil, municipality: BelfioreCode? = nil) {
            self.region = region
            self.municipality = municipality
        }
    }

    public struct Where: Encodable, Sendable {
        public var age: Age?
        public var sex: Sex?
        public var residence: Place?
        public var occupation: Occupation?
        public init(age: Age? = nil, sex: Sex? = nil, residence: Place? = nil, occupation: Occupation? = nil) {
            self.age = age
            self.sex = sex
            self.residence = residence
            self.occupation = occupation
        }
    }

    public var dataTypes: [DataType]
    public var bucket = "day"
    public var from: CalendarDate
    public var to: CalendarDate
    public var predicate: Where

    public init(dataTypes: [DataType], from: CalendarDate, to: CalendarDate, where predicate: Where) {
        self.dataTypes = dataTypes
        self.from = from
        self.to = to
        self.predicate = predicate
    }

    enum CodingKeys: String, CodingKey {
        case bucket, from, to, dataTypes
        case predicate = "where"
    }
}

/// The answer to a group request.
public struct GroupAnswer: Decodable, Sendable {
    public struct Bucket: Decodable, Sendable {
        public var dataType: DataType
        public var start: CalendarDate
        /// With noise of standard deviation `countNoise`; absent where too few match.
        public var count: Int?
        public var countNoise: Double?
        public var mean: Double?
        public var meanNoise: Double?
    }
    /// `nil` while the answer is not paid.
    public var buckets: [Bucket]?
}

extension API {
    public func ask(_ question: GroupQuestion) async throws(SuiteError) -> GroupAnswer {
        try await call(.post, .query, "/group-requests", question)
    }
}
