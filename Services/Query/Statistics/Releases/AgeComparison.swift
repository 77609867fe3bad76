import Contracts
import Domain
import Postgres
import Primitives
import RPC
import Service

/// `query.age_statistics`: what was released about everybody of an age (ING-07). It reads released cells only; what a cell says
/// was paid for when it was released, and who reads it again learns nothing more (`Privacy.md`).
struct AgeComparison: Sendable {
    /// Ages are compared by decades.
    static let years = 10
    /// How far back a release is looked for.
    static let daysMax = 60

    let database: Database
    let price: PrivacyPrice
    let clock: any WallClock

    func register(in router: inout RPCRouter) {
        router.register(Query.AgeStatistics.self, allow: [ServiceName.ingestion.rawValue]) { params, _ in
            guard (0...150).contains(params.age) else {
                throw RPCError(.invalidParams, "age must be from 0 to 150 years.")
            }
            return .init(released: try await latest(params.type, age: params.age))
        }
    }

    /// Of the last day for which the question "all people of this decade" was released.
    private func latest(_ type: DataType, age: Int) async throws -> Query.AgeStatistics.Released? {
        guard let bounds = type.groupBounds else { return nil }
        let least = min(age, Predicate.ageMax) / Self.years * Self.years
        let ages = least...min(least + Self.years - 1, Predicate.ageMax)
        let today = clock.now().dateUTC
        let cells = try (1...Self.daysMax).map { back in
            try ReleaseCell(type: type, day: today.adding(days: -back), predicate: Predicate(age: ages), price: price)
        }
        let known = try await ReleaseStore.cells(cells.map(\.question), in: database)
        let given = Dictionary(
            known.compactMap { cell in
                if case .given(let released) = cell.state { (cell.question, released) } else { nil }
            }, uniquingKeysWith: { first, _ in first })
        // The latest day first.
        for cell in cells {
            guard let released = given[cell.question] else { continue }
            let values = GroupAnswer.Values(released, bounds: bounds, unit: type.unit.description)
            return .init(
                ageFrom: ages.lowerBound, ageTo: ages.upperBound, from: cell.day, to: cell.day, mean: values.mean,
                margin: (values.meanInterval[1] - values.meanInterval[0]) / 2)
        }
        return nil
    }
}
