import Contracts
import Domain
import Feed
import Postgres
import Primitives
import Testing

@testable import Ingestion

extension IngestionTest {
    struct RollupValue: Hashable {
        let type: DataType
        let day: String
        let subject: Int32
        let value: Double
    }

    /// A person with a number in the anonymous store, and a device.
    func counted(_ subject: Int32) async throws -> (account: UUID, device: UUID) {
        let account = UUID.random()
        try await change(1, .init(accountID: account, kind: .individual, state: .active, subject: subject))
        return (account, .random())
    }

    /// All that was published, or what was in publications other than `known`.
    func rollups(beside known: Set<UUID> = []) async throws -> Set<RollupValue> {
        var values: Set<RollupValue> = []
        for event in try await events(Ingestion.rollupsFeed, as: "query") where event.kind == "day" {
            let rollups = try event.decode(Ingestion.DayRollups.self)
            guard rollups.publication.map({ !known.contains($0) }) ?? true else { continue }
            for (subject, value) in zip(rollups.subjects, rollups.values) {
                let new = values.insert(
                    RollupValue(type: rollups.type, day: rollups.day.description, subject: subject, value: value))
                #expect(new.inserted)
            }
        }
        return values
    }

    func publications() async throws -> Set<UUID> {
        Set(try await database.query("select entity from feed_event where kind = 'day-complete'", as: UUID.self))
    }
}
