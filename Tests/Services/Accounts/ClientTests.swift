import RPC
import Feed
import ServiceTesting
import Contracts
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Service
import Testing

@testable import Accounts

@Suite struct ClientTests {
    private func create(_ test: AccountsTest, _ token: String, scopes: String = #""requests""#) async throws
        -> (id: String, secret: String)
    {
        let answer = try await test.send(
            .post, "/clients", token: token, "{\"name\":\"Research\",\"scopes\":[\(scopes)]}")
        #expect(answer.status == 201)
        return (try answer.text("client_id"), try answer.text("client_secret"))
    }

    @Test("ACC-15a: A third party's client gets tokens by client credentials, in the body or by HTTP Basic (RFC 6749)")
    func grant() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            try await test.admit()
            let client = try await create(test, salus.token, scopes: #""groups","requests""#)
            let body = try await test.sendForm(
                "/oauth/token",
                "grant_type=client_credentials&client_id=\(client.id)&client_secret=\(client.secret)&scope=groups")
            #expect(body.status == 200 && body.json["scope"]?.text == "groups")
            #expect(body.response.fields["Cache-Control"] == "no-store")
            let basic = Base64.standard.encode(Array("\(client.id):\(client.secret)".utf8))
            let header = try await test.sendForm(
                "/oauth/token", fields: ["Authorization": "Basic \(basic)"], "grant_type=client_credentials")
            #expect(header.json["token_type"]?.text == "Bearer" && header.json["expires_in"]?.integer == 900)
            #expect(header.json["scope"]?.text == "requests groups")
            let verifier = TokenVerifier(
                keys: try test.capabilities.keys.published, issuer: Authenticator.issuer,
                audience: Authenticator.audience)
            let claims = try verifier.verify(try header.text("access_token"), at: test.clock.now())
            #expect(claims.subject == salus.account && claims.kind == .thirdParty)
            #expect(claims.clientIdentifier == client.id && claims.scopes == ["requests", "groups"])
            // It is no log-in.
            #expect(try await test.send(.get, "/clients", token: try header.text("access_token")).status == 403)
        }
    }

    @Test("ACC-15a: Unknown client and wrong secret give the same answer; other mistakes those of RFC 6749 section 5.2")
    func refused() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            let client = try await create(test, salus.token)
            let other = String(repeating: "A", count: 43)
            let wrong = try await test.sendForm(
                "/oauth/token", "grant_type=client_credentials&client_id=\(client.id)&client_secret=\(other)")
            let unknown = try await test.sendForm(
                "/oauth/token", "grant_type=client_credentials&client_id=\(UUID.random())&client_secret=\(other)")
            #expect(wrong.status == 401 && wrong.json["error"]?.text == "invalid_client")
            #expect(wrong.json == unknown.json && wrong.response.fields["WWW-Authenticate"] != nil)
            func error(_ form: String) async throws -> String? {
                let answer = try await test.sendForm("/oauth/token", form)
                #expect(answer.status == 400 && answer.json["error_description"]?.text?.isEmpty == false)
                return answer.json["error"]?.text
            }
            let good = "client_id=\(client.id)&client_secret=\(client.secret)"
            #expect(try await error(good) == "invalid_request")
            #expect(try await error("grant_type=password&\(good)") == "unsupported_grant_type")
            #expect(try await error("grant_type=client_credentials&scope=groups&\(good)") == "invalid_scope")
            #expect(try await error("grant_type=client_credentials&grant_type=x&\(good)") == "invalid_request")
        }
    }

    @Test("ACC-15b: Clients are listed with their last use and revoked; the other services hear of it")
    func manage() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            let client = try await create(test, salus.token)
            let form = "grant_type=client_credentials&client_id=\(client.id)&client_secret=\(client.secret)"
            func listed() async throws -> [JSONValue] {
                try await test.send(.get, "/clients", token: salus.token).json["clients"]?.items ?? []
            }
            #expect(try await listed().first?["used_at"] == nil)
            #expect(try await test.sendForm("/oauth/token", form).status == 200)
            #expect(try await listed().first?["used_at"]?.text == test.clock.now().description)
            #expect(try await listed().first?["name"]?.text == "Research")
            let start = try await test.end(of: Accounts.revocationsFeed, as: "query")
            #expect(try await test.send(.delete, "/clients/\(client.id)", token: salus.token).status == 204)
            #expect(try await listed().isEmpty)
            #expect(try await test.sendForm("/oauth/token", form).status == 401)
            #expect(try await test.revoked(after: start).map(\.id.description) == [client.id])
        }
    }

    @Test("ACC-15b: A client that is being removed gets no token that would outlive it")
    func removedMeanwhile() async throws {
        try await AccountsTest.with { test in
            let salus = try await test.company()
            let client = try await create(test, salus.token)
            let form = "grant_type=client_credentials&client_id=\(client.id)&client_secret=\(client.secret)"
            let statuses = try await test.held(by: "delete from client", of: "client") {
                try await test.sendForm("/oauth/token", form).status
            }
            #expect(statuses == [401])
        }
    }

    @Test("ACC-15a: Only third parties have clients, with scopes that exist, and not more than 20")
    func limits() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            #expect(try await test.send(.get, "/clients", token: anna.token).status == 403)
            let salus = try await test.company()
            for scopes in ["", #""upload""#, #""requests","all""#] {
                let answer = try await test.send(
                    .post, "/clients", token: salus.token, "{\"name\":\"x\",\"scopes\":[\(scopes)]}")
                #expect(answer.status == 422)
            }
            for _ in 0..<Clients.clientsMax { _ = try await create(test, salus.token) }
            let answer = try await test.send(
                .post, "/clients", token: salus.token, #"{"name":"x","scopes":["groups"]}"#)
            #expect(answer.status == 409 && answer.code == "too-many-clients")
        }
    }
}
