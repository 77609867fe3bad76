import Domain

/// The terms that hold for each kind of account (ACC-05).
struct TermsCatalogue: Sendable {
    /// The version in force, which must be accepted at registration and log-in.
    let versions: [AccountKind: String]

    static let current = TermsCatalogue(versions: [
        .individual: "2026-01", .thirdParty: "2026-01", .organiser: "2026-01",
    ])

    subscript(kind: AccountKind) -> String { versions[kind] ?? "" }

    /// The member `terms_version` of a form, if it is the version in force.
    func read(_ form: inout FormReader, for kind: AccountKind) -> String? {
        guard let version: String = form.required("terms_version") else { return nil }
        form.faults.gather { () throws(Refusal) in try check(version, for: kind) }
        return version == self[kind] ? version : nil
    }

    /// Refuses any version but the one in force.
    func check(_ version: String, for kind: AccountKind) throws(Refusal) {
        guard version == self[kind] else {
            throw .invalid(
                "/terms_version", "The terms in force are version \(self[kind]); please read and accept them.",
                code: "terms-not-accepted")
        }
    }
}
