import Contracts
import Domain
import Primitives
import Service

/// `trackme-accounts operator …`: the operator's acts, on the machine. Each is in the audit trail.
struct OperatorCommand: Sendable {
    static let name = "operator"
    static let summary =
        "admit|withdraw COMPANY REASON: opens group requests to a third party (VAT number or e-mail address), or closes them; suspend|restore KIND EMAIL REASON: an account, whose owner is told the reason; provision NAME FILE: people of a file of JSON Lines, who get a link by mail; find WHAT REASON: an account, by address, fiscal code or VAT number; queues: what waits; invite NAME: somebody gets a log-in for the operators' pages, or a new one; remove NAME; list: of them"
    /// Who has done it, in the audit trail.
    static let actor = "command"

    static let usage = CommandMistake(
        description: """
            Say operator admit COMPANY REASON, or operator withdraw COMPANY REASON; COMPANY is a VAT number or an e-mail address. \
            Or operator suspend KIND EMAIL REASON, or operator restore KIND EMAIL REASON; KIND is individual, third-party or organiser. \
            Or operator provision NAME FILE; NAME stands for these people when the same file, or a mended one, is given again. \
            Or operator find WHAT REASON; WHAT is an e-mail address, a fiscal code or a VAT number. Or operator queues. \
            Or, for log-ins to the operators' pages, operator invite NAME, operator remove NAME, or operator list.
            """)

    let admission: Admission
    let suspension: Suspension
    let provisioning: Provisioning
    let accounts: OperatorAccounts
    let search: AccountSearch
    let view: QueueView

    init(_ provisioning: Provisioning) {
        let (store, audit) = (provisioning.store, provisioning.audit)
        (admission, suspension) = (Admission(store: store, audit: audit), Suspension(store: store, audit: audit))
        self.provisioning = provisioning
        accounts = OperatorAccounts(store: store, audit: audit)
        search = AccountSearch(store: store, audit: audit)
        view = QueueView(store: store, audit: audit)
    }

    /// What was done. Throws `CommandMistake`: a sentence for whoever called it.
    func run(_ arguments: [String]) async throws -> String {
        do {
            switch (arguments.first, arguments.count) {
            case ("admit", 3): return try await admit(arguments[1], arguments[2])
            case ("withdraw", 3): return try await withdraw(arguments[1], arguments[2])
            case ("suspend", 4):
                let account = try await suspend(arguments[1], arguments[2], arguments[3], isSuspended: true)
                return "Account \(account) is suspended; its owner is told by mail."
            case ("restore", 4):
                let account = try await suspend(arguments[1], arguments[2], arguments[3], isSuspended: false)
                return "Account \(account) is not suspended any more; its owner is told by mail."
            case ("provision", 3):
                return try await ProvisionFile(provisioning: provisioning)
                    .run(arguments[1], arguments[2], by: Self.actor)
            case ("find", 3): return try await find(arguments[1], arguments[2])
            case ("queues", 1): return try await queues()
            case ("invite", 2): return try await invite(arguments[1])
            case ("remove", 2):
                try await accounts.remove(arguments[1], by: Self.actor)
                return "\(arguments[1]) has no log-in any more."
            case ("list", 1): return try await list()
            default: throw Self.usage
            }
        } catch let refusal as Refusal {
            throw CommandMistake(description: refusal.detail)
        }
    }

    private func admit(_ company: String, _ reason: String) async throws -> String {
        let account = try await change(company, reason, isAdmitted: true)
        return "Account \(account) may ask about groups, with tokens that it gets from now on."
    }

    private func withdraw(_ company: String, _ reason: String) async throws -> String {
        let account = try await change(company, reason, isAdmitted: false)
        return
            "Account \(account) may not ask about groups any more; its tokens are revoked, and new ones lack the scope."
    }

    private func change(_ company: String, _ reason: String, isAdmitted: Bool) async throws -> UUID {
        let vatNumber = try? VATNumber(validating: company)
        let email = vatNumber == nil ? try? EmailAddress(validating: company) : nil
        guard vatNumber != nil || email != nil else { throw Self.usage }
        return try await admission.change(
            .init(vatNumber: vatNumber, email: email, isAdmitted: isAdmitted, reason: reason), by: Self.actor)
    }

    private func suspend(_ kind: String, _ email: String, _ reason: String, isSuspended: Bool) async throws -> UUID {
        guard let kind = AccountKind(rawValue: kind), let email = try? EmailAddress(validating: email) else {
            throw Self.usage
        }
        return try await suspension.change(
            .init(email: email, kind: kind, isSuspended: isSuspended, reason: reason), by: Self.actor)
    }
}
