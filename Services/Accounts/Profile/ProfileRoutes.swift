import HTTP
import Service

/// `GET /me`, `PATCH /me`, `PUT /me/password`, `POST /me/email-trial`.
struct ProfileRoutes: Sendable {
    let profiles: Profiles
    let passwords: PasswordChange

    func add(to routes: inout ServiceRoutes) {
        let (profiles, passwords) = (profiles, passwords)
        routes.answer(.get, "/me", access: .anyLogIn) { _, caller in
            try .json(try await profiles.own(caller.account))
        }
        routes.answer(.patch, "/me", access: .anyLogIn) { request, caller in
            try .json(try await profiles.change(caller.account, try request.body(ProfileChange.self)))
        }
        routes.answer(.put, "/me/password", access: .anyLogIn) { request, caller in
            try await passwords.change(
                try request.body(PasswordChange.Form.self), of: caller.account, current: caller.session,
                from: request.clientAddress)
            return .noContent
        }
        routes.answer(.post, "/me/email-trial", access: .anyLogIn) { _, caller in
            try await Undeliverable(store: profiles.store).tryAgain(caller.account)
            return HTTPResponse(.accepted)
        }
    }
}
