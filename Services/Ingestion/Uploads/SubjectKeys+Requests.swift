import HTTP
import Primitives
import Security
import Service

extension SubjectKeys {
    /// The key of a person who sends something, made if there is none. Errors: `Problem` for an account that is erased,
    /// `KeyMissing`, the key store's.
    func key(forRequestOf account: UUID) async throws -> SubjectKey {
        guard let key = try await key(of: account) else { throw UploadRoutes.erased }
        return key
    }
}
