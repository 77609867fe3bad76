import Domain
import HTTP
import JSON
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct AccessTests {
    @Test("NFR-05: each route refuses every token that its access does not name")
    func walk() async throws {
        try await AccountsTest.with { test in
            let tokens = TestTokens(key: test.settings.signingKey, clock: test.service.clock)
            let faults = try await AccessWalk.faults(
                in: test.service.assembled, tokens: tokens,
                open: [
                    "POST /accounts/v1/individuals", "POST /accounts/v1/third-parties", "POST /accounts/v1/organisers",
                    "GET /accounts/v1/terms", "GET /accounts/v1/terms/:kind/:version",
                    "POST /accounts/v1/confirmations/confirm", "POST /accounts/v1/confirmations",
                    "POST /accounts/v1/confirmations/question",
                    "POST /accounts/v1/password-resets", "POST /accounts/v1/password-resets/complete",
                    "POST /accounts/v1/erasure-receipts",
                    "GET /accounts/v1/places", "GET /accounts/v1/places/:code",
                    "POST /accounts/v1/sessions",
                    "POST /accounts/v1/sessions/refresh", "POST /accounts/v1/browser-session",
                    "POST /accounts/v1/browser-session/refresh", "DELETE /accounts/v1/browser-session",
                    "POST /accounts/v1/pairings", "POST /accounts/v1/pairings/redeem",
                    "POST /accounts/v1/pairings/:id/claim", "POST /accounts/v1/oauth/token",
                    "GET /accounts/v1/.well-known/jwks.json",
                ])
            #expect(faults == [])
        }
    }

    @Test(
        "NFR-05b: each RPC method is for the neighbours that this table names, and refuses everybody else before it looks at what they send",
        arguments: [[], ["simulator"], ["simulator", "operator"]] as [Set<String>])
    func neighbours(_ provisioning: Set<String>) async throws {
        try await AccountsTest.with(provisioningClients: provisioning) { test in
            let others: Set = ["ingestion", "query", "dispatcher", "track4run"]
            let faults = await ClientWalk.faults(
                in: test.service.assembled,
                table: [
                    "feed.read": others,
                    "feed.snapshot": others,
                    "accounts.keys": others.union(["accounts"]),
                    "accounts.find": ["query", "track4run"],
                    "accounts.name": ["query", "track4run"],
                    "accounts.requester": ["query"],
                    "accounts.active": ["query"],
                    "accounts.identity": ["dispatcher"],
                    "accounts.wearer": ["dispatcher"],
                    "accounts.notify": others,
                    "accounts.mail": ["dispatcher"],
                    "accounts.report_erasure": others,
                    "accounts.provision": provisioning,
                    "accounts.admit": provisioning.union(["operator"]),
                    "accounts.suspend": ["operator"],
                ])
            #expect(faults == [])
        }
    }

    @Test(
        "NFR-05 ACC-11: what belongs to somebody is not there for anybody else, whatever route asks for it, and stays as it was"
    )
    func others() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let salus = try await test.company()
            let other = try await test.individual(TestPerson(number: 1))
            let others: [TestCompany] = [
                TestCompany(name: "Rival", vat: "01234560157", email: "info@rival.example"),
                TestCompany(kind: .organiser, name: "Club", vat: "07654320154", email: "info@club.example"),
            ]
            let (rival, club) = (try await test.company(others[0]), try await test.company(others[1]))
            let own = TestPasskey()
            let passkey = try await test.add(own, anna)
            let session = try LoggedIn(
                try await test.logIn(passkey: own.assertion(try await test.loginChallenge())))
            let shown = try await test.send(.post, "/pairings", #"{"name":"Watch","data_types":["heart-rate"]}"#)
            let device = try await test.send(
                .post, "/devices", token: anna.token, "{\"code\":\"\(try shown.text("code"))\"}")
            let number = try await test.send(.post, "/pairings/numbers", token: anna.token)
            let asking = try await test.send(
                .post, "/pairings/redeem",
                "{\"code\":\"\(try number.text("code"))\",\"name\":\"Scale\",\"data_types\":[\"heart-rate\"]}")
            let client = try await test.send(
                .post, "/clients", token: salus.token, #"{"name":"Research","scopes":["requests"]}"#)
            let message = try await test.send(.get, "/inbox", token: anna.token).json["messages"]?.items.first
            let export = try await test.send(.post, "/me/exports", token: anna.token)
            let prefix = "/accounts/v1"
            func state() async throws -> [String] {
                var state: [String] = []
                for (path, token) in [
                    ("/sessions", anna.token), ("/devices", anna.token), ("/inbox", anna.token),
                    ("/me/passkeys", anna.token), ("/pairings/asking", anna.token), ("/me/exports", anna.token),
                    ("/clients", salus.token),
                ] {
                    let answer = try await test.service.call(.get, prefix + path, token: token)
                    state.append(String(decoding: try await answer.collectedBody(), as: UTF8.self))
                }
                return state
            }
            let before = try await state()
            let faults = try await OwnershipWalk.faults(
                in: test.service.assembled,
                things: [
                    "\(prefix)/sessions/:id": "\(prefix)/sessions/\(session.session)",
                    "\(prefix)/devices/:id": "\(prefix)/devices/\(try device.text("device_id"))",
                    "\(prefix)/pairings/:id": "\(prefix)/pairings/\(try asking.text("pairing_id"))",
                    "\(prefix)/clients/:id": "\(prefix)/clients/\(try client.text("client_id"))",
                    "\(prefix)/inbox/:id/read": "\(prefix)/inbox/\(try #require(message?["id"]?.text))/read",
                    "\(prefix)/me/passkeys/:id/removal": "\(prefix)/me/passkeys/\(try passkey.text("id"))/removal",
                    "\(prefix)/me/exports/:id": "\(prefix)/me/exports/\(try export.text("export_id"))",
                    "\(prefix)/me/exports/:id/archive": "\(prefix)/me/exports/\(try export.text("export_id"))/archive",
                ],
                bodies: [
                    "PATCH \(prefix)/devices/:id": #"{"name":"Mine"}"#,
                    "POST \(prefix)/me/exports/:id/archive": "{\"password\":\"\(AccountsTest.password)\"}",
                    "POST \(prefix)/me/passkeys/:id/removal": "{\"password\":\"\(AccountsTest.password)\"}",
                ]
            ) { kind in
                switch kind {
                case .thirdParty: rival.token
                case .organiser: club.token
                default: other.token
                }
            }
            #expect(faults == [])
            #expect(try await state() == before)
        }
    }
}
