import Domain
import Primitives

/// The health score (ING-09): the mean of those components of Life's Essential 8 that devices measure, each from 0 to 100 by the
/// tables of that paper. Diet, nicotine, blood lipids and fasting glucose are not measured and do not count; so the score is
/// called partial. For adults from 20 years: the paper has other tables for children.
struct HealthScore: Sendable, Equatable {
    enum Component: String, Sendable, CaseIterable, Encodable {
        case activity, sleep
        case bodyMass = "body-mass"
        case bloodPressure = "blood-pressure"
    }

    /// One component: its points and the value they are for.
    struct Part: Sendable, Equatable {
        let component: Component
        /// 0 to 100.
        let points: Int
        /// Minutes of activity in a week or steps in a day, hours of sleep, kg/m², systolic pressure in mmHg.
        let value: Double
        /// The diastolic pressure.
        var second: Double?
        /// Days that had values.
        let days: Int
        let source: MedicalSource
        /// Of activity: whether it is told by steps, since no device tells what the person does.
        var isBySteps = false
    }

    /// Why there is no score (ING-13).
    enum Missing: String, Sendable, Encodable {
        case birthDate = "birth-date"
        case adultsOnly = "adults-only"
        case tooLittleData = "too-little-data"
    }

    static let ageMin = 20
    /// Components that a score needs.
    static let partsMin = 2
    /// Days that a component needs: of activity of the last week, of sleep of two, of blood pressure of four.
    static let activityDaysMin = 4
    static let sleepDaysMin = 5
    static let pressureDaysMin = 3

    /// `nil` with a reason in `missing`.
    let points: Int?
    let missing: Missing?
    let parts: [Part]
    /// The components for which there is too little data.
    var unknown: [Component] {
        Component.allCases.filter { component in !parts.contains { $0.component == component } }
    }

    init(_ history: HealthHistory) {
        guard let age = history.age else {
            (points, missing, parts) = (nil, .birthDate, [])
            return
        }
        guard age >= Self.ageMin else {
            (points, missing, parts) = (nil, .adultsOnly, [])
            return
        }
        parts = [
            Self.activity(history, age: age), Self.sleep(history), Self.bodyMass(history),
            Self.bloodPressure(history),
        ].compactMap { $0 }
        guard parts.count >= Self.partsMin else {
            (points, missing) = (nil, .tooLittleData)
            return
        }
        points = Int((parts.map { Double($0.points) }.mean() ?? 0).rounded())
        missing = nil
    }

    /// From the minutes of the last week; where no device tells activities, from steps: full points where more steps no longer
    /// lower mortality, in proportion below.
    private static func activity(_ history: HealthHistory, age: Int) -> Part? {
        let minutes = (1...7).compactMap { history.moderateMinutes[history.today.adding(days: -$0)] }
        if let mean = minutes.mean(countMin: activityDaysMin) {
            let week = mean * 7
            let points =
                switch week {
                case 150...: 100
                case 120..<150: 90
                case 90..<120: 80
                case 60..<90: 60
                case 30..<60: 40
                case 1..<30: 20
                default: 0
                }
            return Part(
                component: .activity, points: points, value: week, days: minutes.count, source: .lifesEssential8)
        }
        guard let steps = history.mean(.steps, \.sum, last: 7, daysMin: activityDaysMin) else { return nil }
        let enough = age < 60 ? 8000.0 : 6000.0
        return Part(
            component: .activity, points: Int((100 * min(1, steps / enough)).rounded()), value: steps,
            days: history.days(.steps, last: 7).count, source: .steps, isBySteps: true)
    }

    private static func sleep(_ history: HealthHistory) -> Part? {
        guard let minutes = history.mean(.sleep, \.sum, last: 14, daysMin: sleepDaysMin) else { return nil }
        let hours = minutes / 60
        let points =
            switch hours {
            case 7..<9: 100
            case 9..<10: 90
            case 6..<7: 70
            case 5..<6, 10...: 40
            case 4..<5: 20
            default: 0
            }
        return Part(
            component: .sleep, points: points, value: hours, days: history.days(.sleep, last: 14).count,
            source: .lifesEssential8)
    }

    private static func bodyMass(_ history: HealthHistory) -> Part? {
        let weights = history.days(.weight, last: 180)
        guard let height = history.height, height > 0, let weight = weights.last?.value.mean else { return nil }
        let index = weight / (height / 100 * height / 100)
        let points =
            switch index {
            case ..<25: 100
            case 25..<30: 70
            case 30..<35: 30
            case 35..<40: 15
            default: 0
            }
        return Part(
            component: .bodyMass, points: points, value: index, days: weights.count, source: .lifesEssential8)
    }

    private static func bloodPressure(_ history: HealthHistory) -> Part? {
        guard let systolic = history.mean(.bloodPressureSystolic, \.mean, last: 28, daysMin: pressureDaysMin),
            let diastolic = history.mean(.bloodPressureDiastolic, \.mean, last: 28, daysMin: pressureDaysMin)
        else { return nil }
        let points =
            if systolic >= 160 || diastolic >= 100 {
                0
            } else if systolic >= 140 || diastolic >= 90 {
                25
            } else if systolic >= 130 || diastolic >= 80 {
                50
            } else if systolic >= 120 {
                75
            } else {
                100
            }
        return Part(
            component: .bloodPressure, points: points, value: systolic, second: diastolic,
            days: history.days(.bloodPressureSystolic, last: 28).count, source: .lifesEssential8)
    }
}
