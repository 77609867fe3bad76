import Contracts
import Domain
import HTTP
import Primitives
import RPC
import Security
import Service
import Web

/// Routes with which individuals see what their data say of their health (ING-07, ING-09, ING-11).
struct HealthRoutes: Sendable {
    /// Days of the last week that a comparison needs.
    static let comparedDaysMin = 3

    let reader: HealthReader
    let query: any RPCCaller

    /// `shard` gives the routes of a person's shard.
    static func add(to routes: inout ServiceRoutes, of shard: @escaping @Sendable (UUID) async throws -> HealthRoutes) {
        routes.onQuestion("/ingestion/v1/me/health") { request, caller in
            let (person, history) = try await shard(caller.account).read(caller.account)
            return try .json(HealthAnswer(history, in: request.preferredLanguage ?? person.language))
        }
        routes.onQuestion("/ingestion/v1/me/report", query: .read) { request, caller in
            let week = try request.parameters { (query) throws(Problem) in query.value("week", as: CalendarDate.self) }
            let (person, history) = try await shard(caller.account).read(caller.account)
            let last = history.today.adding(days: -7).monday
            let monday = week?.monday ?? last
            // The week before is compared with.
            let first = history.today.adding(days: 14 - HealthHistory.daysMax).monday
            guard (first...last).contains(monday) else {
                throw Problem(
                    parameter: "week", "write a day of a week that is over, from \(first) to \(last.adding(days: 6))")
            }
            return try .json(
                ReportAnswer(WeeklyReport(history, monday: monday), in: request.preferredLanguage ?? person.language))
        }
        routes.onQuestion("/ingestion/v1/me/comparison", query: .read) { request, caller in
            let type = try request.parameters { (query) throws(Problem) in
                try query.required("type", query.dataType("type"))
            }
            guard type.groupBounds != nil else {
                throw Problem(parameter: "type", "there are no group statistics of \(type.name)")
            }
            let own = try await shard(caller.account)
            return try .json(try await own.comparison(of: type, try await own.read(caller.account).history))
        }
    }

    private func read(_ account: UUID) async throws -> (person: PersonContext, history: HealthHistory) {
        guard let found = try await reader.read(account) else {
            throw Self.noData
        }
        return found
    }

    static let noData = Problem(.notFound, code: "no-data", detail: "nothing is stored for this account")

    private func comparison(of type: DataType, _ history: HealthHistory) async throws -> ComparisonAnswer {
        let days = history.days(type, last: 7).map { type.kind == .counter ? $0.value.sum : $0.value.mean }
        func answer(_ group: ComparisonAnswer.Group?, _ missing: ComparisonAnswer.Missing?) -> ComparisonAnswer {
            let own = days.mean(countMin: Self.comparedDaysMin)
            return ComparisonAnswer(
                type: type, unit: type.unit.description, own: own?.hundredths, days: days.count,
                group: group, missing: missing)
        }
        guard days.count >= Self.comparedDaysMin else { return answer(nil, .tooLittleData) }
        guard let age = history.age else { return answer(nil, .birthDate) }
        let released = try await query.call(Query.AgeStatistics.self, .init(type: type, age: age)).released
        guard let released else { return answer(nil, .notReleased) }
        return answer(
            .init(
                ageFrom: released.ageFrom, ageTo: released.ageTo, day: released.to, mean: released.mean,
                margin: released.margin), nil)
    }
}

extension CalendarDate {
    /// Of the week in which the day lies.
    var monday: CalendarDate { Granularity.week.firstDay(of: self) }
}
