import Domain

/// What messages are about, as people choose which they want (ACC-17).
enum NotificationKind: String, CaseIterable, Codable, Sendable {
    /// Log-ins, passwords, the address itself.
    case account
    /// AutomatedSOS.
    case emergencies
    /// Requests of third parties and consents.
    case requests
    /// Runs and check-ins.
    case runs
    /// Reports and imports.
    case health
    case devices

    /// What safety or law requires comes in every way.
    var isRequired: Bool { self == .account || self == .emergencies }

    /// Those that an account of this kind gets.
    static func all(of kind: AccountKind) -> [NotificationKind] {
        switch kind {
        case .individual: allCases
        case .thirdParty: [.account, .requests]
        case .organiser: [.account, .runs]
        }
    }
}
