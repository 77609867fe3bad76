import Contracts
import Domain
import HTTP
import Primitives

/// What somebody has to fulfil to be watched, beyond the form (SOS-01a to d). Each refusal says what to do. It is asked of who
/// enrols, not of who changes an enrolment: a watch that is being mended is no reason to refuse a new phone number.
struct WearerConditions: Sendable {
    /// The youngest whom the deployment takes, in years; `nil`: anybody.
    let ageMin: Int?

    /// `day` is today in UTC: who has a birthday in Italy waits until one or two o'clock.
    func check(_ wearer: Accounts.Wearer.Result, on day: CalendarDate) throws(Problem) {
        try checkAge(bornOn: wearer.identity.birthDate, on: day)
        try Self.checkDevices(wearer)
    }

    private func checkAge(bornOn birth: CalendarDate, on day: CalendarDate) throws(Problem) {
        guard let ageMin, day.age(bornOn: birth) < ageMin else { return }
        let from = Self.birthday(ageMin, of: birth)
        throw Problem(
            .forbidden, code: "too-young",
            detail:
                "AutomatedSOS is open here from the age of \(ageMin), by the fiscal code: you may enrol from \(from)")
    }

    /// The birthday on which somebody is that old; of who was born on 29 February the first of March in other years.
    private static func birthday(_ years: Int, of birth: CalendarDate) -> CalendarDate {
        let (year, month, day) = birth.components
        return CalendarDate(year: year + years, month: month, day: day)
            ?? CalendarDate(year: year + years, month: 3, day: 1) ?? birth
    }

    private static func checkDevices(_ wearer: Accounts.Wearer.Result) throws(Problem) {
        let hasVital = wearer.deviceTypes.contains(where: \.isVitalSign)
        let hasPosition = wearer.deviceTypes.contains(.position)
        guard hasVital, hasPosition else {
            let lacking =
                switch (hasVital, hasPosition) {
                case (false, false): "a vital sign, as the heart rate, or the position"
                case (false, true): "a vital sign, as the heart rate"
                default: "the position"
                }
            throw Problem(
                .conflict, code: "device-missing",
                detail:
                    "none of your devices may provide \(lacking): pair one that does, or allow it to, and enrol then")
        }
        guard wearer.collectsHealth, wearer.collectsPosition else {
            let what = wearer.collectsHealth ? "your position" : "your health data"
            throw Problem(
                .conflict, code: "collection-off",
                detail: "\(what) is not collected: consent to it, or end its pause, and enrol then")
        }
    }
}
