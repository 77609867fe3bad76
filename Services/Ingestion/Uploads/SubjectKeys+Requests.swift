import HTTP
import Primitives
import Security

extension SubjectKeys {
    /// The key of a person who sends something, made if there is none. Errors: `Problem` for an account that is erased, and for a
    /// person whose key is missing; the key store's.
    func key(forRequestOf account: UUID) async throws -> SubjectKey {
        do {
            guard let key = try await key(of: account) else { throw UploadRoutes.erased }
            return key
        } catch is KeyMissing {
            throw Problem(
                .serviceUnavailable, code: "key-missing",
                detail:
                    "the key that your samples are sealed with cannot be found; nothing is stored: send this again later",
                retryAfter: .seconds(600))
        }
    }
}
