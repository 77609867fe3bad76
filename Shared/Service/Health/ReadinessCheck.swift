/// One condition of `/readyz`.
public struct ReadinessCheck: Sendable {
    public let name: String
    /// Without it the service cannot answer; otherwise it is only shown.
    public let isRequired: Bool
    let holds: @Sendable () async -> Bool

    public init(_ name: String, isRequired: Bool = true, holds: @escaping @Sendable () async -> Bool) {
        self.name = name
        self.isRequired = isRequired
        self.holds = holds
    }
}
