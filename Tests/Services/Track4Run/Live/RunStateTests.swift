import Contracts
import Domain
import Primitives
import Testing

@testable import Track4Run

@Suite struct RunStateTests {
    static let start = RunnerProgressTests.start
    static let end = start + .seconds(3600)
    let path = Paths.path([(90, 1000)])

    func state(_ count: Int, showsHeartRate: Bool = true) -> (RunState, [UUID]) {
        var state = RunState(course: Course(path: path), start: Self.start, end: Self.end)
        let accounts = (0..<count).map { _ in UUID.random() }
        for (index, account) in accounts.enumerated() {
            state.add(
                .init(account: account, bib: index + 1, name: "Runner \(index + 1)", showsHeartRate: showsHeartRate))
        }
        return (state, accounts)
    }

    @Test("RUN-10b: finishers by time, then runners by distance, then who has not started")
    func placings() {
        var (state, accounts) = state(5)
        // Bib 2 finishes in 250 s, bib 1 in 333 s; bib 4 is at 900 m, bib 3 at 600 m, bib 5 never shows up.
        for (index, speed, until) in [(0, 3.0, 400.0), (1, 4.0, 400), (2, 2.0, 300), (3, 3.0, 300)] {
            let samples = Samples.running(accounts[index], path, from: Self.start, speed: speed, seconds: until)
            #expect(state.apply(samples).isMoved)
        }
        let placings = state.placings(order: state.order())
        #expect(placings.map(\.bib) == [2, 1, 4, 3, 5])
        #expect(placings.map(\.place) == [1, 2, 3, 4, nil])
        #expect(placings.map(\.state) == [.finished, .finished, .running, .running, .notStarted])
        #expect(abs(placings[0].time! - 250) < 5)
        #expect(abs(placings[0].pace! - 250) < 10)
    }

    @Test(
        "RUN-11 RUN-10b: at the end who has not arrived did not finish, who never left did not start, and neither has a place"
    )
    func final() {
        var (state, accounts) = state(3)
        _ = state.apply(Samples.running(accounts[0], path, from: Self.start, speed: 4, seconds: 300))
        _ = state.apply(Samples.running(accounts[1], path, from: Self.start, speed: 2, seconds: 300))
        let placings = state.placings(order: state.order(), isFinal: true)
        #expect(placings.map(\.state) == [.finished, .didNotFinish, .didNotStart])
        #expect(placings.map(\.place) == [1, nil, nil])
        #expect(state.allFinishedAt == nil)
    }

    @Test("RUN-09d: nothing from before the start or after the end counts")
    func outsideTime() {
        var (state, accounts) = state(1)
        #expect(
            !state.apply(Samples.running(accounts[0], path, from: Self.start - .seconds(100), speed: 3, seconds: 100))
                .isMoved)
        #expect(!state.apply(Samples.running(accounts[0], path, from: Self.end, speed: 3, seconds: 100)).isMoved)
        #expect(state.markers(order: state.order(), at: Self.start).isEmpty)
    }

    @Test("RUN-09d: nobody but who takes part is taken in")
    func strangers() {
        var (state, _) = state(1)
        #expect(!state.apply(Samples.running(.random(), path, from: Self.start, speed: 3, seconds: 60)).isMoved)
    }

    @Test("RUN-09c: readings of a sensor without contact are no heart rate of the runner")
    func contact() {
        var (state, accounts) = state(1)
        var samples = Samples.running(
            accounts[0], path, from: Self.start, speed: 3, seconds: 100, heartRate: 152)
        samples.series[1].values = (1...100).map { $0 % 2 == 0 ? 31 : 152 }
        samples.series[1].contact = (1...100).map { $0 % 2 == 1 }
        _ = state.apply(samples)
        #expect(state.placings(order: state.order()).first?.heartRate == 152)
        #expect(state.markers(order: state.order(), at: Self.start + .seconds(101)).first?.heartRate == 152)
    }

    @Test(
        "RUN-01c RUN-09c: heart rate is shown where it is shared with a company, and not otherwise",
        arguments: [true, false])
    func heartRate(isShown: Bool) {
        var (state, accounts) = state(1, showsHeartRate: isShown)
        _ = state.apply(
            Samples.running(accounts[0], path, from: Self.start, speed: 3, seconds: 100, heartRate: 152))
        let now = Self.start + .seconds(101)
        let marker = state.markers(order: state.order(), at: now).first
        #expect(marker?.heartRate == (isShown ? 152 : nil))
        #expect(state.placings(order: state.order()).first?.heartRate == (isShown ? 152 : nil))
    }

    @Test("RUN-10: a device's clock that is an hour wrong makes no difference")
    func wrongClock() {
        var (state, accounts) = state(1)
        let samples = Samples.running(
            accounts[0], path, from: Self.start, speed: 4, seconds: 300, clockError: .seconds(3600))
        #expect(state.apply(samples).isMoved)
        #expect(abs(state.placings(order: state.order())[0].time! - 250) < 5)
    }

    @Test("RUN-07: who leaves under way did not finish, keeps what was reached until then, and is last and off the map")
    func left() {
        var (state, accounts) = state(3)
        _ = state.apply(Samples.running(accounts[0], path, from: Self.start, speed: 3, seconds: 200))
        _ = state.apply(Samples.running(accounts[1], path, from: Self.start, speed: 2, seconds: 200))
        #expect(state.leave(accounts[0], at: Self.start + .seconds(210)) == 1)
        // What was measured before comes late, and counts; what was measured after does not.
        _ = state.apply(Samples.running(accounts[0], path, from: Self.start, since: 200, speed: 3, seconds: 300))
        let placings = state.placings(order: state.order())
        #expect(placings.map(\.bib) == [2, 3, 1])
        #expect(placings.map(\.state) == [.running, .notStarted, .didNotFinish])
        #expect(placings[2].place == nil && abs(placings[2].distance - 630) < 10)
        #expect(state.markers(order: state.order(), at: Self.start + .seconds(220)).map(\.bib) == [2])
        #expect(state.lost(at: Self.start + .seconds(3000)) == [accounts[1], accounts[2]])
    }

    @Test("RUN-08: who is out is not known any more")
    func out() {
        var (state, accounts) = state(2)
        _ = state.apply(Samples.running(accounts[0], path, from: Self.start, speed: 3, seconds: 100))
        #expect(state.remove(accounts[0]) == 1)
        #expect(state.order() == [accounts[1]])
        #expect(!state.apply(Samples.running(accounts[0], path, from: Self.start, speed: 3, seconds: 120)).isMoved)
    }
}
