import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import Telemetry

/// `POST /uploads` and `POST /samples`.
struct UploadRoutes: Sendable {
    static let bodyBytesMax = 16 << 20
    /// Series in one request.
    static let seriesMax = 1000
    private static let limits = JSONLimits(depthMax: 8, bytesMax: bodyBytesMax, valuesMax: 1_000_000)

    let database: Database
    let keys: SubjectKeys
    let writer: ArrivalWriter
    let contents: BlindIndex
    let clock: any WallClock
    /// Members of uploads that this version does not know: devices are not upgraded with the service.
    let ignoredMembers: Counter

    func add(to routes: inout ServiceRoutes) {
        let body = HTTPBodyPolicy.buffered(bytesMax: Self.bodyBytesMax)
        routes.on(.post, "/ingestion/v1/uploads", access: .device(.upload), body: body) { try await upload($0, $1) }
        routes.on(.post, "/ingestion/v1/samples", access: .account(.individual), body: body) {
            try await enter($0, $1.account)
        }
    }

    private func upload(_ request: HTTPRequest, _ caller: Identity) async throws -> HTTPResponse {
        guard let device = caller.client.flatMap({ UUID($0) }) else {
            throw Problem(.forbidden, code: "no-device", detail: "the token names no device")
        }
        let now = clock.now()
        let entry: UploadRequest = try request.json(limits: Self.limits, unknownMembers: .counted(ignoredMembers))
        try Self.check(entry.series)
        try Self.check(sentAt: entry.sentAt)
        let source = NewArrival.Source.device(device, upload: entry.upload)
        let answer = try await store(
            entry.series, of: caller.account, from: source, sentAt: entry.sentAt, receivedAt: now)
        return try .json(answer)
    }

    private func enter(_ request: HTTPRequest, _ account: UUID) async throws -> HTTPResponse {
        let now = clock.now()
        let entry: ManualEntry = try request.json(limits: Self.limits)
        try Self.check(entry.series)
        let answer = try await store(entry.series, of: account, from: .manual, sentAt: now, receivedAt: now)
        return try .json(answer)
    }

    private static func check(_ series: [UploadedSeries]) throws(Problem) {
        guard series.count <= seriesMax else {
            throw Problem(
                .unprocessableContent, code: "too-many-series", detail: "at most \(seriesMax) series in one request")
        }
        var count = 0
        for case .readable(let one) in series { count += one.count }
        guard count <= SampleBatch.samplesMax else {
            throw Problem(
                .unprocessableContent, code: "too-many-samples",
                detail: "at most \(SampleBatch.samplesMax) samples in one request")
        }
    }

    private static func check(sentAt: Timestamp) throws(Problem) {
        guard SampleClock.deviceTimes.contains(sentAt) else {
            let (first, end) = (SampleClock.deviceTimes.lowerBound, SampleClock.deviceTimes.upperBound)
            let detail = "sent_at must be from \(first) to before \(end)"
            throw Problem(
                .unprocessableContent, code: "sent-at-out-of-range", detail: detail,
                errors: [.init(pointer: "/sent_at", detail: detail)])
        }
    }

    private func store(
        _ series: [UploadedSeries], of account: UUID, from source: NewArrival.Source, sentAt: Timestamp,
        receivedAt: Timestamp
    ) async throws -> UploadAnswer {
        var checked = SampleValidator.validated(series, clock: SampleClock(now: receivedAt))
        var isByDeviceClock = false
        if source != .manual, checked.refusedTimes, try await isWatched(account, at: receivedAt) {
            // Samples of these people are not lost to a wrong clock (SOS-05).
            checked = SampleValidator.validated(series, clock: SampleClock(now: receivedAt, sentAt: sentAt))
            isByDeviceClock = true
        }
        if source == .manual, checked.batch.isEmpty { return answer(checked, stored: 0) }
        guard let key = try await keys.key(of: account) else { throw Self.erased }
        let content =
            source == .manual ? SampleCodec.encode(checked.batch) : UploadContent(series).bytes
        let arrival = NewArrival(
            account: account, source: source, content: contents.index(account.bytes + content),
            receivedAt: receivedAt, sentAt: sentAt, isByDeviceClock: isByDeviceClock, batch: checked.batch, key: key)
        switch try await writer.store(arrival) {
        case .stored(let samples, let dropped): return answer(checked, stored: samples, dropped)
        case .repeated(let earlier): return answer(series, as: earlier)
        case .storedLongAgo: return answer(checked, stored: checked.batch.count, isRepeated: true)
        case .conflict(let receivedAt): throw Self.conflict(source, receivedAt: receivedAt)
        case .erased:
            keys.forget([account])
            throw Self.erased
        case .deviceRemoved:
            throw Problem(.forbidden, code: "device-removed", detail: "the device does not belong to this account")
        }
    }

    private static func conflict(_ source: NewArrival.Source, receivedAt: Timestamp) -> Problem {
        guard case .device(_, let upload) = source else { preconditionFailure("content that is not its own") }
        let detail =
            "upload \(upload) of this device was taken at \(receivedAt) with other samples; nothing of this one is "
            + "stored: send it under a number that was not used"
        return Problem(
            .conflict, code: "upload-conflict", detail: detail, errors: [.init(pointer: "/upload", detail: detail)])
    }

    private func isWatched(_ account: UUID, at now: Timestamp) async throws -> Bool {
        let times = try await database.queryOne(ArrivalStore.watchedTimes(of: account, at: now)) {
            row throws(PostgresError) in try WatchedTimes(row: row)
        }
        return times?.isEmpty == false
    }

    /// The same answer as then, although other times lie in the future now.
    private func answer(_ series: [UploadedSeries], as earlier: EarlierArrival) -> UploadAnswer {
        let checked = SampleValidator.validated(series, clock: earlier.clock)
        return answer(checked, stored: earlier.samples, earlier.dropped, isRepeated: true)
    }

    private func answer(
        _ checked: SampleValidator, stored: Int, _ dropped: DroppedTypes = DroppedTypes(), isRepeated: Bool = false
    ) -> UploadAnswer {
        UploadAnswer(
            stored: stored, repeated: isRepeated, paused: dropped.paused.map(\.rawValue).sorted(),
            withheld: DataType.types(in: dropped.withheld), refused: checked.refused,
            refusedCount: checked.refusedCount)
    }

    static let erased = Problem(.gone, code: "account-erased", detail: "nothing is collected for this account any more")
}
