import HTTP
import Security
import Service

/// `GET /me/collection` and `PATCH /me/collection`.
struct CollectionRoutes: Sendable {
    let collection: DataCollection

    func add(to routes: inout ServiceRoutes) {
        let collection = collection
        routes.answer(.get, "/me/collection", access: .logIn(.individual)) { _, caller in
            try .json(try await collection.own(caller.account))
        }
        routes.answer(.patch, "/me/collection", access: .logIn(.individual)) { request, caller in
            try .json(try await collection.change(caller.account, try request.body(DataCollection.Change.self)))
        }
    }
}
