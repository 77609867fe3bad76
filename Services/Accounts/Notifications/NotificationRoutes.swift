import HTTP
import Service

/// `GET /me/notifications` and `PATCH /me/notifications`.
struct NotificationRoutes: Sendable {
    let choices: NotificationChoices

    func add(to routes: inout ServiceRoutes) {
        let choices = choices
        routes.answer(.get, "/me/notifications", access: .anyLogIn) { _, caller in
            try .json(try await choices.own(caller.account, try await choices.kind(of: caller.account)))
        }
        routes.answer(.patch, "/me/notifications", access: .anyLogIn) { request, caller in
            try .json(
                try await choices.change(
                    caller.account, try await choices.kind(of: caller.account),
                    try request.body(NotificationChoices.All.self)))
        }
    }
}
