import Primitives
import Reactor

@testable import Dispatcher
@testable import SimulatedDetection

/// `trackme-sos-world detection [DAYS [EMERGENCIES [RULES]]]`: how often rule sets are wrong about the healthy, and whether they find
/// who is in need, over simulated people whose sensors fail. Exit status 1 when the default rules miss one, or more than one false
/// hand-over in ten years is sure.
enum Detection {
    private struct Figures: Sendable {
        var healthy = DetectionFigures.Healthy()
        var emergencies = DetectionFigures.Emergencies()
    }

    static func run(_ arguments: some Collection<String>) async throws -> Bool {
        let arguments = Array(arguments)
        let days = Int(arguments.first ?? "") ?? 30
        let emergencies = Int(arguments.dropFirst().first ?? "") ?? 100
        let named = arguments.dropFirst(2).compactMap(RuleSet.init(rawValue:))
        var isGood = true
        for rules in named.isEmpty ? RuleSet.allCases : named {
            let figures = try await figures(rules, people: max(1, days / DetectionFigures.daysEach), emergencies)
            print("healthy people, rules \(rules.rawValue): \(figures.healthy.text)")
            print("emergencies of 30 s, rules \(rules.rawValue): \(figures.emergencies.text)")
            guard rules == .age else { continue }
            isGood = figures.healthy.interval.lowerBound <= 1 && figures.emergencies.missed.isEmpty
            print("\(isGood ? "ok  " : "FAIL")  \(figures.emergencies.missed.joined(separator: ", "))")
        }
        return isGood
    }

    /// On all threads, each with its share of the people and of the emergencies.
    private static func figures(_ rules: RuleSet, people: Int, _ emergencies: Int) async throws -> Figures {
        func share(_ thread: Int, of count: Int) -> Range<Int> {
            thread * count / threads..<(thread + 1) * count / threads
        }
        let pool = try BlockingPool(threads: threads, queueMax: threads)
        return try await withThrowingTaskGroup(of: Figures.self) { group in
            for thread in 0..<threads {
                let (own, kinds) = (DetectionFigures(rules: rules), rules.watchedEmergencies)
                let (people, numbers) = (share(thread, of: people), share(thread, of: emergencies))
                group.addTask {
                    try await pool.run {
                        Figures(healthy: own.healthy(people: people), emergencies: own.emergencies(kinds, numbers))
                    }
                }
            }
            var all = Figures()
            for try await one in group {
                all.healthy.add(one.healthy)
                all.emergencies.add(one.emergencies)
            }
            return all
        }
    }
}
