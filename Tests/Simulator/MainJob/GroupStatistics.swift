import Contracts
import Domain
import Primitives
import SuiteClient

/// Step 4: a group request over the simulated people, and one that matches too few (GRP-01 to GRP-06).
struct GroupStatistics {
    private static let answerMax: Duration = .seconds(5)
    private static let days = 7
    /// Days close 48 hours after their end.
    private static let openDays = 3
    /// The mean of everybody's, in beats per minute, and how much a group's may differ beside the noise.
    private static let heartRate = (mean: 72.0, spread: 8.0)
    /// Standard deviations of the noise that a mean may be off.
    private static let deviationsMax = 5.0

    let suite: Suite
    let thirdParty: Company

    func run() async throws(SuiteError) {
        let step = Step(4, "A group request")
        _ = try await suite.call(
            Accounts.Admit.self, of: .accounts, .init(email: thirdParty.email, reason: "Simulated company"))
        let program = try await thirdParty.program(name: "Group statistics", scopes: ["groups"])
        let last = Timestamp.now().dateUTC.adding(days: -Self.openDays)
        let first = last.adding(days: 1 - Self.days)
        let watch = Stopwatch()
        let question = GroupQuestion(
            dataTypes: [.heartRate], from: first, to: last,
            where: .init(age: .init(min: 25, max: 84), sex: .female, residence: .init(region: "Lombardia")))
        let answer: GroupAnswer
        do throws(SuiteError) { answer = try await program.ask(question) } catch {
            guard error.code == "too-few-people" else { throw error }
            throw .unexpected("Not even 1001 women in Lombardy: the suite has too few simulated people (\(error)).")
        }
        try expect(watch.elapsed <= Self.answerMax, "The answer took \(watch.elapsed.brief).")
        let buckets = try unwrap(
            answer.buckets, "The answer has to be paid: run this where answers about groups are free.")
        try expect(buckets.count == Self.days, "The answer has \(buckets.count) days of \(Self.days).")
        for bucket in buckets {
            let mean = try unwrap(
                bucket.mean, "\(bucket.start) has no mean: too few people, though they are simulated.")
            let noise = bucket.meanNoise ?? 0
            try expect(
                abs(mean - Self.heartRate.mean) < Self.heartRate.spread + Self.deviationsMax * noise,
                "A mean heart rate of \(mean) ± \(noise) on \(bucket.start) cannot be.")
            step.say(
                "\(bucket.start): \(bucket.count ?? 0) women of 25 to 84 in Lombardy, mean \(mean) ± \(noise) /min")
        }
        step.say("answered in \(watch.elapsed.brief)")
        try await expectOneRefusal(program, first, last, step)
    }

    /// GRP-02, GRP-03: few and none give one answer, which tells no number.
    private func expectOneRefusal(
        _ program: API, _ first: CalendarDate, _ last: CalendarDate, _ step: Step
    ) async throws(SuiteError) {
        var texts: [String] = []
        for age in [GroupQuestion.Age(min: 90, max: 94), GroupQuestion.Age(min: 119, max: 120)] {
            let question = GroupQuestion(
                dataTypes: [.heartRate], from: first, to: last,
                where: .init(age: age, residence: .init(municipality: BelfioreCode("I829"))))
            do throws(SuiteError) {
                _ = try await program.ask(question)
                throw SuiteError.unexpected("A few people in Sondrio were enough for an answer.")
            } catch {
                guard error.code == "too-few-people" else { throw error }
                texts.append("\(error)")
            }
        }
        try expect(texts[0] == texts[1], "Few people are answered with “\(texts[0])”, none with “\(texts[1])”.")
        try expect(!texts[0].contains("90") && !texts[0].contains("1000"), "The refusal tells a number: \(texts[0])")
        step.say("very old people in Sondrio, few or none: one refusal (too-few-people), without a number")
    }
}
