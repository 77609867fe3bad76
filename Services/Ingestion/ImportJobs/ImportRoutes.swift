import Domain
import HTTP
import Postgres
import Primitives
import Reactor
import Security
import Service

/// `/imports`: files of any length, received in one request or in several that go on where one broke off (ING-04), and what became
/// of them. Reading is the worker's (`ImportWorker`).
struct ImportRoutes: Sendable {
    private static let path = "/ingestion/v1/imports"
    /// After so long without another byte an upload is given up.
    static let abandonedHours: Int32 = 48
    /// So long after it was begun, too.
    static let receivingMax = Duration.seconds(7 * 86_400)

    let database: Database
    let keys: SubjectKeys
    let receiver: ImportReceiver
    let clock: any WallClock
    /// Raised when a file is complete.
    let completed: EventCounter

    /// `shard` gives the routes of a person's shard.
    static func add(to routes: inout ServiceRoutes, of shard: @escaping @Sendable (UUID) async throws -> ImportRoutes) {
        let body = HTTPBodyPolicy.streaming(bytesMax: Int(ImportReceiver.fileBytesMax))
        routes.on(.post, path, access: .account(.individual), body: body) {
            try await shard($1.account).create($0, of: $1.account)
        }
        routes.on(.get, path, access: .account(.individual)) { try await shard($1.account).list(of: $1.account) }
        // HEAD is answered by it as well.
        routes.on(.get, "\(path)/:import", access: .account(.individual)) {
            try await shard($1.account).show($0, of: $1.account)
        }
        routes.on(.patch, "\(path)/:import", access: .account(.individual), body: body) {
            try await shard($1.account).append($0, of: $1.account)
        }
        routes.on(.delete, "\(path)/:import", access: .account(.individual)) {
            try await shard($1.account).delete($0, of: $1.account)
        }
    }

    // MARK: Receiving

    private func create(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        let isComplete = try ResumableUpload.isComplete(request)
        let length = try ResumableUpload.length(request)
        if let length, length > ImportReceiver.fileBytesMax { throw ImportReceiver.tooLong }
        var chunks = request.chunks.makeAsyncIterator()
        let beginning = try await Self.beginning(&chunks, mayBeShort: isComplete == false)
        let job = try await add(length, of: account)
        do {
            let received = try await receiver.receive(&chunks, for: job, beginning: beginning)
            return try await answer(job, received: received, isComplete: isComplete ?? true, created: true)
        } catch {
            // Who does not speak of resuming sends the whole file again.
            if isComplete == nil { try await database.execute(ImportJobStore.delete(job.id, of: account)) }
            throw error
        }
    }

