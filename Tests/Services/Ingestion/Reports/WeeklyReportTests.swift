import Domain
import Primitives
import Testing

@testable import Ingestion

@Suite("Weekly report")
struct WeeklyReportTests {
    @Test(
        "a chart has a block per value and a dot for a day without",
        arguments: [
            ([1, 2, 3, 4, 5, 6, 7, 8], "▁▂▃▄▅▆▇█"), ([5, nil, 5], "▄·▄"), ([nil, nil], "··"), ([0, 100, nil], "▁█·"),
            ([], ""),
        ] as [([Double?], String)])
    func chart(values: [Double?], text: String) {
        #expect(Sparkline(values).description == text)
    }

    @Test("ING-11: a week's values, their chart, and the change since the week before, in the person's language")
    func report() {
        // Sunday 2026-11-22 is today; the week before began on 2026-11-09, 13 days ago.
        let week = (7...13).map { ($0, DayValue.counter(Double(14 - $0) * 1000)) }
        let before = (14...20).map { ($0, DayValue.counter(3000)) }
        let history = healthHistory([
            .steps: week + before, .sleep: [(8, .counter(450)), (9, .counter(390))],
            .heartRate: [(10, .rate(70, resting: 55.4))],
        ])
        let report = WeeklyReport(history, monday: CalendarDate("2026-11-09")!)
        #expect(report.lines.map(\.type) == [.steps, .sleep, .heartRate])
        #expect(report.lines[0].mean == 4000 && report.lines[0].change == 1000)
        #expect(report.lines[1].change == nil)
        let english = report.text(in: .english).split(separator: "\n")
        #expect(english[0] == "▁▂▃▄▅▆█  Steps: 4000 (+1000)" || english[0] == "▁▂▃▅▆▇█  Steps: 4000 (+1000)")
        #expect(english[1] == "····▁█·  Sleep: 7.0 h")
        #expect(report.text(in: .italian).contains("Polso a riposo: 55,4 /min"))
        #expect(WeeklyReport(history, monday: CalendarDate("2026-08-03")!).isEmpty)
    }
}
