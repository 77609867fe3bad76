import Testing

@testable import Reactor

@Suite struct RepeatedFailureTests {
    @Test("Of a neighbour that is away for a day, tried five times a second, some 1,500 failures are logged")
    func day() {
        var failure = RepeatedFailure()
        let start = Deadline.now()
        let told = (0..<5 * 86_400).count { failure.isToBeTold(at: start.advanced(by: .milliseconds(200) * $0)) }
        #expect((1400...1500).contains(told))
    }

    @Test("The first failures in a row are all logged; after a success of a minute the next one is a first one again")
    func rows() {
        var failure = RepeatedFailure()
        let start = Deadline.now()
        let first = (0..<10).map { _ in failure.isToBeTold(at: start) }
        #expect(first == Array(repeating: true, count: 8) + [false, false])
        failure.succeeded(at: start.advanced(by: .seconds(61)))
        let later = (0..<2).map { _ in failure.isToBeTold(at: start.advanced(by: .seconds(62))) }
        #expect(later == [true, true])
    }

    @Test("What works and fails in turn writes no more lines than what only fails")
    func flapping() {
        var failure = RepeatedFailure()
        let start = Deadline.now()
        let told = (0..<6000).count { index in
            let now = start.advanced(by: .milliseconds(10) * index)
            failure.succeeded(at: now)
            return failure.isToBeTold(at: now)
        }
        #expect(told <= 9)
    }
}
