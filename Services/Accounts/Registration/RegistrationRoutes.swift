import Domain
import HTTP
import Primitives
import Service

/// `POST /individuals`, `/third-parties`, `/organisers`.
struct RegistrationRoutes: Sendable {
    private struct Registered: Encodable {
        let accountID: UUID
    }

    let registration: Registration
    /// Limits registrations per address, successful or not.
    let limit: AddressLimit

    func add(to routes: inout ServiceRoutes) {
        let (registration, limit) = (registration, limit)
        routes.answer(.post, "/individuals", access: .anyone) { request in
            try limit.admit(request)
            let id = try await registration.registerIndividual(
                try FormReader(request), from: request.clientAddress)
            return try .json(Registered(accountID: id), status: .accepted)
        }
        for (pattern, kind) in [("/third-parties", AccountKind.thirdParty), ("/organisers", .organiser)] {
            routes.answer(.post, pattern, access: .anyone) { request in
                try limit.admit(request)
                let id = try await registration.registerCompany(
                    try FormReader(request), as: kind, from: request.clientAddress)
                return try .json(Registered(accountID: id), status: .accepted)
            }
        }
    }
}
