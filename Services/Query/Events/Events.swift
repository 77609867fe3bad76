import Contracts
import JSON
import Postgres
import Primitives
import RPC
import Security
import Service

/// Third parties' events, and all ways by which they reach them.
struct Events: Sendable {
    let log: EventLog
    let writer: EventWriter
    let ahead: ReadAhead
    let departures: Departures
    let permits: EventPermits
    private let routes: DataRoutes
    private let ingestion: any RPCCaller

    init(_ context: ServiceContext<QuerySettings>, store: RequestStore, audit: AuditTrail, pricing: Pricing? = nil) {
        let (database, clock) = (context.database, context.clock)
        ingestion = context.peers[ServiceName.ingestion.rawValue]
        log = EventLog(keys: store.keys)
        writer = EventWriter(
            database: database, log: log, ingestion: ingestion, clock: clock, messages: context.log,
            unreadable: context.unreadable, pricing: pricing)
        ahead = ReadAhead(
            database: database, log: log, ingestion: ingestion, clock: clock, messages: context.log,
            unreadable: context.unreadable, pricing: pricing)
        departures = Departures(database: database, log: log)
        permits = EventPermits(database: database, audit: audit, clock: clock, pricing: pricing)
        let places = WaitingPlaces(
            allMax: context.settings.waitingMax, perRequesterMax: context.settings.waitingPerThirdPartyMax)
        context.metrics.gauge("trackme_deliveries_waiting", "Streams and reads that wait for events.") {
            Double(places.count)
        }
        let writer = writer
        context.metrics.gauge(
            "trackme_readings_failing",
            "Requests whose data cannot be read and is tried again, of third parties that listen: look into the log."
        ) { Double(writer.failingCount) }
        routes = DataRoutes(
            gate: ConsentGate(database: database, store: store, clock: clock, pricing: pricing),
            events: EventRoutes(
                source: EventSource(writer: writer, unreadable: context.unreadable),
                sender: EventSender(
                    authenticator: context.authenticator, permits: permits, departures: departures, clock: clock),
                places: places,
                cursors: EventCursor(cipher: FieldCipher(context.keys.fields))))
    }

    /// A step of a request is committed.
    func changed(by request: ConsentRequest) {
        if request.state == .accepted && request.runID == nil {
            begin(request.id, of: request.requesterID)
        } else {
            writer.changed(request.requesterID)
        }
    }

    /// Data of a third party's request may be read from now on: call after the commit.
    func begin(_ request: UUID, of requester: UUID) {
        // Who listens has it read anyway.
        if !writer.isListening(requester, to: request) { ahead.begin(request) }
        writer.changed(requester)
    }

    /// Events that are deleted together.
    private static let leftoversMax = 1000
    /// How long after the end of a request its last departures may come, …
    private static let settling = Duration.seconds(10)
    /// … and how far back it is looked for what has not left.
    private static let leftoversKept = Duration.seconds(2 * 86_400)

    func add(to parts: inout ServiceParts, _ context: ServiceContext<QuerySettings>, _ availability: Availability) {
        let (routes, writer, ahead, departures) = (routes, writer, ahead, departures)
        let packer = EventPacker(
            database: writer.database, keys: log.keys, clock: context.clock, unreadable: context.unreadable)
        parts.http { routes.events.register(on: &$0) }
        parts.http { routes.register(on: &$0) }
        let arrivals = Arrivals(from: ingestion, observer: context.observer) {
            writer.arrived($0)
        } collectionMayHaveChanged: {
            availability.mayHaveChanged($0)
        } anyMayHave: {
            writer.mayHaveArrived()
            availability.mayHaveChanged()
        }
        parts.tasks.append(BackgroundTask("arrivals") { await arrivals.run() })
        parts.atStop.append {
            do { try await departures.save() } catch {
                context.log.warning("what has left is not noted", ["error": Log.text(of: error)])
            }
        }
        parts.tasks.append(BackgroundTask("event-writing") { try await writer.run() })
        parts.tasks.append(BackgroundTask("reading-ahead") { try await ahead.run() })
        parts.tasks += [
            .periodic("event-following", every: .seconds(1), pacing: context.pacing) {
                writer.forget()
                try await writer.follow()
            },
            .periodic("availability", every: .seconds(10), pacing: context.pacing) { try await availability.round() },
            .periodic("event-departures", every: .seconds(1), pacing: context.pacing) { try await departures.save() },
            .periodic("event-packing", every: .seconds(60), pacing: context.pacing) { try await packer.round() },
            .periodic("event-leftovers", every: .seconds(60), pacing: context.pacing) {
                let now = context.clock.now()
                var count = Self.leftoversMax
                while count == Self.leftoversMax, !Task.isCancelled {
                    count = try await writer.log.deleteLeftovers(
                        closedFrom: now - Self.leftoversKept, to: now - Self.settling, countMax: Self.leftoversMax,
                        in: writer.database)
                }
            },
        ]
    }
}
