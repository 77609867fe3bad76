import Contracts
import Domain
import Edge
import HTTP
import JSON
import Primitives
import RPC
import Reactor
import Service
import Synchronization
import Telemetry

/// Passes the samples of people whom AutomatedSOS watches on to the dispatcher when they cannot be stored in time, so that an alarm
/// waits for no database (SOS-05). The device is answered as ever: what is not stored is not acknowledged, and it sends it again.
final class ProvisionalSamples: Sendable {
    /// When it has taken so long to store an upload, it is passed on; and at once when storing it has failed.
    static let patienceDefault = Duration.milliseconds(500)
    /// Of an upload so many events, the newest, of the last minutes.
    static let eventsMax = 4
    private static let callTime = Duration.seconds(3)
    private static let callUploadsMax = 200
    private static let callSamplesMax = 20_000
    private static let attemptsMax = 5
    /// So many are asked for whom none before has known.
    private static let replicasMax = 8
    private static let pauses = BackOff(base: .milliseconds(50), max: .milliseconds(500))

    let people: WatchedMemory
    private let dispatcher: any RPCCaller
    private let clock: any WallClock
    private let patience: Duration
    private let log: Log
    private let queue: Mutex<ProvisionalQueue>
    private let added = EventCounter()
    private let taken: Counter
    private let passed: Counter
    private let dropped: Counter
    private let refused: Counter
    private let told = Mutex<Deadline?>(nil)
    /// The last failure is told once in this time.
    private static let tellInterval = Duration.seconds(60)

    init(
        to dispatcher: any RPCCaller, people: WatchedMemory, clock: any WallClock, observer: Observer,
        patience: Duration = patienceDefault, queue: ProvisionalQueue = ProvisionalQueue()
    ) {
        self.dispatcher = dispatcher
        self.people = people
        self.clock = clock
        self.patience = patience
        self.queue = Mutex(queue)
        log = observer.log
        let uploads = observer.metrics.counters(
            "trackme_provisional_uploads_total",
            "Uploads of watched people that could not be stored in time, by what became of them.", labels: ["outcome"])
        (taken, passed) = (uploads["taken"], uploads["passed"])
        (dropped, refused) = (uploads["dropped"], uploads["refused"])
        observer.metrics.gauge(
            "trackme_provisional_uploads_waiting",
            "Uploads of watched people that could not be stored in time and that the dispatcher does not have yet."
        ) { [weak self] in Double(self?.waitingCount ?? 0) }
    }

    var waitingCount: Int { queue.withLock { $0.count } }

    // MARK: Passing on

    /// Stores an upload by `store`, and passes it on when that fails or takes too long.
    func storing(
        _ request: HTTPRequest, _ caller: Identity, _ store: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let device = caller.client.flatMap({ UUID($0) }), people.person(caller.account)?.device(device) != nil,
            let loop = EventLoop.current
        else { return try await store() }
        let upload = Upload(
            request: request, account: caller.account, device: device, receivedAt: clock.now(), at: .now())
        let timer = loop.schedule(at: upload.at.advanced(by: patience)) { [self] in pass(upload) }
        defer {
            upload.isSettled.store(true, ordering: .relaxed)
            if EventLoop.current === loop { loop.cancel(timer) }
        }
        do { return try await store() } catch {
            if Self.leavesUnstored(error) { pass(upload) }
            throw error
        }
    }

    /// An upload that is being stored.
    private final class Upload: Sendable {
        let request: HTTPRequest
        let account: UUID
        let device: UUID
        let receivedAt: Timestamp
        let at: Deadline
        /// It was passed on, or need not be.
        let isSettled = Atomic<Bool>(false)

        init(request: HTTPRequest, account: UUID, device: UUID, receivedAt: Timestamp, at: Deadline) {
            self.request = request
            self.account = account
            self.device = device
            self.receivedAt = receivedAt
            self.at = at
        }
    }

    /// Whether an upload failed through no fault of its own.
    private static func leavesUnstored(_ error: any Error) -> Bool {
        let problem = (error as? Problem) ?? (error as? any ProblemConvertible)?.problem
        return problem.map { $0.status.rawValue >= 500 } ?? true
    }

    private func pass(_ upload: Upload) {
        guard !upload.isSettled.exchange(true, ordering: .relaxed), let (number, samples) = samples(of: upload),
            !samples.isEmpty
        else { return }
        let item = ProvisionalQueue.Item(
            device: upload.device, number: number, receivedAt: upload.at, samples: samples)
        let (outcome, lost) = queue.withLock { queue in
            let before = queue.dropped
            return (queue.add(item), queue.dropped - before)
        }
        dropped.increment(by: lost)
        guard outcome == .added else { return }
        taken.increment()
        added.raise()
    }

