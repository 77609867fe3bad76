import Primitives
import Testing

@Suite struct CalendarDateTests {
    @Test(
        "known days",
        arguments: [("1970-01-01", 0), ("2000-03-01", 11_017), ("1969-12-31", -1), ("0001-01-01", -719_162)])
    func known(text: String, days: Int32) {
        #expect(CalendarDate(text)?.daysSinceEpoch == days)
        #expect(CalendarDate(daysSinceEpoch: days).description == text)
    }

    @Test(
        "leap years: every fourth, not every hundredth, every four hundredth",
        arguments: [(2024, true), (2023, false), (1900, false), (2000, true), (2100, false)])
    func leapYears(year: Int, isLeap: Bool) {
        #expect((CalendarDate(year: year, month: 2, day: 29) != nil) == isLeap)
    }

    @Test("components and days agree over 800 years")
    func components() throws {
        let first = try #require(CalendarDate("1600-01-01"))
        var previous = first.components
        for offset in 1..<292_194 {
            let date = first.adding(days: offset)
            let now = date.components
            let isNextDay = now.year == previous.year && now.month == previous.month && now.day == previous.day + 1
            let isNextMonth =
                now.day == 1 && (now.month == previous.month + 1 || (now.month == 1 && previous.month == 12))
            guard isNextDay || isNextMonth, CalendarDate(year: now.year, month: now.month, day: now.day) == date else {
                Issue.record("\(date)")
                return
            }
            previous = now
        }
    }

    @Test(
        "ages are completed years",
        arguments: [
            ("2000-06-15", "2018-06-14", 17), ("2000-06-15", "2018-06-15", 18), ("2004-02-29", "2022-02-28", 17),
            ("2004-02-29", "2022-03-01", 18), ("2004-02-29", "2024-02-29", 20), ("2026-01-01", "2026-01-01", 0),
        ])
    func ages(birth: String, today: String, age: Int) throws {
        #expect(try #require(CalendarDate(today)).age(bornOn: #require(CalendarDate(birth))) == age)
    }

    @Test(
        "other texts are refused",
        arguments: [
            "", "2026-1-01", "2026-13-01", "2026-00-10", "2026-04-31", "20260101", "2026-01-01Z", "+026-01-01",
            "0000-01-01",
        ])
    func refused(text: String) {
        #expect(CalendarDate(text) == nil)
    }
}
