import Domain
import HTTP
import Primitives
import Security
import Service

/// `POST /pairings`, `POST /pairings/:id/claim` (by devices) and `/devices` (by individuals).
struct DeviceRoutes: Sendable {
    private struct Pairing: Decodable {
        let name: String
        let dataTypes: [DataType]
    }

    private struct Acceptance: Decodable {
        let code: String
        let name: String?
    }

    private struct Claim: Decodable {
        let claimSecret: String
    }

    private struct Status: Encodable { let status: String }
    private struct List: Encodable { let devices: [Devices.Listed] }

    let pairings: Pairings
    let devices: Devices
    /// Limits how many pairings one address opens.
    let limit: AddressLimit

    func add(to routes: inout ServiceRoutes) {
        addPairings(to: &routes)
        let (pairings, devices) = (pairings, devices)
        routes.answer(.post, "/devices", access: .logIn(.individual)) { request, caller in
            let form = try request.body(Acceptance.self)
            guard let code = SixDigitCode(form.code) else {
                throw Refusal.invalid("/code", "The number has six digits.")
            }
            let device = try await pairings.accept(code, name: form.name, for: caller.account)
            return try .json(try await devices.get(device, of: caller.account), status: .created)
        }
        routes.answer(.get, "/devices", access: .logIn(.individual)) { _, caller in
            try .json(List(devices: try await devices.list(of: caller.account)))
        }
        routes.answer(.patch, "/devices/:id", access: .logIn(.individual)) { request, caller in
            let change = try request.body(Devices.Change.self)
            return try .json(try await devices.change(try request.parameter("id"), of: caller.account, change))
        }
        routes.answer(.delete, "/devices/:id", access: .logIn(.individual)) { request, caller in
            try await devices.remove(try request.parameter("id"), of: caller.account)
            return .noContent
        }
    }

    private func addPairings(to routes: inout ServiceRoutes) {
        let (pairings, limit) = (pairings, limit)
        routes.answer(.post, "/pairings", access: .anyone) { request in
            let asked = try limit.admit(request).inBlock
            let form = try request.body(Pairing.self)
            let opened = try await pairings.open(
                name: form.name, dataTypes: form.dataTypes, isFrequent: asked > Pairings.fewMax)
            return try Self.uncached(.json(opened, status: .created))
        }
        routes.answer(.post, "/pairings/:id/claim", access: .secretInRequest) { request in
            let secret = try request.body(Claim.self).claimSecret
            guard let device = try await pairings.claim(try request.parameter("id"), secret) else {
                return try .json(Status(status: "waiting"), status: .accepted)
            }
            return try Self.uncached(.json(device))
        }
    }

    private static func uncached(_ response: HTTPResponse) -> HTTPResponse {
        var response = response
        response.fields["Cache-Control"] = "no-store"
        return response
    }
}