    /// The first bytes of a file, as many as show its format: another one is refused at once, unless they may be the beginning of
    /// the beginning only.
    private static func beginning(
        _ chunks: inout HTTPBodyChunks.AsyncIterator, mayBeShort: Bool
    ) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        var isWhole = false
        while bytes.count < ImportFormat.detectionBytesMax {
            guard let chunk = try await chunks.next() else {
                isWhole = true
                break
            }
            bytes += chunk
        }
        guard ImportFormat.detect(bytes) == nil, !(mayBeShort && isWhole) else { return bytes }
        throw Problem(.unsupportedMediaType, code: "unsupported-format", detail: ImportFormat.unsupported)
    }

    private static let tooMany = Problem(
        .tooManyRequests, code: "too-many-imports",
        detail: "\(ImportJobStore.unfinishedMax) of your imports are not done: wait for them or delete one",
        retryAfter: .seconds(60))

    private func add(_ length: Int64?, of account: UUID) async throws -> ImportJob {
        _ = try await keys.key(forRequestOf: account)
        let now = clock.now()
        let rows = try await database.transaction { transaction in
            try await transaction.runBatch(
                ImportJobStore.add(.timeOrdered(at: now), of: account, length: length, at: now))
        }
        if let row = try rows[2].onlyRow() { return try ImportJob(row: row) }
        guard let row = try rows[1].onlyRow() else { throw UploadRoutes.erased }
        let unfinished = try ImportJobStore.Unfinished(row: row)
        if unfinished.jobs >= ImportJobStore.unfinishedMax { throw Self.tooMany }
        if unfinished.bytes + (length ?? 0) > ImportJobStore.unfinishedBytesMax { throw ImportReceiver.tooMuch }
        throw UploadRoutes.erased
    }

    private func append(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        guard MediaType(request.field("content-type") ?? "").essence == "application/partial-upload" else {
            throw Problem(
                .unsupportedMediaType, code: "unsupported-media-type",
                detail: "send Content-Type: application/partial-upload",
                fields: ["Accept-Patch": "application/partial-upload"])
        }
        guard let offset = try ResumableUpload.offset(request) else { throw ResumableUpload.missing("Upload-Offset") }
        guard let isComplete = try ResumableUpload.isComplete(request) else {
            throw ResumableUpload.missing("Upload-Complete")
        }
        let job = try await job(request, of: account)
        guard job.state == .receiving else { throw ResumableUpload.completed }
        guard offset == job.received else { throw ResumableUpload.mismatch(job, given: offset) }
        if let length = try ResumableUpload.length(request), let known = job.length, length != known {
            throw ResumableUpload.inconsistentLength
        }
        var chunks = request.chunks.makeAsyncIterator()
        let received = try await receiver.receive(&chunks, for: job)
        return try await answer(job, received: received, isComplete: isComplete, created: false)
    }

    /// 202 for a file that is complete, with where its state is; else where to go on.
    private func answer(
        _ job: ImportJob, received: Int64, isComplete: Bool, created: Bool
    ) async throws -> HTTPResponse {
        if let length = job.length, isComplete ? received != length : received > length {
            throw ResumableUpload.inconsistentLength
        }
        guard isComplete else {
            let job = try await self.job(job.id, of: job.account)
            var response = HTTPResponse(
                created ? .created : .noContent, fields: ResumableUpload.fields(of: job, at: clock.now()))
            if created { response.fields["Location"] = "\(Self.path)/\(job.id)" }
            return response
        }
        let rows = try await database.run(ImportJobStore.complete(job.id, at: received))
        guard let row = try rows.onlyRow() else { throw ImportReceiver.notNext }
        completed.raise()
        let complete = try ImportJob(row: row)
        var response = try HTTPResponse.json(ImportStatus(complete, ImportProgress()), status: .accepted)
        response.add(ResumableUpload.fields(of: complete, at: clock.now()))
        response.fields["Location"] = "\(Self.path)/\(job.id)"
        return response
    }

    // MARK: What became of them

    private func show(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        let job = try await job(request, of: account)
        var response = try HTTPResponse.json(try await status(of: job)).uncached
        response.add(ResumableUpload.fields(of: job, at: clock.now()))
        return response
    }

    private func delete(_ request: HTTPRequest, of account: UUID) async throws -> HTTPResponse {
        let job = try await job(request, of: account)
        try await database.execute(ImportJobStore.delete(job.id, of: account))
        return .noContent
    }

    private func list(of account: UUID) async throws -> HTTPResponse {
        let jobs = try await database.query(ImportJobStore.jobs(of: account), as: ImportJob.self)
        var statuses: [ImportStatus] = []
        for job in jobs { statuses.append(try await status(of: job)) }
        return try .json(ImportList(imports: statuses))
    }

    private func status(of job: ImportJob) async throws -> ImportStatus {
        let key = try await keys.key(forRequestOf: job.account)
        return ImportStatus(job, ImportProgress.open(job.progress, key, at: job.progressLocation))
    }

    private func job(_ request: HTTPRequest, of account: UUID) async throws -> ImportJob {
        try await job(try request.parameter("import", as: UUID.self), of: account)
    }

    private func job(_ id: UUID, of account: UUID) async throws -> ImportJob {
        guard let job = try await database.queryOne(ImportJobStore.job(id, of: account), as: ImportJob.self) else {
            throw Problem.notFound
        }
        return job
    }
}

extension HTTPResponse {
    fileprivate mutating func add(_ fields: HTTPFields) {
        for field in fields.entries { self.fields[field.name] = field.value }
    }
}
