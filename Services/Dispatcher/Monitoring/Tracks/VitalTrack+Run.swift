import Primitives

extension VitalTrack {
    /// Critical samples in a row beyond the same limit, without a normal one or a gap between them. Once it has lasted, values close to the limit do
    /// not end it.
    struct Run: Sendable, Equatable {
        var first: Timestamp
        /// The last critical sample …
        var last: Timestamp
        /// … and the last sample at all.
        var seen: Timestamp
        var count = 1
        /// When it had lasted long enough; `nil` before.
        var confirmed: Timestamp?
        /// The first sample that nothing casts doubt on, and how many there are.
        var sureFirst: Timestamp?
        var sureCount = 0
        /// The first severe sample, the last one, and how many there are.
        var severeFirst: Timestamp?
        var severeLast: Timestamp?
        var severeCount = 0
        /// Beyond the upper limit.
        var isHigh = false
        /// Nothing normal came after it.
        var isOpen = false
        /// The severe part of one that has been raised (`worse`).
        private(set) var isWorse = false

        /// Of one reading without contact.
        init(_ time: Timestamp) {
            (first, last, seen) = (time, time, time)
            (sureFirst, sureCount) = (time, 1)
        }

        init(_ entry: Entry) {
            (first, last, seen) = (entry.time, entry.time, entry.time)
            (count, isHigh) = (0, entry.isHigh)
            add(entry)
        }

        mutating func extend(to time: Timestamp, _ lasting: Pace.Lasting) {
            extend(by: Entry(time: time, level: .critical), lasting)
        }

        mutating func extend(by entry: Entry, _ lasting: Pace.Lasting) {
            (last, seen) = (entry.time, entry.time)
            add(entry)
            guard confirmed == nil, count >= lasting.samplesMin else { return }
            let isSure =
                sureCount >= lasting.samplesMin && sureFirst.map { entry.time - $0 >= lasting.durationMin } == true
            let lastsAnyway = entry.time - first >= max(lasting.durationMin, Pace.doubtfulMin)
            if isSure || lastsAnyway { confirmed = entry.time }
        }

        private mutating func add(_ entry: Entry) {
            count += 1
            if !entry.isDoubtful {
                sureFirst = sureFirst ?? entry.time
                sureCount += 1
            }
            if entry.level == .severe {
                severeFirst = severeFirst ?? entry.time
                severeLast = entry.time
                severeCount += 1
            }
        }

        /// What tells it apart from others (`Finding.Origin`), by the device's clock, whose times are whole milliseconds: what is severe
        /// from the first sample on and has lasted only later is another emergency than what was raised.
        var origin: Timestamp { isWorse ? first + .microseconds(1) : first }

        /// The severe part of it, once that has lasted as long as an emergency does; it has a beginning of its own.
        var worse: Run? {
            guard confirmed != nil, let severeFirst, let severeLast, severeCount >= Pace.threeSeconds.samplesMin,
                severeLast - severeFirst >= Pace.threeSeconds.durationMin
            else { return nil }
            var run = self
            run.isWorse = true
            run.first = severeFirst
            run.confirmed = max(confirmed ?? severeLast, severeFirst + Pace.threeSeconds.durationMin)
            return run
        }
    }
}

extension Pace.Lasting {
    static var threeSeconds: Pace.Lasting { Pace.threeSeconds }
}
