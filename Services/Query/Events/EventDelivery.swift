import Contracts
import Domain
import Postgres
import Primitives
import Reactor
import Service

/// Events on their way to a third party in one answer, stream, call or mail. Of each request whose data is in it there is one row in
/// the person's access log (REQ-11).
struct EventDelivery: Sendable {
    enum Way: String, Sendable {
        case page, download, stream, webhook, mail
        /// What has left before is fetched again.
        case result
    }

    let way: Way
    let requester: UUID
    let began: Timestamp
    /// Whether the data itself is handed over, not only that there is some.
    let carriesData: Bool
    /// Throws when the requester's token is no longer good.
    let authorize: @Sendable () async throws -> Void
    /// The rows of the access log, by request.
    fileprivate var accesses: [UUID: UUID] = [:]

    init(
        _ way: Way, to requester: UUID, at now: Timestamp, carriesData: Bool = true,
        authorize: @escaping @Sendable () async throws -> Void
    ) {
        self.carriesData = carriesData
        self.way = way
        self.requester = requester
        self.authorize = authorize
        began = now
    }
}

/// Permits that events leave (REQ-05, REQ-10): data only while the consent holds, and once it is paid (PAY-01).
struct EventPermits: Sendable {
    private let clock: any WallClock
    private let accesses: AccessNotes
    private let pricing: Pricing?

    /// `pricing` is `nil` where nothing costs anything.
    init(database: Database, audit: AuditTrail, clock: any WallClock, pricing: Pricing? = nil) {
        self.clock = clock
        self.pricing = pricing
        accesses = AccessNotes(database: database, audit: audit, clock: clock, isPaid: .isPaid(pricing))
    }

    /// The events of a page that may leave until the deadline: those without data, and of data those whose consent holds now. Writes
    /// them into the access logs of the people concerned and, at the beginning of a delivery, into the audit trail. What is
    /// written must be written before the deadline. Errors: those of a token that was revoked or has expired.
    func permit(
        _ events: [Event], on delivery: inout EventDelivery
    ) async throws -> (events: [Event], until: Deadline) {
        try await delivery.authorize()
        let lease = Deadline.after(Lease.time)
        let open = try await note(Self.parts(of: events, withCounts: delivery.carriesData), on: &delivery)
        return (events.filter { !$0.kind.isData || open.contains($0.request) }, lease)
    }

    /// Permits what was permitted for another while. Errors: `ConsentOver` when a consent is over, and as above.
    func renew(_ events: [Event], on delivery: EventDelivery) async throws -> Deadline {
        try await delivery.authorize()
        let lease = Deadline.after(Lease.time)
        var delivery = delivery
        let parts = Self.parts(of: events, withCounts: false)
        guard try await note(parts, on: &delivery).count == parts.count else { throw ConsentOver() }
        return lease
    }

    struct ConsentOver: Error {}

    private struct Part {
        let request: UUID
        var counts: [DataType: Int] = [:]
        var measured: ClosedRange<Timestamp>?
    }

    private static func parts(of events: [Event], withCounts: Bool) -> [Part] {
        var parts: [UUID: Part] = [:]
        for event in events {
            guard let data = event.data else { continue }
            var part = parts[event.request] ?? Part(request: event.request)
            defer { parts[event.request] = part }
            guard withCounts else { continue }
            part.counts.merge(data.counts, uniquingKeysWith: +)
            part.measured = part.measured.map { $0.extended(by: data.measured) } ?? data.measured
        }
        return Array(parts.values)
    }

    /// The requests whose consent holds and whose invoice, if there is one, is paid. What has left before was. Of those that are not
    /// paid it is noted that their readers go past something.
    private func note(_ parts: [Part], on delivery: inout EventDelivery) async throws -> Set<UUID> {
        guard !parts.isEmpty else { return [] }
        let now = clock.now()
        var notes: [AccessNotes.Note] = []
        for part in parts {
            let access = delivery.accesses[part.request] ?? .timeOrdered(at: now)
            delivery.accesses[part.request] = access
            notes.append(
                AccessNotes.Note(
                    access: access, request: part.request, requester: delivery.requester, way: delivery.way,
                    began: delivery.began, counts: part.counts, measured: part.measured))
        }
        let open = try await accesses.add(notes)
        if let pricing, open.count < parts.count {
            let refused = parts.map(\.request).filter { !open.contains($0) }
            try await pricing.store.passOver(refused, of: delivery.requester)
        }
        return open
    }
}
