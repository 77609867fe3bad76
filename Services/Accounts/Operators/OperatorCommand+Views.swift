import Domain
import Primitives

/// What the command tells.
extension OperatorCommand {
    func find(_ what: String, _ reason: String) async throws -> String {
        let (code, vatNumber) = (try? FiscalCode(validating: what), try? VATNumber(validating: what))
        let email = code == nil && vatNumber == nil ? try? EmailAddress(validating: what) : nil
        guard code != nil || vatNumber != nil || email != nil else { throw Self.usage }
        let found = try await search.find(
            .init(email: email, fiscalCode: code, vatNumber: vatNumber, reason: reason), by: Self.actor)
        guard !found.isEmpty else { return "There is no such account." }
        return found.map(Self.line).joined(separator: "\n")
    }

    private static func line(_ account: AccountSearch.Found) -> String {
        let parts = [
            account.companyName.map { "\(account.kind.rawValue) \($0)" } ?? account.kind.rawValue,
            "registered at \(account.createdAt)",
            account.confirmedAt == nil ? "not confirmed" : nil,
            account.hasSecondFactor ? "with a second factor" : nil,
            account.admittedAt.map { "group requests since \($0)" },
            account.undeliverableSince.map {
                "mail comes back since \($0) (\(account.undeliverableStatus ?? "no status"))"
            },
            account.suspendedAt.map { "suspended since \($0)" },
        ]
        return "\(account.id)  " + parts.compactMap(\.self).joined(separator: ", ")
    }

    func queues() async throws -> String {
        let found = try await view.look()
        let exports = found.exports.map {
            "export \($0.id)  \($0.state), asked for at \($0.requestedAt), tries: \($0.attempts)"
        }
        let erasures = found.erasures.map {
            "erasure \($0.id)  of \($0.scope), asked for at \($0.requestedAt), without: \($0.missing.joined(separator: ", "))"
        }
        let mail = found.mail.map {
            "mail \($0.id)  \($0.template), written at \($0.createdAt), tries: \($0.attempts)"
                + ($0.dueAt.map { ", next at \($0)" } ?? "")
        }
        return
            (["Mails that wait: \(found.mailWaiting). Push messages that wait: \(found.pushesWaiting)."]
            + mail + exports + erasures).joined(separator: "\n")
    }

    func invite(_ name: String) async throws -> String {
        let token = try await accounts.invite(name, by: Self.actor)
        return """
            Give this to \(name), who opens /accounts/#\(token) on the operators' address and chooses a password there, within a day.
            \(token)
            """
    }

    func list() async throws -> String {
        let all = try await accounts.list()
        guard !all.isEmpty else { return "There are no operators with a log-in." }
        return all.map { one in
            let state = one.hasLogIn ? "has a log-in" : one.invitedUntil.map { "invited until \($0)" } ?? "no log-in"
            return "\(one.name), \(state)" + (one.lastUsedAt.map { ", last there at \($0)" } ?? "")
        }.joined(separator: "\n")
    }
}
