import Domain
import HTTP
import Primitives
import Security
import Service

/// `POST /pairings`, `POST /pairings/redeem`, `POST /pairings/:id/claim` (by devices), `POST /pairings/numbers`, `GET
/// /pairings/asking`, `DELETE /pairings/:id` and `/devices` (by individuals).
struct DeviceRoutes: Sendable {
    private struct Pairing: Decodable {
        let name: String
        let dataTypes: [DataType]
    }

    private struct Acceptance: Decodable {
        /// The number that the device shows, or …
        let code: String?
        /// … the pairing of the device that asks.
        let pairingID: UUID?
        let name: String?
        /// An own device whose place it takes.
        let replaces: UUID?
    }

    private struct Redemption: Decodable {
        let code: String
        let name: String
        let dataTypes: [DataType]
    }

    private struct Asking: Encodable { let device: OwnerPairings.Asking? }

    private struct Claim: Decodable {
        let claimSecret: String
    }

    private struct Status: Encodable { let status: String }
    private struct List: Encodable { let devices: [Devices.Listed] }

    let pairings: Pairings
    let devices: Devices
    /// Limits how many pairings one address opens.
    let limit: AddressLimit
    /// Limits how many numbers devices at one address get typed in.
    let redemptionLimit: AddressLimit

    func add(to routes: inout ServiceRoutes) {
        addPairings(to: &routes)
        addOwnerPairings(to: &routes)
        let (pairings, devices) = (pairings, devices)
        routes.answer(.post, "/devices", access: .logIn(.individual)) { request, caller in
            let form = try request.body(Acceptance.self)
            let device = try await pairings.accept(
                try Self.accepted(form), name: form.name, replacing: form.replaces, for: caller.account)
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

    private static func accepted(_ form: Acceptance) throws(Refusal) -> Pairings.Accepted {
        switch (form.code, form.pairingID) {
        case (let text?, nil):
            guard let code = SixDigitCode(text) else { throw .invalid("/code", "The number has six digits.") }
            return .shown(code)
        case (nil, let pairing?): return .asking(pairing)
        default: throw .invalid("/code", "Give exactly one of code and pairing_id.", code: "one-of-two")
        }
    }

    /// Numbers that the owner is shown, and the device that asks with one.
    private func addOwnerPairings(to routes: inout ServiceRoutes) {
        let (owners, limit) = (OwnerPairings(store: pairings.store), redemptionLimit)
        routes.answer(.post, "/pairings/numbers", access: .logIn(.individual)) { _, caller in
            try HTTPResponse.json(try await owners.show(to: caller.account), status: .created).uncached
        }
        routes.answer(.get, "/pairings/asking", access: .logIn(.individual)) { _, caller in
            try HTTPResponse.json(Asking(device: try await owners.asking(caller.account))).uncached
        }
        routes.answer(.delete, "/pairings/:id", access: .logIn(.individual)) { request, caller in
            try await owners.refuse(try request.parameter("id"), of: caller.account)
            return .noContent
        }
        routes.answer(.post, "/pairings/redeem", access: .anyone) { request in
            try limit.admit(request)
            let form = try request.body(Redemption.self)
            guard let code = SixDigitCode(form.code) else {
                throw Refusal.invalid("/code", "The number has six digits.")
            }
            return try HTTPResponse.json(
                try await owners.redeem(code, name: form.name, dataTypes: form.dataTypes), status: .created
            ).uncached
        }
    }

    private func addPairings(to routes: inout ServiceRoutes) {
        let (pairings, limit) = (pairings, limit)
        routes.answer(.post, "/pairings", access: .anyone) { request in
            let asked = try limit.admit(request).inBlock
            let form = try request.body(Pairing.self)
            let opened = try await pairings.open(
                name: form.name, dataTypes: form.dataTypes, isFrequent: asked > Pairings.fewMax)
            return try HTTPResponse.json(opened, status: .created).uncached
        }
        routes.answer(.post, "/pairings/:id/claim", access: .secretInRequest) { request in
            let secret = try request.body(Claim.self).claimSecret
            guard let device = try await pairings.claim(try request.parameter("id"), secret) else {
                return try .json(Status(status: "waiting"), status: .accepted)
            }
            return try HTTPResponse.json(device).uncached
        }
    }
}
