import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Reactor
import Security
import Service
import ServiceTesting
import Synchronization
import Testing

@testable import Accounts

/// The service as it is, but with mail that stays in memory and hashes that cost nothing.
enum TestAccounts: ServiceDefinition {
    /// What a test gives, and gets back.
    final class Settings: Decodable, Sendable {
        let mailbox = MailBox()
        var signingKey: Ed25519Key { signingKeys.withLock { $0.current } }
        let terms: Mutex<TermsCatalogue>
        let capabilities = Mutex<Capabilities?>(nil)
        /// The files with the signing keys.
        let signingKeys = Mutex(SigningKeyRing(current: .random()))
        let provisioningClients: Set<String>
        let push: PushPart?
        /// Of the keys.
        let keyDatabase: Database

        init(terms: TermsCatalogue, provisioningClients: Set<String>, push: PushPart?, keyDatabase: Database) {
            self.terms = Mutex(terms)
            self.provisioningClients = provisioningClients
            self.push = push
            self.keyDatabase = keyDatabase
        }
        init(from decoder: any Decoder) throws {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "made by tests only"))
        }
    }

    static let name = AccountsService.name
    static let migrations = AccountsService.migrations
    static let openAPI = AccountsService.openAPI

    static func build(_ context: ServiceContext<Settings>) async throws -> ServiceParts {
        let settings = context.settings
        let cheap = try #require(PasswordHash.Parameters(logarithmicCost: 1, blockSize: 1, parallelism: 1))
        let capabilities = try await Capabilities(
            context,
            keys: SubjectKeys(
                store: KeyStore(database: settings.keyDatabase), cipher: FieldCipher(context.keys.fields)),
            signingKeys: { settings.signingKeys.withLock { $0 } }, carrier: settings.mailbox, mailFrom: nil,
            mailBounces: EmailAddress("bounces@trackme.example"),
            hasher: try PasswordHasher(threads: 1, parameters: cheap), terms: settings.terms.withLock { $0 },
            provisioningClients: settings.provisioningClients, push: settings.push, support: nil)
        settings.capabilities.withLock { $0 = capabilities }
        return capabilities.parts(pacing: context.pacing)
    }
}
