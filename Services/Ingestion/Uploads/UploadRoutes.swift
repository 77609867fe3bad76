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
    let ceiling: UploadCeiling
    /// Members of uploads that this version does not know: devices are not upgraded with the service.
    let ignoredMembers: Counter
    let wearers: WearerStates

    /// `shard` gives the routes of a person's shard. What cannot be stored in time goes to `provisional`.
    static func add(
        to routes: inout ServiceRoutes, provisional: ProvisionalSamples,
        of shard: @escaping @Sendable (UUID) async throws -> UploadRoutes
    ) {
        let body = HTTPBodyPolicy.buffered(bytesMax: Self.bodyBytesMax)
        routes.on(.post, "/ingestion/v1/uploads", access: .device(.upload, takesOverdue: true), body: body) {
            request, caller in
            try await provisional.storing(request, caller) {
                try await shard(caller.account).upload(request, caller)
            }
        }
        routes.on(.post, "/ingestion/v1/samples", access: .account(.individual), body: body) {
            try await shard($1.account).enter($0, $1.account)
        }
    }

    private func upload(_ request: HTTPRequest, _ caller: Identity) async throws -> HTTPResponse {
        guard let device = caller.client.flatMap({ UUID($0) }) else {
            throw Problem(.forbidden, code: "no-device", detail: "the token names no device")
        }
        let now = clock.now()
        do throws(UploadCeiling.Exceeded) { try ceiling.admit(device, bytes: request.bytes.count) } catch {
            throw Self.tooMany("too-many-uploads", "this device has sent what one may send in an hour", error)
        }
        let entry = try read(request)
        KillPoint.received.pass()
        ceiling.add(samples: try Self.checkedCount(of: entry.series), bytes: request.bytes.count, of: device)
        try Self.check(sentAt: entry.sentAt)
        let correction = try await correction(
            sentAt: entry.sentAt, receivedAt: now, of: caller.account, device, upload: entry.upload)
        let answer = try await store(
            entry.series, of: caller.account, from: .device(device, upload: entry.upload), sentAt: entry.sentAt,
            receivedAt: now, correction: correction)
        return try .json(answer)
    }

    /// Of people who are watched, times by a clock that is far off are corrected: their samples must not be lost (SOS-05).
    /// An upload that was stored while the person was watched is answered as it was, although it would be refused now.
    private func correction(
        sentAt: Timestamp, receivedAt: Timestamp, of account: UUID, _ device: UUID, upload: Int64
    ) async throws -> Duration {
        let correction = SampleClock.correction(sentAt: sentAt, receivedAt: receivedAt)
        if correction == .zero { return .zero }
        if try await isWatched(account, at: receivedAt) { return correction }
        if correction < .zero { return .zero }
        let isStored = try await database.queryOne(
            ArrivalStore.isStored(upload: upload, of: device, account), as: Bool.self)
        guard isStored == true else { throw Self.clockBehind(sentAt, receivedAt) }
        return .zero
    }

    /// The samples of a person who is watched, and what was added to their times: those by a clock that is far off are corrected, and
    /// those that only the device's clock has in order are taken, too.
    static func watchedSamples(
        _ series: [UploadedSeries], sentAt: Timestamp, receivedAt: Timestamp
    ) -> (batch: SampleBatch, correction: Duration) {
        let correction = SampleClock.correction(sentAt: sentAt, receivedAt: receivedAt)
        let deviceClock = SampleClock(now: receivedAt, sentAt: sentAt + correction)
        let clock = correction == .zero ? SampleClock(now: receivedAt) : deviceClock
        let checked = SampleValidator.validated(series, clock: clock, correction: correction)
        guard correction == .zero, checked.refusedTimes else { return (checked.batch, correction) }
        return (SampleValidator.validated(series, clock: deviceClock).batch, correction)
    }

    private func enter(_ request: HTTPRequest, _ account: UUID) async throws -> HTTPResponse {
        let now = clock.now()
        do throws(UploadCeiling.Exceeded) { try ceiling.admitEntry(of: account, bytes: request.bytes.count) } catch {
            throw Self.tooMany(
                "too-many-entries", "you have entered what one may enter in an hour; import a file instead", error)
        }
        try request.requireJSON()
        let entry =
            try UploadParser.entry(request.bytes, limits: Self.limits) ?? request.json(limits: Self.limits)
        ceiling.add(samples: try Self.checkedCount(of: entry.series), bytes: request.bytes.count, of: account)
        let answer = try await store(entry.series, of: account, from: .manual, sentAt: now, receivedAt: now)
        return try .json(answer)
    }

    private func read(_ request: HTTPRequest) throws(Problem) -> UploadRequest {
        try request.requireJSON()
        let (upload, unknown) = try Self.read(request.bytes)
        if unknown > 0 { ignoredMembers.increment(by: unknown) }
        return upload
    }

    /// An upload that can be taken apart from its samples, which are not looked at, and how many members it has that this
    /// version does not know.
    static func read(_ bytes: [UInt8]) throws(Problem) -> (upload: UploadRequest, unknown: Int) {
        if let read = UploadParser.upload(bytes, limits: limits) { return read }
        do throws(JSONError) {
            let (upload, unknown) = try JSONDecoder(limits: limits, refusesControlCharacters: true)
                .decodeCounting(UploadRequest.self, from: bytes)
            return (upload, unknown)
        } catch { throw Problem(error) }
    }

    private static func tooMany(_ code: String, _ detail: String, _ error: UploadCeiling.Exceeded) -> Problem {
        Problem(.tooManyRequests, code: code, detail: detail, retryAfter: error.retryAfter)
    }

    /// The number of samples.
    static func checkedCount(of series: [UploadedSeries]) throws(Problem) -> Int {
        guard series.count <= seriesMax else {
            throw Problem(
                .unprocessableContent, code: "too-many-series", detail: "at most \(seriesMax) series in one request")
        }
        var count = 0
        for case .read(let sent) in series { count += sent.series.count }
        guard count <= SampleBatch.samplesMax else {
            throw Problem(
                .unprocessableContent, code: "too-many-samples",
                detail: "at most \(SampleBatch.samplesMax) samples in one request")
        }
        return count
    }

    static func check(sentAt: Timestamp) throws(Problem) {
        guard SampleClock.deviceTimes.contains(sentAt) else {
            let (first, end) = (SampleClock.deviceTimes.lowerBound, SampleClock.deviceTimes.upperBound)
            let detail = "sent_at must be from \(first) to before \(end)"
            throw Problem(
                .unprocessableContent, code: "sent-at-out-of-range", detail: detail,
                errors: [.init(pointer: "/sent_at", detail: detail)])
        }
    }

    /// A clock that stands or was set wrong: its samples would be filed under times at which they were not measured. One
    /// that is ahead shows in the samples themselves.
    private static func clockBehind(_ sentAt: Timestamp, _ now: Timestamp) -> Problem {
        let detail =
            "sent_at is \((now - sentAt).components.seconds) s behind \(now), the time here; set the device's clock, and "
            + "send sent_at as it is when you send"
        return Problem(
            .unprocessableContent, code: "clock-behind", detail: detail,
            errors: [.init(pointer: "/sent_at", detail: detail)])
    }

    private func store(
        _ series: [UploadedSeries], of account: UUID, from source: NewArrival.Source, sentAt: Timestamp,
        receivedAt: Timestamp, correction: Duration = .zero
    ) async throws -> UploadAnswer {
        let deviceClock = SampleClock(now: receivedAt, sentAt: sentAt + correction)
        var isByDeviceClock = correction != .zero
        var checked = SampleValidator.validated(
            series, clock: isByDeviceClock ? deviceClock : SampleClock(now: receivedAt), correction: correction)
        if !isByDeviceClock, source != .manual, checked.refusedTimes, try await isWatched(account, at: receivedAt) {
            checked = SampleValidator.validated(series, clock: deviceClock)
            isByDeviceClock = true
        }
        if source == .manual, checked.batch.isEmpty {
            return Self.answer(checked, stored: 0, knowing: .calm, at: receivedAt)
        }
        let key = try await keys.key(forRequestOf: account)
        let content =
            source == .manual ? SampleCodec.encode(checked.batch) : UploadContent(series).bytes
        let arrival = NewArrival(
            account: account, source: source, content: contents.index([account.bytes, content]),
            receivedAt: receivedAt, sentAt: sentAt, isByDeviceClock: isByDeviceClock, correction: correction,
            batch: checked.batch, key: key)
        // The next samples of somebody with a critical state make the alarm, or end it (SOS-05).
        let result = try await writer.result(of: arrival, isUrgent: wearers.knowledge(of: account).isAlerted)
        let knowledge = wearers.knowledge(of: account)
        switch result.outcome {
        case .stored(let samples, let dropped):
            return Self.answer(
                checked, stored: samples, dropped, result: result, knowing: knowledge, at: receivedAt)
        case .repeated(let earlier):
            // The same answer as then, although other times lie in the future now.
            let checked = SampleValidator.validated(series, clock: earlier.clock, correction: earlier.correction)
            return Self.answer(
                checked, stored: earlier.samples, earlier.dropped, result: result, knowing: knowledge, isRepeated: true,
                at: receivedAt)
        case .storedLongAgo:
            return Self.answer(
                checked, stored: checked.batch.count, result: result, knowing: knowledge, isRepeated: true,
                at: receivedAt)
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
        try await database.queryOne(ArrivalStore.isWatched(account, at: now), as: Bool.self) == true
    }

    private static func answer(
        _ checked: SampleValidator, stored: Int, _ dropped: DroppedTypes = DroppedTypes(),
        result: ArrivalResult? = nil, knowing knowledge: WearerStates.Knowledge, isRepeated: Bool = false,
        at now: Timestamp
    ) -> UploadAnswer {
        UploadAnswer(
            stored: stored, repeated: isRepeated, paused: dropped.paused.map(\.rawValue).sorted(),
            withheld: DataType.types(in: dropped.withheld), refused: checked.refused,
            refusedCount: checked.refusedCount, serverTime: now,
            sampling: .init(isWatched: result?.isWatchedClosely == true, knowledge), sos: WearerAnswer(knowledge))
    }

    static let erased = Problem(.gone, code: "account-erased", detail: "nothing is collected for this account any more")
}
