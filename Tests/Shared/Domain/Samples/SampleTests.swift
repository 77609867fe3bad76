import Domain
import Primitives
import Testing

@Suite struct SampleTests {
    let now = Timestamp("2026-11-20T10:00:00Z")!
    var clock: SampleClock { SampleClock(now: now) }

    @Test("ING-01a: implausible values are refused, and limits are inside")
    func plausible() throws {
        #expect(
            try Measurement(type: .bodyTemperature, time: now, value: 98.6, unit: "°F", clock: clock).value.rounded()
                == 37)
        #expect(throws: SampleError.implausible(.bodyTemperature, 98.6)) {
            try Measurement(type: .bodyTemperature, time: now, value: 98.6, unit: "Cel", clock: clock)
        }
        #expect(throws: SampleError.implausible(.oxygenSaturation, 9700)) {
            try Measurement(type: .oxygenSaturation, time: now, value: 97, unit: "1", clock: clock)
        }
        #expect(throws: SampleError.implausible(.activity, 2.5)) {
            try Measurement(type: .activity, time: now, value: 2.5, unit: nil, clock: clock)
        }
        for value in [0.0, 300] {
            #expect(try Measurement(type: .heartRate, time: now, value: value, unit: nil, clock: clock).value == value)
        }
    }

    @Test("ING-02e: times ahead of the clock and unset clocks are refused, late data is not")
    func times() throws {
        func measured(_ time: Timestamp) throws -> Timestamp {
            try Measurement(type: .heartRate, time: time, value: 70, unit: nil, clock: clock).time
        }
        #expect(try measured(now + .seconds(300)) == now + .seconds(300))
        #expect(try measured(Timestamp("2010-01-01T00:00:00Z")!) < now)
        #expect(throws: SampleError.future(ahead: .seconds(301))) { try measured(now + .seconds(301)) }
        #expect(throws: SampleError.clockNeverSet) { try measured(Timestamp("1980-01-06T12:00:00Z")!) }
        #expect(throws: SampleError.clockNeverSet) { try measured(Timestamp(microseconds: 0)) }
    }

    @Test("SOS-05: by the device's own clock what it measured is taken, but nothing ahead of it or before all clocks")
    func ownClock() throws {
        func measured(_ time: Timestamp, sentAt: Timestamp) throws -> Timestamp {
            let clock = SampleClock(now: now, sentAt: sentAt)
            return try Measurement(type: .heartRate, time: time, value: 70, unit: nil, clock: clock).time
        }
        for sentAt in [Timestamp("2031-01-01T00:00:00Z")!, Timestamp("1970-01-01T00:10:00Z")!] {
            #expect(try measured(sentAt - .seconds(5), sentAt: sentAt) == sentAt - .seconds(5))
            #expect(try measured(now, sentAt: sentAt) == now)
            for time in [Timestamp("2031-01-01T00:05:01Z")!, Timestamp("1969-12-30T23:59:59Z")!] {
                #expect(throws: SampleError.self) { try measured(time, sentAt: sentAt) }
            }
        }
    }

    @Test("SOS-05: without a clock no time is refused")
    func noClock() throws {
        let time = Timestamp(microseconds: 0)
        #expect(try Measurement(type: .heartRate, time: time, value: 70, unit: nil, clock: nil).time == time)
    }

    @Test("ING-01a: position fixes are checked")
    func positions() throws {
        let fix = try PositionFix(
            time: now, latitude: 45.4642, longitude: 9.19, altitude: 120, accuracy: 5, clock: clock)
        #expect(fix.coordinate.latitude == 45.4642)
        #expect(throws: SampleError.coordinate) {
            try PositionFix(time: now, latitude: 90.1, longitude: 0, clock: clock)
        }
        #expect(throws: SampleError.coordinate) {
            try PositionFix(time: now, latitude: .nan, longitude: 0, clock: clock)
        }
        #expect(throws: SampleError.noFix) { try PositionFix(time: now, latitude: 0, longitude: 0, clock: clock) }
        #expect(throws: SampleError.altitude(99_999)) {
            try PositionFix(time: now, latitude: 1, longitude: 1, altitude: 99_999, clock: clock)
        }
        #expect(throws: SampleError.accuracy(-1)) {
            try PositionFix(time: now, latitude: 1, longitude: 1, accuracy: -1, clock: clock)
        }
    }
}
