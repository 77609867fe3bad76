import HTTP
import Security
import Service

/// `/me/sources`: which source counts for each data type (ACC-14).
struct SourceRoutes: Sendable {
    let preferences: SourcePreferences

    func add(to routes: inout ServiceRoutes) {
        let preferences = preferences
        routes.answer(.get, "/me/sources", access: .logIn(.individual)) { _, caller in
            try .json(try await preferences.own(caller.account))
        }
        routes.answer(.put, "/me/sources", access: .logIn(.individual)) { request, caller in
            try .json(try await preferences.replace(caller.account, try request.body(SourcePreferences.All.self)))
        }
    }
}
