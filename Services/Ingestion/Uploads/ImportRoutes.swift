import Domain
import HTTP
import Primitives
import Reactor
import Security
import Service

/// `POST /imports`: a file of any length, stored while it is read (ING-04).
struct ImportRoutes: Sendable {
    static let bodyBytesMax = 4 << 30

    let keys: SubjectKeys
    let writer: ArrivalWriter
    let contents: BlindIndex
    let clock: any WallClock

    func add(to routes: inout ServiceRoutes) {
        routes.on(
            .post, "/ingestion/v1/imports", access: .account(.individual),
            body: .streaming(bytesMax: Self.bodyBytesMax)
        ) { request, caller in
            try .json(try await read(request, of: caller.account))
        }
    }

    private func read(_ request: HTTPRequest, of account: UUID) async throws -> ImportAnswer {
        let now = clock.now()
        var chunks = request.chunks.makeAsyncIterator()
        var beginning: [UInt8] = []
        while beginning.count < ImportFormat.detectionBytesMax, let chunk = try await chunks.next() {
            beginning += chunk
        }
        let importer = try Self.importer(of: beginning, SampleClock(now: now))
        guard let key = try await keys.key(of: account) else { throw UploadRoutes.erased }
        var parts = ImportParts { batch in
            let content = contents.index(account.bytes + SampleCodec.encode(batch))
            let arrival = NewArrival(
                account: account, source: .imported(name: ""), content: content, receivedAt: now, sentAt: now,
                batch: batch, key: key)
            return try await writer.store(arrival)
        }
        try await parts.add(importer.consume(beginning))
        while importer.report.failure == nil, let chunk = try await chunks.next() {
            try await parts.add(importer.consume(chunk))
            // A chunk is about a millisecond of work; other tasks of the loop come between chunks that have arrived
            // already.
            try await EventLoop.current?.sleep(for: .zero)
        }
        // The rest of the body is read, so that the sender gets to the answer.
        while try await chunks.next() != nil {}
        if importer.report.failure == nil { try await parts.add(importer.finish()) }
        try await parts.finish()
        return ImportAnswer(importer.report, repeated: parts.repeated, paused: parts.paused)
    }

    private static func importer(of beginning: [UInt8], _ clock: SampleClock) throws(Problem) -> any FileImporter {
        switch ImportFormat.detect(beginning) {
        case .gpx: return GPXImporter(clock: clock)
        case .tcx: return TCXImporter(clock: clock)
        case let other:
            let name = other.map { " (\($0.rawValue))" } ?? ""
            throw Problem(
                .unsupportedMediaType, code: "unsupported-format",
                detail: "the file is neither GPX nor TCX\(name)")
        }
    }
}
