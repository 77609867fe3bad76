import Primitives

/// When clocks are changed each year, as POSIX writes it and RFC 9636 extends it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct DaylightRule {
    /// A day of the year and a time on it.
    private struct Change {
        enum Day {
            /// 1 to 365: 29 February is never counted.
            case julian(Int)
            /// 0 to 365.
            case zeroBased(Int)
            /// The n-th (5: the last) weekday (0: Sunday) of a month.
            case weekday(Int, week: Int, month: Int)
        }

        let day: Day
        /// Seconds after midnight, by the clock before the change; from -167 to 167 hours.
        let time: Int64

        /// Seconds from 1970 to the change, by the clock before it.
        func local(_ year: Int) -> Int64? {
            guard let first = CalendarDate(year: year, month: 1, day: 1) else { return nil }
            let days: Int
            switch day {
            case .julian(let number):
                let isLeap = CalendarDate(year: year, month: 2, day: 29) != nil
                days = Int(first.daysSinceEpoch) + number - (isLeap && number >= 60 ? 0 : 1)
            case .zeroBased(let number): days = Int(first.daysSinceEpoch) + number
            case .weekday(let weekday, let week, let month):
                guard let begin = CalendarDate(year: year, month: month, day: 1) else { return nil }
                let next =
                    month == 12
                    ? CalendarDate(year: year + 1, month: 1, day: 1)
                    : CalendarDate(year: year, month: month + 1, day: 1)
                guard let end = next else { return nil }
                // 1 January 1970 was a Thursday.
                let firstWeekday = ((Int(begin.daysSinceEpoch) + 4) % 7 + 7) % 7
                var found = Int(begin.daysSinceEpoch) + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
                while found >= Int(end.daysSinceEpoch) { found -= 7 }
                days = found
            }
            return Int64(days) * 86_400 + time
        }
    }

    /// In seconds, east of Greenwich.
    private let standard: Int64
    private let daylight: (offset: Int64, begin: Change, end: Change)?

    /// `nil` when the text is no rule.
    init?(_ text: [UInt8]) {
        var reader = Reader(text)
        guard reader.name(), let standard = reader.offset() else { return nil }
        self.standard = -standard
        guard !reader.isAtEnd else {
            daylight = nil
            return
        }
        guard reader.name() else { return nil }
        var offset = -standard + 3600
        if !reader.isNext(",") {
            guard let told = reader.offset() else { return nil }
            offset = -told
        }
        guard let begin = reader.change(), let end = reader.change(), reader.isAtEnd else { return nil }
        daylight = (offset, begin, end)
    }

    /// The changes of some years in the order of time: seconds since 1970, and the offset from then on, in seconds.
    func changes(from first: Int, through last: Int) -> [(time: Int64, offset: Int64)] {
        guard let daylight else { return [] }
        var changes: [(time: Int64, offset: Int64)] = []
        for year in first...last {
            if let begin = daylight.begin.local(year) { changes.append((begin - standard, daylight.offset)) }
            if let end = daylight.end.local(year) { changes.append((end - daylight.offset, standard)) }
        }
        return changes.sorted { $0.time < $1.time }
    }

    private struct Reader {
        private let text: [UInt8]
        private var position = 0

        init(_ text: [UInt8]) {
            self.text = text
        }

        var isAtEnd: Bool { position == text.count }

        func isNext(_ character: Unicode.Scalar) -> Bool {
            position < text.count && text[position] == UInt8(ascii: character)
        }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard isNext(character) else { return false }
            position += 1
            return true
        }

        /// Letters, or whatever stands in `<…>`.
        mutating func name() -> Bool {
            if skip("<") {
                while position < text.count, !isNext(">") { position += 1 }
                return skip(">")
            }
            let start = position
            while position < text.count, (text[position] | 0x20) >= UInt8(ascii: "a"),
                (text[position] | 0x20) <= UInt8(ascii: "z")
            {
                position += 1
            }
            return position - start >= 3
        }

        mutating func number(max: Int) -> Int? {
            var (number, digits) = (0, 0)
            while position < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position]), digits < 4 {
                number = number * 10 + Int(text[position] - UInt8(ascii: "0"))
                (position, digits) = (position + 1, digits + 1)
            }
            return digits > 0 && number <= max ? number : nil
        }

        /// `[+|-]hh[:mm[:ss]]`, in seconds.
        mutating func offset() -> Int64? {
            let isNegative = isNext("-")
            if isNegative || isNext("+") { position += 1 }
            guard let hours = number(max: 167) else { return nil }
            var seconds = hours * 3600
            for unit in [60, 1] {
                guard skip(":") else { break }
                guard let part = number(max: 59) else { return nil }
                seconds += part * unit
            }
            return Int64(isNegative ? -seconds : seconds)
        }

        /// `,Mm.w.d[/time]`, `,Jn[/time]` or `,n[/time]`.
        mutating func change() -> Change? {
            guard skip(",") else { return nil }
            let day: Change.Day
            if skip("M") {
                guard let month = number(max: 12), month > 0, skip("."), let week = number(max: 5), week > 0, skip("."),
                    let weekday = number(max: 6)
                else { return nil }
                day = .weekday(weekday, week: week, month: month)
            } else if skip("J") {
                guard let number = number(max: 365), number > 0 else { return nil }
                day = .julian(number)
            } else {
                guard let number = number(max: 365) else { return nil }
                day = .zeroBased(number)
            }
            guard skip("/") else { return Change(day: day, time: 7200) }
            guard let time = offset() else { return nil }
            return Change(day: day, time: time)
        }
    }
}
