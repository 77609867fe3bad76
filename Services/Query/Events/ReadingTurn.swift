import Contracts
import JSON
import RPC
import Telemetry

/// What a look at a reading has found.
struct ReadingTurn: Sendable {
    /// As it stood before.
    let before: Reading
    /// As it stands when what was found is in the log.
    var after: Reading
    /// What becomes an event; `nil` when that is nothing of what was accepted.
    var data: Event.Content?
    /// Why it could not be read now.
    var failure: JSONValue?
    /// Whether it is to go on at once.
    var hasMore = false

    var hasFailed: Bool { failure != nil }
    var kind: Event.Kind { before.granularity == .raw ? .samples : .sums }

    /// What becomes an event, if something does.
    var draft: EventLog.Draft? {
        data.map { data in
            EventLog.Draft(
                request: before.request, individual: before.individual, kind: kind, data: data,
                expected: before.saved, place: after.place)
        }
    }
}

/// Reads samples as they were measured, of many requests by one call.
struct SampleReader: Sendable {
    /// Samples of one event, about; of what is read up, since there is more of it.
    static let (samplesMax, upSamplesMax) = (2000, 10_000)

    let ingestion: any RPCCaller

    func read(_ readings: [Reading]) async throws -> [ReadingTurn] {
        guard !readings.isEmpty else { return [] }
        let items = readings.map { $0.item(limit: $0.hasMore ? Self.upSamplesMax : Self.samplesMax) }
        let answers = try await ingestion.call(Ingestion.ReadMany.self, .init(reads: items)).answers
        guard answers.count == readings.count else { throw RPCError(.internal, "not every reading was answered") }
        return zip(readings, answers).map(Self.turn)
    }

    /// What cannot be read, or be told of, of one person holds up nobody else.
    private static func turn(_ reading: Reading, _ answer: Ingestion.ReadMany.Answer) -> ReadingTurn {
        var turn = ReadingTurn(before: reading, after: reading)
        guard answer.outcome != .failed else {
            turn.failure = "ingestion cannot read it"
            return turn
        }
        let series = answer.series.filter { $0.count > 0 && reading.types.contains($0.type) }
        do throws(JSONError) { turn.data = try Event.Content(series.map(\.tellingContact)) } catch {
            turn.failure = Log.text(of: error)
            return turn
        }
        turn.after.place.position = answer.next
        (turn.after.hasMore, turn.hasMore) = (answer.hasMore, answer.hasMore)
        return turn
    }
}
