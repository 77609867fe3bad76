import Domain
import Primitives

/// `GET /me/health` (ING-09): in the language that the request asks for, else the person's, with the medical source of each
/// statement.
struct HealthAnswer: Encodable, Sendable {
    struct Score: Encodable, Sendable {
        struct Part: Encodable, Sendable {
            let component: HealthScore.Component
            let points: Int
            let value: Double
            let second: Double?
            let days: Int
            let reason: String
            let source: MedicalSource
        }

        /// 0 to 100; absent with a reason in `missing`.
        let points: Int?
        let missing: HealthScore.Missing?
        let reason: String?
        let parts: [Part]
        /// Components with too little data (ING-13).
        let unknown: [Unknown]
    }

    struct Unknown: Encodable, Sendable {
        let component: HealthScore.Component
        /// What is lacking.
        let reason: String
    }

    /// A data type of which nothing is said (ING-13).
    struct TooLittle: Encodable, Sendable {
        let type: DataType
        let days: Int
        let daysNeeded: Int
        let text: String
    }

    struct Range: Encodable, Sendable {
        let type: DataType
        let value: Double
        let unit: String
        let low: Double
        let high: Double
        let days: Int
        let text: String
        let source: MedicalSource
    }

    struct Statement: Encodable, Sendable {
        let code: String
        let text: String
        let source: MedicalSource?
    }

    struct Source: Encodable, Sendable {
        let name: MedicalSource
        let citation: String
    }

    let day: CalendarDate
    let language: Language
    let score: Score
    let outOfRange: [Range]
    let tooLittle: [TooLittle]
    let advice: [Statement]
    let tips: [Statement]
    let sources: [Source]

    init(_ history: HealthHistory, in language: Language) {
        let texts = HealthTexts(language: language)
        let score = HealthScore(history)
        day = history.today
        self.language = language
        self.score = Score(
            points: score.points, missing: score.missing, reason: score.missing.map(texts.reason),
            parts: score.parts.map {
                .init(
                    component: $0.component, points: $0.points, value: $0.value.hundredths,
                    second: $0.second?.hundredths, days: $0.days, reason: texts.reason($0), source: $0.source)
            }, unknown: score.unknown.map { Unknown(component: $0, reason: texts.lack($0)) })
        outOfRange = OutOfRange.findings(history).map {
            Range(
                type: $0.type, value: $0.value.hundredths, unit: $0.type.unit.description,
                low: $0.range.bounds.lowerBound, high: $0.range.bounds.upperBound, days: $0.days,
                text: texts.outOfRange($0), source: $0.source)
        }
        tooLittle = TooLittleData.all(history).map {
            TooLittle(type: $0.type, days: $0.days, daysNeeded: $0.needed.days, text: texts.tooLittle($0))
        }
        advice = HealthAdvice.all(history).map {
            Statement(code: $0.code, text: texts.advice($0), source: $0.source)
        }
        tips = HealthTip.all(score).map { Statement(code: $0.rawValue, text: texts.tip($0), source: $0.source) }
        let named = self.score.parts.map(\.source) + outOfRange.map(\.source) + (advice + tips).compactMap(\.source)
        sources = MedicalSource.allCases.filter(named.contains).map { Source(name: $0, citation: $0.citation) }
    }
}

/// `GET /me/report` (ING-11).
struct ReportAnswer: Encodable, Sendable {
    struct Line: Encodable, Sendable {
        let type: DataType
        let unit: String
        /// From Monday; `null` for a day without values.
        let days: [Double?]
        let mean: Double
        let change: Double?
    }

    let from: CalendarDate
    let to: CalendarDate
    let language: Language
    let lines: [Line]
    /// The same as text with small charts, as the message has it.
    let text: String

    init(_ report: WeeklyReport, in language: Language) {
        from = report.monday
        to = report.monday.adding(days: 6)
        self.language = language
        lines = report.lines.map {
            Line(
                type: $0.type, unit: $0.type.unit.description, days: $0.days.map { $0?.hundredths },
                mean: $0.mean.hundredths, change: $0.change?.hundredths)
        }
        text = report.text(in: language)
    }
}

/// `GET /me/comparison` (ING-07).
struct ComparisonAnswer: Encodable, Sendable {
    /// Why there is nothing to compare with, or nothing to compare.
    enum Missing: String, Encodable, Sendable {
        case notReleased = "not-released"
        case birthDate = "birth-date"
        case tooLittleData = "too-little-data"
    }

    struct Group: Encodable, Sendable {
        let ageFrom: Int
        let ageTo: Int
        let day: CalendarDate
        let mean: Double
        let margin: Double
    }

    let type: DataType
    let unit: String
    /// The mean of the days of the last week.
    let own: Double?
    let days: Int
    let group: Group?
    let missing: Missing?
}

extension Double {
    /// As answers show values that were computed.
    var hundredths: Double { (self * 100).rounded() / 100 }
}
