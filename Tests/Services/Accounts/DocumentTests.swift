import HTTP
import JSON
import Primitives
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct DocumentTests {
    @Test("NFR-09: the OpenAPI document says what is served, and the requests that it shows are answered as it says")
    func walk() async throws {
        try await AccountsTest.with { test in
            // The people and things that the examples are about.
            _ = try await test.register(TestPerson(number: 1))
            let person = try await test.individual(TestPerson(email: "anna.bianchi@example.org"))
            let company = try await test.company()
            let session = try LoggedIn(try await test.logIn("anna.bianchi@example.org")).session
            let pairing = try await test.send(.post, "/pairings", #"{"name":"Watch","data_types":["heart-rate"]}"#)
            let device = try await test.send(
                .post, "/devices", token: person.token, #"{"code":"\#(try pairing.text("code"))"}"#)
            let client = try await test.send(
                .post, "/clients", token: company.token, #"{"name":"Export","scopes":["requests"]}"#)
            let messages = try await test.send(.get, "/inbox", token: person.token).json["messages"]?.items
            let tokens = TestTokens(key: test.settings.signingKey, clock: test.clock)
            let walk = try DocumentWalk(
                test.service.assembled,
                paths: [
                    "/accounts/v1/sessions/{id}": "/accounts/v1/sessions/\(session)",
                    "/accounts/v1/pairings/{id}": "/accounts/v1/pairings/\(try pairing.text("pairing_id"))",
                    "/accounts/v1/devices/{id}": "/accounts/v1/devices/\(try device.text("device_id"))",
                    "/accounts/v1/clients/{id}": "/accounts/v1/clients/\(try client.text("client_id"))",
                    "/accounts/v1/inbox/{id}": "/accounts/v1/inbox/\(messages?.first?["id"]?.text ?? "none")",
                ]
            ) { kind, scopes in
                switch kind {
                case .individual: person.token
                case .thirdParty: company.token
                default: try tokens.token(kind, account: .random(), scopes: scopes)
                }
            }
            // Those whose secrets cannot stand in a document; the session ends when the password is changed.
            let faults = try await walk.faults(unsuccessful: [
                "DELETE /accounts/v1/sessions/{id}", "POST /accounts/v1/confirmations/confirm",
                "POST /accounts/v1/confirmations/question",
                "POST /accounts/v1/password-resets/complete",
                "POST /accounts/v1/sessions/refresh", "POST /accounts/v1/browser-session/refresh",
                "POST /accounts/v1/pairings/{id}/claim",
                "POST /accounts/v1/devices", "POST /accounts/v1/pairings/redeem", "DELETE /accounts/v1/pairings/{id}",
                "POST /accounts/v1/erasure-receipts", "POST /accounts/v1/me/exports/{id}/archive",
                "DELETE /accounts/v1/me/exports/{id}", "POST /accounts/v1/me/erasures",
                "POST /accounts/v1/me/second-factor", "POST /accounts/v1/me/second-factor/activation",
                "POST /accounts/v1/me/second-factor/recovery-codes", "POST /accounts/v1/me/second-factor/removal",
                "POST /accounts/v1/me/passkeys", "POST /accounts/v1/me/passkeys/challenges",
                "POST /accounts/v1/me/passkeys/{id}/removal",
                "POST /accounts/v1/oauth/token", "POST /accounts/v1/authorizations",
                "POST /accounts/v1/authorizations/questions", "GET /accounts/v1/me/picture",
            ])
            #expect(faults == [])
        }
    }

    @Test(
        "NFR-09: The document about the operators' routes says what is served, and the requests that it shows are answered as it says"
    )
    func operators() async throws {
        try await AccountsTest.with { test in
            // With the exchanges of an invitation, whose secrets cannot stand in a document, …
            var rosa = try await TestOperator.logged(in: test)
            // … and of a log-in.
            test.clock.advance(by: .seconds(30))
            #expect(try await rosa.logIn(code: try await rosa.code()).status == 200)
            let person = try await test.individual(TestPerson(number: 1))
            let company = try await test.company()
            let form = #"{"name":"Steps","data_types":["steps"],"redirect_uris":["a.b:/c"],"is_public":false}"#
            let application = try await rosa.send(.post, "/applications", form).text("client_id")
            let prefix = "/accounts/v1/operator"
            let walk = try DocumentWalk(
                operatorsOf: test.service.assembled,
                paths: [
                    "\(prefix)/accounts/{id}": "\(prefix)/accounts/\(person.account)",
                    "\(prefix)/accounts/{id}/admission": "\(prefix)/accounts/\(company.account)/admission",
                    "\(prefix)/applications/{id}": "\(prefix)/applications/\(application)",
                ], cookie: "\(OperatorSessions.cookie.name)=\(try #require(rosa.cookie))")
            // Those whose secrets cannot stand in a document, and those that need the dispatcher (`SOSAlarmTests`).
            let secret = ["/invitation", "/invitation/acceptance", "/session", "/alarms/acknowledgement"]
            let faults = try await walk.faults(
                unsuccessful: Set(secret.map { "POST \(prefix)\($0)" } + ["GET \(prefix)/alarms"]))
            #expect(faults == [])
        }
    }

    @Test("NFR-09: The document about the operators' routes is on their listener, without a log-in, and on no other")
    func operatorsDocument() async throws {
        try await AccountsTest.with { test in
            let path = "/accounts/v1/operator/openapi.json"
            let operators = test.service.assembled.operators
            let answer = await operators.handle(try HTTPRequest(.get, path))
            #expect(answer.status == .ok)
            #expect(answer.contentType == .json)
            #expect(try await answer.collectedBody() == test.service.assembled.operatorsOpenAPI)
            let tag = try #require(answer.fields["ETag"])
            let again = await operators.handle(try HTTPRequest(.get, path, fields: ["If-None-Match": tag]))
            #expect(again.status == .notModified)
            let elsewhere = await test.service.assembled.http.handle(try HTTPRequest(.get, path))
            #expect(elsewhere.status == .notFound)
        }
    }

    @Test(
        "NFR-09 NFR-06: What is named by no identifier is answered 404 on the operators' listener, as the document says"
    )
    func noIdentifier() async throws {
        try await AccountsTest.with { test in
            var rosa = try await TestOperator.logged(in: test)
            for (path, body) in [
                ("accounts/~/suspension", #"{"is_suspended":true,"reason":"x"}"#),
                ("accounts/~/admission", #"{"is_admitted":true,"reason":"x"}"#),
                ("accounts/~/audit", #"{"reason":"x"}"#), ("applications/~/secret", ""),
                ("applications/~/withdrawal", #"{"reason":"x"}"#),
            ] {
                #expect(try await rosa.send(.post, "/\(path)", body).code == "not-found", "\(path)")
            }
        }
    }
}
