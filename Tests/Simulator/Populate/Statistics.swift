import Contracts
import Domain
import Primitives
import SuiteClient

/// Brings the history into the anonymous store, and waits until it is there.
struct Statistics {
    private static let closeMax: Duration = .seconds(4 * 3600)
    /// How far the work has come is asked this often.
    private static let waitMilliseconds = 2000
    /// So often in a row it may stay without an answer: the work goes on, and the machine may be busy with it.
    private static let tries = 30
    private static let arrivalMax: Duration = .seconds(180)
    /// Standard deviations of the noise that a count may be off.
    private static let deviationsMax = 6.0

    let suite: Suite
    let population: Population
    let days: [CalendarDate]

    /// Closes the days through `day`, and asks as that third party. Returns how many day values that made.
    func close(through day: CalendarDate, as thirdParty: CompanyForm) async throws(SuiteError) -> Int {
        var shown: [Ingestion.CloseDays.Step: Progress] = [:]
        // The work goes on between the calls.
        let rollups = try await eventually(
            "The days through \(day) were not closed", within: Self.closeMax, every: .milliseconds(10)
        ) { () throws(SuiteError) -> Int? in
            let result = try await patiently(tries: Self.tries, every: .seconds(1)) { () throws(SuiteError) in
                try await suite.call(
                    Ingestion.CloseDays.self, of: .ingestion,
                    .init(through: day, waitMilliseconds: Self.waitMilliseconds),
                    within: .milliseconds(Self.waitMilliseconds) + .seconds(10))
            }
            if let done = result.progress { show(done, &shown) }
            return result.isDone ? Int(result.rollups) : nil
        }
        for progress in shown.values { progress.end() }
        // Fewer people than that are never told anything about.
        guard population.people.count > 1100 else { return rollups }
        // Only now: closing may take longer than tokens live.
        let company = try await Company.logIn(thirdParty, as: .thirdParty, api: API(suite))
        let program = try await company.program(name: "Population check", scopes: ["groups"])
        try await waitForAll(on: [days[0], day], asking: program)
        return rollups
    }

    private func show(_ done: Ingestion.CloseDays.Progress, _ shown: inout [Ingestion.CloseDays.Step: Progress]) {
        let people = population.people.count
        let (label, total) =
            switch done.step {
            case .sealing: ("Sealing people's days", people)
            case .counting: ("Counting \(days.count) days of each person", people * days.count)
            }
        let progress = shown[done.step] ?? Progress(label, total: total)
        shown[done.step] = progress
        progress.set(Int(done.share * Double(total)))
    }

    /// Asks how many people there are until the answer is about right, first for the first day, then for the last.
    ///
    /// What a question was answered once is its answer for ever, so each try is a question of its own: about people of at
    /// most 120 years, then 119 …
    private func waitForAll(on wanted: [CalendarDate], asking program: API) async throws(SuiteError) {
        var ages = (100...120).reversed()[...]
        for day in wanted {
            _ = try await eventually(
                "The statistics of \(day) did not arrive in full", within: Self.arrivalMax, every: .seconds(1)
            ) { () throws(SuiteError) -> Bool? in
                let age = try unwrap(ages.first, "The statistics of \(day) did not arrive in full.")
                do throws(SuiteError) {
                    if try await isComplete(day, upToAge: age, asking: program) { return true }
                } catch {
                    // Still being loaded: this was not charged and not answered.
                    if error.isPassing { return nil }
                    guard error.code == "too-few-people" else { throw error }
                }
                ages = ages.dropFirst()
                return nil
            }
        }
    }

    private func isComplete(_ day: CalendarDate, upToAge age: Int, asking program: API) async throws(SuiteError) -> Bool
    {
        let answer = try await program.ask(
            GroupQuestion(dataTypes: [.sleep], from: day, to: day, where: .init(age: .init(max: age))))
        // Where answers cost something, that there is one has to do: so many match.
        guard let buckets = answer.buckets else { return true }
        guard let bucket = buckets.first, let count = bucket.count else { return false }
        return Double(count) > Double(population.people.count) - Self.deviationsMax * (bucket.countNoise ?? 0)
    }
}
