import HTTP
import Service

/// `GET /me`, `PATCH /me`, `PUT /me/password`.
struct ProfileRoutes: Sendable {
    let profiles: Profiles
    let passwords: PasswordChange
    let access: Access

    func add(to routes: inout ServiceRoutes) {
        let (profiles, passwords, access) = (profiles, passwords, access)
        routes.answer(.get, "/me") { request in
            try .json(try await profiles.own(try await access.account(of: request)))
        }
        routes.answer(.patch, "/me") { request in
            let account = try await access.account(of: request)
            return try .json(try await profiles.change(account, try request.body(ProfileChange.self)))
        }
        routes.answer(.put, "/me/password") { request in
            let identity = try await access.identity(of: request)
            try await passwords.change(
                try request.body(PasswordChange.Form.self), of: identity.account, current: identity.session)
            return .noContent
        }
    }
}
