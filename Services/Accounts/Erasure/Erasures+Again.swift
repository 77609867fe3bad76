import Contracts
import Domain
import Postgres
import Primitives
import Security
import Service

extension Erasures {
    /// Does erasures again that a backup does not know, and tells all services of them. Those that are known stay as they are. The
    /// links to their receipts are lost with the database that knew their tokens.
    func eraseAgain(_ erasures: [Accounts.Erasure]) async throws {
        for erasure in erasures {
            try await store.transaction { transaction in
                let isKnown = try await transaction.queryOne(
                    "select exists (select from erasure where id = \(erasure.erasureID))", as: Bool.self)
                guard isKnown == false else { return }
                try await eraseAgain(erasure, in: transaction)
            }
        }
    }

    private func eraseAgain(_ erasure: Accounts.Erasure, in transaction: Transaction) async throws {
        let account = erasure.accountID
        let isBack = try await transaction.queryOne(
            "select exists (select from account where id = \(account))", as: Bool.self)
        var language = Language.italian.rawValue
        var items: [Accounts.ErasedItem] = []
        if isBack == true {
            let owner = try await owner(account, in: transaction)
            language = owner.language
            switch erasure.scope {
            case .account: items = try await erase(account, owner, in: transaction)
            case .collectedData: try await renumber(account, owner, in: transaction)
            }
        }
        let now = store.now()
        try await transaction.execute(
            """
            insert into erasure (id, account, kind, scope, language, requested_at, announced_at, receipt_hash, awaited)
            values (\(erasure.erasureID), \(account), \(erasure.kind.rawValue), \(erasure.scope.rawValue), \(language),
              \(erasure.requestedAt), \(now), \(OneTimeToken.random().storedHash), \(awaited(erasure.scope)))
            """)
        if erasure.scope == .account {
            // Also of one that is gone already: the key store may have been restored, too.
            try await KeyDestruction.add([account], at: now, in: transaction)
            try await addOwnPart(of: erasure.erasureID, items, in: transaction)
        }
        try await announce([erasure], version: now.microseconds, in: transaction)
    }
}
