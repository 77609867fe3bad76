import Primitives
import SuiteClient
import Testing

@testable import Simulator

@Suite("Uploads of simulated people")
struct RoundsTests {
    private static let round = Rounds.begin(after: nil, at: Timestamp("2026-05-04T10:07:12.345Z")!)

    @Test("a round begins just after watches have measured")
    func begin() {
        #expect(Self.round == Timestamp("2026-05-04T10:07:16Z")!)
        #expect(Rounds.begin(after: nil, at: Self.round) == Self.round + .seconds(30))
    }

    @Test("rounds follow one another; one that took too long is not made up for")
    func following() {
        let round = Self.round
        #expect(Rounds.begin(after: round, at: round + .milliseconds(29_900)) == round + .seconds(30))
        #expect(Rounds.begin(after: round, at: round + .seconds(31)) == round + .seconds(30))
        #expect(Rounds.begin(after: round, at: round + .seconds(95)) == round + .seconds(90))
    }

    @Test("a clock that is set back or forward delays nobody by more than a round")
    func clock() {
        for hours in [-5, 5] {
            let now = Self.round + .seconds(hours * 3600 + 11)
            #expect(Rounds.begin(after: Self.round, at: now) - now <= Rounds.interval)
        }
    }

    @Test("turns are waited for; after a clock was set back the program begins anew")
    func waiting() throws {
        let due = Self.round + .seconds(59)
        #expect(try Rounds.wait(until: due, at: Self.round) == .seconds(59))
        #expect(try Rounds.wait(until: due, at: due + .seconds(5 * 3600)) == .zero)
        #expect(throws: SuiteError.self) { try Rounds.wait(until: due, at: due - .seconds(3600)) }
    }

    @Test("turns are spread evenly over the round")
    func spread() {
        let delays = (0..<300).map { Rounds.delay(of: $0, among: 300).milliseconds }
        #expect(delays[0] == 0 && delays.allSatisfy { (0..<30_000).contains($0) })
        #expect(zip(delays, delays.dropFirst()).allSatisfy { $1 - $0 == 100 })
    }
}
