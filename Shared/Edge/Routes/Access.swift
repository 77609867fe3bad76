public import Contracts
public import HTTP
public import Security

/// Which tokens a route accepts. Checked on the head of a request, before its body is read.
public struct Access: Sendable, Equatable {
    /// Any one of these.
    public let kinds: Set<Identity.Kind>
    /// The scope that the token needs; `nil` where the kind decides alone.
    public let scope: AccessScope?
    /// Whether the account's owner has to have logged in; tokens of programs and devices (`client_id`) are refused.
    public let needsLogIn: Bool
    /// Whether tokens of devices serve beyond their end while accounts cannot be reached (`TokenTrust`). The service has to confirm
    /// those (`Authentication.Confirmation`): they are for the people of whom an alarm may depend on them.
    public let takesOverdue: Bool

    private init(_ kinds: Set<Identity.Kind>, scope: AccessScope?, needsLogIn: Bool, takesOverdue: Bool = false) {
        precondition(!kinds.isEmpty, "a route that takes no token is declared as open")
        self.kinds = kinds
        self.scope = scope
        self.needsLogIn = needsLogIn
        self.takesOverdue = takesOverdue
    }

    /// Accounts of these kinds, by log-in or by a program of theirs whose token covers `scope`.
    public static func account(_ kinds: Identity.Kind..., scope: AccessScope? = nil) -> Access {
        Access(Set(kinds), scope: scope, needsLogIn: false)
    }

    /// The owner of an account of one of these kinds, who has logged in.
    public static func logIn(_ kinds: Identity.Kind...) -> Access {
        Access(Set(kinds), scope: nil, needsLogIn: true)
    }

    /// A paired device; with `takesOverdue` also one that cannot get a new token.
    public static func device(_ scope: AccessScope, takesOverdue: Bool = false) -> Access {
        Access([.device], scope: scope, needsLogIn: false, takesOverdue: takesOverdue)
    }

    /// A third party or its programs.
    public static func thirdParty(_ scope: AccessScope) -> Access {
        Access([.thirdParty], scope: scope, needsLogIn: false)
    }

    /// Throws 403 for a token of another kind or scope, or of a program where the owner has to have logged in.
    func check(_ identity: Identity) throws(Problem) {
        guard kinds.contains(identity.kind) else {
            throw Problem(.forbidden, code: "forbidden", detail: "this is not open to this kind of account")
        }
        guard !needsLogIn || identity.client == nil else {
            throw Problem(.forbidden, code: "forbidden", detail: "log in to do this: a program's token will not do")
        }
        guard let scope, !identity.covers(scope) else { return }
        throw Problem(
            .forbidden, code: "insufficient-scope",
            detail: "the token does not cover the scope \(scope.rawValue)\(scope.advice)",
            fields: ["WWW-Authenticate": "Bearer error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""])
    }
}

/// Why a route needs no token.
public enum OpenAccess: Sendable, Equatable {
    /// Anybody may call it.
    case anyone
    /// The request holds a secret that the handler checks: a link's, a signature, a client's credentials.
    case secretInRequest
    /// A page for people; not part of the API, so that its document does not name it.
    case page
}

/// A route as it was declared, for tests of all routes.
public struct DeclaredRoute: Sendable {
    public enum Caller: Sendable, Equatable {
        case open(OpenAccess)
        case token(Access)
        /// Whom a gate of the service's own admits: the operators' log-in.
        case gate
    }

    public let method: HTTPMethod
    public let pattern: String
    public let caller: Caller

    /// `GET /things/:id`.
    public var name: String { "\(method) \(pattern)" }
}
