import Domain
public import Primitives

/// People and companies that nobody has met before: other ones on every run, for what is registered anew each time.
public struct Newcomers: Sendable {
    private var generator: SeededGenerator
    /// Told apart from earlier runs' by this.
    public let tag: String
    private var count = 0

    public init(at time: Timestamp = .now()) {
        generator = SeededGenerator(seed: UInt64(bitPattern: time.microseconds))
        tag = String(time.milliseconds, radix: 36)
    }

    /// `birthYears` bounds the age.
    public mutating func person(birthYears: ClosedRange<Int>) -> SimulatedPerson {
        count += 1
        return SimulatedPerson(
            tag: "\(tag).\(count)", home: .lombardy, birthYears: birthYears, using: &generator,
            isTaken: { _ in false })
    }

    public mutating func company(_ name: String, password: String) -> CompanyForm {
        count += 1
        let digits = (0..<7).map { _ in generator.index(below: 9) + 1 }.map(String.init).joined() + "015"
        // One of the ten check digits is the right one.
        guard let number = (0...9).lazy.compactMap({ VATNumber("\(digits)\($0)") }).first,
            let email = EmailAddress("info.\(tag).\(count)@example.com")
        else { preconditionFailure("\(digits) begins no VAT number") }
        return CompanyForm(
            companyName: "\(name) \(tag)", vatNumber: number, email: email, password: password,
            termsVersion: API.termsVersion, language: .italian)
    }

    /// 0 ..< `count`.
    public mutating func index(below count: Int) -> Int { generator.index(below: count) }
}