    /// What of it is passed on, and its number; `nil` for one that would be refused.
    private func samples(of upload: Upload) -> (number: Int64, samples: [Ingestion.LiveSamples])? {
        guard let person = people.person(upload.account), let device = person.device(upload.device) else { return nil }
        let sent: UploadRequest
        do throws(Problem) {
            sent = try UploadRoutes.read(upload.request.bytes).upload
            _ = try UploadRoutes.checkedCount(of: sent.series)
            try UploadRoutes.check(sentAt: sent.sentAt)
        } catch { return nil }
        let (batch, correction) = UploadRoutes.watchedSamples(
            sent.series, sentAt: sent.sentAt, receivedAt: upload.receivedAt)
        let sentAt = sent.sentAt + correction
        let parts = LiveFeed.newestSeries(
            of: person.kept(batch, from: device), since: sentAt - ProvisionalQueue.ageMax, groupsMax: Self.eventsMax)
        return (
            sent.upload,
            parts.map {
                Ingestion.LiveSamples(
                    accountID: upload.account, deviceID: upload.device, receivedAt: upload.receivedAt, sentAt: sentAt,
                    series: $0)
            }
        )
    }

    // MARK: Sending

    /// Sends what there is, call after call, so that the order stays; until cancelled. Call on a loop.
    func run() async {
        guard let loop = EventLoop.current else { return }
        while !Task.isCancelled {
            let seen = added.value
            let items = queue.withLock {
                $0.take(uploadsMax: Self.callUploadsMax, samplesMax: Self.callSamplesMax, at: .now())
            }
            guard !items.isEmpty else {
                _ = await added.wait(after: seen, deadline: .after(.seconds(60)))
                continue
            }
            await send(items, on: loop)
        }
    }

    /// Sends them until they are taken, refused or too old. One that is refused holds up none of the others.
    private func send(_ items: [ProvisionalQueue.Item], on loop: EventLoop) async {
        var items = items
        var failures = 0
        while !items.isEmpty, !Task.isCancelled {
            do throws(RPCError) {
                try await call(items)
                passed.increment(by: items.count)
                return
            } catch {
                failures += 1
                guard !Self.refuses(error, failures) else {
                    guard items.count == 1 else {
                        for item in items { await send([item], on: loop) }
                        return
                    }
                    refused.increment()
                    return tell("the dispatcher refuses samples that could not be stored", error)
                }
                tell("samples of watched people can be neither stored nor passed on", error)
            }
            do { try await loop.sleep(for: Self.pauses.delay(afterFailures: failures)) } catch { return }
            let now = Deadline.now()
            let young = items.filter { now.since($0.receivedAt) <= ProvisionalQueue.ageMax }
            dropped.increment(by: items.count - young.count)
            items = young
        }
    }

    /// Whether sending it again is of no use.
    private static func refuses(_ error: RPCError, _ failures: Int) -> Bool {
        switch error.code {
        case .unavailable, .overloaded, .deadline, .cancelled: false
        // What has happened is not known, as when a database goes away at the wrong moment.
        case .internal: failures >= attemptsMax
        case .parseError, .invalidRequest, .methodNotFound, .invalidParams, .notAllowed, .notFound, .conflict, .gone:
            true
        }
    }

    private func call(_ items: [ProvisionalQueue.Item]) async throws(RPCError) {
        let now = Deadline.now()
        let parts = items.flatMap { item in
            item.samples.map {
                Dispatcher.Provisional.Upload(
                    samples: $0, ageMilliseconds: max(0, now.since(item.receivedAt).milliseconds))
            }
        }
        var rest = parts[...]
        while !rest.isEmpty {
            let some = rest.prefix(Dispatcher.Provisional.uploadsMax)
            try await call(Array(some))
            rest = rest.dropFirst(some.count)
        }
    }

    /// Each call goes to the next replica. While its database is away, one judges only those whom it follows, and names the others, who
    /// are the next one's.
    private func call(_ uploads: [Dispatcher.Provisional.Upload]) async throws(RPCError) {
        var (uploads, asked): ([Dispatcher.Provisional.Upload], Set<UUID>) = (uploads, [])
        for _ in 0..<Self.replicasMax {
            let answer = try await dispatcher.call(
                Dispatcher.Provisional.self, .init(uploads: uploads), deadline: .after(Self.callTime))
            guard !answer.unknown.isEmpty, asked.insert(answer.replica).inserted else { return }
            let unknown = Set(answer.unknown)
            uploads = uploads.filter { unknown.contains($0.samples.accountID) }
        }
    }

    private func tell(_ what: StaticString, _ error: RPCError) {
        let isDue = told.withLock { told in
            guard told?.hasPassed ?? true else { return false }
            told = .after(Self.tellInterval)
            return true
        }
        guard isDue else { return }
        log.error(what, ["error": .string(error.description), "uploads": .integer(Int64(waitingCount))])
    }
}
