import Contracts
import HTTP
import LoadGenerator
import Primitives
import Reactor
import Security
import SuiteClient
import Synchronization

/// A watch or phone that uploads for as long as the program runs. From any thread.
final class LiveDevice: Sendable {
    /// A new token is made so long before the old one ends.
    private static let passLife = TokenClaims.lifeMax - .seconds(120)

    private struct Pass {
        let token: String
        let madeAt: Deadline
    }

    let id: UUID
    private let account: UUID
    private let tokens: AccessTokens
    private let pass = Mutex<Pass?>(nil)
    private let uploads: Atomic<Int>

    /// Numbers its uploads on from the milliseconds since 1970: from those of an earlier program on, and without gaps.
    init(id: UUID, of account: UUID, tokens: AccessTokens, at now: Timestamp = .now()) {
        self.id = id
        self.account = account
        self.tokens = tokens
        uploads = Atomic(Int(now.milliseconds))
    }

    /// Uploads under a number of its own: what is sent twice with the same times is stored once all the same. What the owner does
    /// not want to be collected is not stored; that is no error. Errors: `refused`, `unreachable`.
    func upload(_ series: [SampleSeries], to suite: Suite) async throws(SuiteError) {
        guard !series.isEmpty else { return }
        let number = uploads.wrappingAdd(1, ordering: .relaxed).newValue
        let upload = Upload(upload: number, sentAt: .now(), series: series)
        let (token, isNew) = try token()
        do throws(SuiteError) {
            _ = try await API(suite, token: token).upload(upload)
        } catch {
            // The owner has logged out everywhere: tokens of before are refused.
            guard case .refused(_, .unauthorized, _, _) = error, !isNew else { throw error }
            pass.withLock { $0 = nil }
            _ = try await API(suite, token: try self.token().token).upload(upload)
        }
    }

    private func token() throws(SuiteError) -> (token: String, isNew: Bool) {
        let now = Deadline.now()
        if let pass = pass.withLock({ $0 }), now.since(pass.madeAt) < Self.passLife { return (pass.token, false) }
        let token: String
        do throws(SecurityError) { token = try tokens.device(id, of: account) } catch {
            throw .local("A device's token cannot be made: \(error).")
        }
        pass.withLock { $0 = Pass(token: token, madeAt: now) }
        return (token, true)
    }
}
