import HTTP
import Primitives
import Security
import Service

/// `GET`, `PUT` and `DELETE /push-subscription`: whether this browser gets push messages.
struct PushRoutes: Sendable {
    private struct State: Encodable {
        /// What a browser subscribes with; without it this deployment sends no push messages.
        let publicKey: String?
        let isSubscribed: Bool
    }

    let subscriptions: PushSubscriptions
    let key: VAPIDKey?

    func add(to routes: inout ServiceRoutes) {
        let (subscriptions, key) = (subscriptions, key)
        routes.answer(.get, "/push-subscription", access: .anyLogIn) { _, caller in
            let isSubscribed = try await subscriptions.exists(of: try Self.session(of: caller))
            return try .json(State(publicKey: key?.publicText, isSubscribed: key != nil && isSubscribed))
        }
        routes.answer(.put, "/push-subscription", access: .anyLogIn) { request, caller in
            let form = try request.body(PushForm.self)
            guard key != nil else {
                throw Refusal(.conflict, "no-push", "Push messages are not sent here.")
            }
            try await subscriptions.put(form, of: caller.account, session: try Self.session(of: caller))
            return .noContent
        }
        routes.answer(.delete, "/push-subscription", access: .anyLogIn) { _, caller in
            try await subscriptions.remove(of: try Self.session(of: caller))
            return .noContent
        }
    }

    /// Tokens of people who have logged in name their session.
    private static func session(of caller: Identity) throws(Refusal) -> UUID {
        guard let session = caller.session else {
            throw Refusal(.forbidden, "forbidden", "Log in to do this.")
        }
        return session
    }
}
