public import Contracts
public import Domain
public import HTTP
import JSON
public import Primitives

/// What a device sends at once.
public struct Upload: Encodable, Sendable {
    /// The device's own count.
    public var upload: Int
    public var sentAt: Timestamp
    public var series: [SampleSeries]

    public init(upload: Int, sentAt: Timestamp, series: [SampleSeries]) {
        self.upload = upload
        self.sentAt = sentAt
        self.series = series
    }
}

/// The answer to an upload.
public struct UploadReceipt: Decodable, Sendable {
    public struct Refused: Decodable, Sendable {
        public var reason: String
        public var explanation: String
    }
    /// What AutomatedSOS tells the wearer.
    public struct SOS: Decodable, Sendable {
        public var state: String
        public var incident: UUID?
        public var callInS: Int?
    }
    public var stored: Int
    public var repeated: Bool
    public var refused: [Refused]
    public var sampling: String
    /// Absent when there is nothing to tell.
    public var sos: SOS?
}

/// The newest sample of a data type.
public struct LatestSample: Decodable, Sendable {
    public var type: DataType
    public var time: Timestamp
}

/// What a person's samples come to in a span of time.
public struct SampleSum: Decodable, Sendable, Equatable {
    public var start: Timestamp
    public var count: Int
    /// Of rates.
    public var mean: Double?
    public var min: Double?
    public var max: Double?
    /// Of counters.
    public var sum: Double?
}

/// What became of an imported file.
public struct ImportReport: Decodable, Sendable {
    public struct Skip: Decodable, Sendable {
        public var reason: String
        public var explanation: String
        public var count: Int
    }
    /// Samples by data type.
    public var taken: [String: Int]
    /// Of those, how many an earlier import had stored.
    public var repeated: Int
    public var skipped: [Skip]

    public var total: Int { taken.values.reduce(0, +) }
    public func count(_ type: DataType) -> Int { taken[type.name] ?? 0 }
}

/// How far an import has come.
public struct ImportStatus: Decodable, Sendable {
    /// `done` at the end.
    public var state: String
    public var report: ImportReport
}

extension API {
    /// As a device.
    public func upload(_ upload: Upload) async throws(SuiteError) -> UploadReceipt {
        var request = try request(.post, .ingestion, "/uploads", upload)
        // The same upload number twice is one upload.
        request.isRepeatable = true
        return try await decoded(send(request))
    }

    /// As an individual: the newest sample of each data type that was ever collected.
    public func latest() async throws(SuiteError) -> [LatestSample] {
        struct Latest: Decodable { var latest: [LatestSample] }
        return try await call(.get, .ingestion, "/me/latest", as: Latest.self).latest
    }

    /// As an individual: each minute with samples, as My Health shows it.
    public func minutes(
        of type: DataType, from: Timestamp, to: Timestamp
    ) async throws(SuiteError) -> [SampleSum] {
        struct Series: Decodable { var buckets: [SampleSum] }
        let span = "from=\(PercentEncoding.encode(from.description))&to=\(PercentEncoding.encode(to.description))"
        return try await call(
            .get, .ingestion, "/me/series?type=\(type.name)&granularity=minute&\(span)", as: Series.self
        ).buckets
    }

    /// As an individual: a file of any format that is read. Returns the report once all of it is stored.
    public func importFile(_ bytes: [UInt8], type: MediaType) async throws(SuiteError) -> ImportReport {
        let id = try await sendFile(bytes, type: type)
        return try await eventually("An import is not done", within: .seconds(120)) { () async throws(SuiteError) in
            let status = try await importStatus(id)
            return status.state == "done" ? status.report : nil
        }
    }

    /// As an individual: sends a file. Returns the import's id, by which its state is asked for.
    public func sendFile(_ bytes: [UInt8], type: MediaType) async throws(SuiteError) -> UUID {
        struct Accepted: Decodable { var id: UUID }
        var request = try request(.post, .ingestion, "/imports")
        request.fields["Content-Type"] = type.description
        request.body = bytes
        return try await decoded(send(request), as: Accepted.self).id
    }

    public func importStatus(_ id: UUID) async throws(SuiteError) -> ImportStatus {
        try await call(.get, .ingestion, "/imports/\(id)")
    }

    /// As an individual: asks for samples that begin in a span of time to be deleted. Returns the deletion's id.
    public func deleteSamples(
        _ types: [DataType], from: Timestamp, to: Timestamp
    ) async throws(SuiteError) -> UUID {
        struct Wish: Encodable {
            var types: [DataType]
            var from: Timestamp
            var to: Timestamp
        }
        struct Accepted: Decodable { var id: UUID }
        let wish = Wish(types: types, from: from, to: to)
        return try await call(.post, .ingestion, "/deletions", wish, as: Accepted.self).id
    }

    /// Whether a deletion is done.
    public func isDeleted(_ id: UUID) async throws(SuiteError) -> Bool {
        struct Status: Decodable { var state: String }
        return try await call(.get, .ingestion, "/deletions/\(id)", as: Status.self).state == "done"
    }

    private func decoded<Answer: Decodable>(
        _ response: HTTPClientResponse, as type: Answer.Type = Answer.self
    ) throws(SuiteError) -> Answer {
        do throws(HTTPClientError) { return try response.json(Answer.self) } catch {
            throw .unexpected("The answer is not as described: \(error)")
        }
    }
}

extension MediaType {
    public static let gpx = MediaType("application/gpx+xml")
    public static let tcx = MediaType("application/vnd.garmin.tcx+xml")
}
