import HTTP
import JSON
import Postgres
import Primitives
import Security
import ServiceTesting
import Testing

@testable import Accounts

/// Somebody at the operators' pages, with a browser of their own.
struct TestOperator: Sendable {
    static let password = "quite another horse"
    static let page: HTTPFields = ["TrackMe-Request": "page", "Sec-Fetch-Site": "same-origin"]
    /// With a file of people.
    static let file: HTTPFields = [
        "TrackMe-Request": "page", "Sec-Fetch-Site": "same-origin", "Content-Type": "application/jsonl",
    ]

    let test: AccountsTest
    let name: String
    /// The cookie of the session.
    var cookie: String?

    init(_ test: AccountsTest, _ name: String = "rosa") {
        self.test = test
        self.name = name
    }

    /// Invited by the command, with a password and an app.
    static func logged(in test: AccountsTest, _ name: String = "rosa") async throws -> TestOperator {
        var made = TestOperator(test, name)
        let token = try await made.invite()
        #expect(try await made.send(.post, "/invitation", #"{"token":"\#(token)"}"#).status == 200)
        #expect(try await made.accept(token, code: try await made.code()).status == 200)
        return made
    }

    private var accounts: OperatorAccounts {
        get throws {
            OperatorAccounts(store: try test.capabilities.store, audit: try test.capabilities.audit)
        }
    }

    func invite() async throws -> String { try await accounts.invite(name, by: OperatorCommand.actor) }
    func remove() async throws { try await accounts.remove(name, by: OperatorCommand.actor) }

    mutating func accept(
        _ token: String, code: String, password: String = password
    ) async throws -> AccountsTest.Answer {
        try await send(
            .post, "/invitation/acceptance", #"{"token":"\#(token)","password":"\#(password)","code":"\#(code)"}"#)
    }

    mutating func logIn(code: String, password: String = password) async throws -> AccountsTest.Answer {
        try await send(.post, "/session", #"{"name":"\#(name)","password":"\#(password)","code":"\#(code)"}"#)
    }

    /// What the app shows.
    func code() async throws -> String {
        let stored = try await test.database.queryOne(
            "select id, secret from operator where name = \(name)", as: UUID.self, [UInt8].self)
        let (id, sealed) = try #require(stored)
        let key = try TimeCodeKey(try test.capabilities.store.columns.openBytes(sealed, .operatorSecret, row: id))
        return key.code(ofStep: TimeCodeKey.step(at: test.clock.now())).description
    }

    /// As the page does; what it is told about the session it keeps. What the document about the operators' routes does not say of it
    /// is an error of the test (NFR-09).
    mutating func send(
        _ method: HTTPMethod, _ path: String, fields: HTTPFields = page, _ body: String = ""
    ) async throws -> AccountsTest.Answer {
        var fields = fields
        if let cookie { fields["Cookie"] = "\(OperatorSessions.cookie.name)=\(cookie)" }
        let response = try await test.service.ask(
            method, "/accounts/v1/operator" + path, fields: fields, body: Array(body.utf8))
        if let set = response.fields["Set-Cookie"] {
            let value = set.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()
            cookie = value.isEmpty ? nil : String(value)
        }
        let bytes = try await response.collectedBody()
        let json =
            (try? JSONDecoder().decode(JSONValue.self, from: bytes)) ?? .string(String(decoding: bytes, as: UTF8.self))
        return AccountsTest.Answer(status: response.status.rawValue, json: json, response: response)
    }
}
