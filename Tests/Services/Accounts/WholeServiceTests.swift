import Contracts
import Domain
import Glibc
import HTTP
import JSON
import Postgres
import Primitives
import RPC
import Reactor
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct WholeServiceTests {
    @Test("NFR-09: Every operation of the OpenAPI document is served, and its references hold")
    func openAPI() async throws {
        try await AccountsTest.with { test in
            let document = try JSONDecoder().decode(JSONValue.self, from: AccountsService.openAPI)
            #expect(document["openapi"]?.text == "3.1.0")
            guard case .object(let paths) = document["paths"] else {
                Issue.record("no paths")
                return
            }
            #expect(paths.members.count > 15)
            let client = try await clientToken(test)
            for path in paths.members {
                let target = path.key.replacing("{id}", with: UUID.random().description)
                    .replacing("{kind}", with: "organiser").replacing("{version}", with: "2026-01")
                    .replacing("{token}", with: "abc")
                guard case .object(let operations) = path.value else { continue }
                for operation in operations.members {
                    let method = try #require(HTTPMethod.allCases.first { "\($0)".lowercased() == operation.key })
                    let answer = try await test.service.call(method, target)
                    #expect(answer.status != .notFound && answer.status != .methodNotAllowed)
                    let refused = try await test.service.call(method, target, token: client)
                    let statuses = operation.value["responses"].map { responses in
                        if case .object(let object) = responses { object.members.map(\.key) } else { [String]() }
                    }
                    // Without a body everything that needs one answers that it does.
                    let expected = answer.status == .unsupportedMediaType ? "400" : "\(answer.status.rawValue)"
                    #expect(statuses?.contains(expected) == true, "\(path.key) \(operation.key)")
                    // A program's token is no log-in.
                    if refused.status == .forbidden {
                        #expect(statuses?.contains("403") == true, "\(path.key) \(operation.key)")
                    }
                }
            }
            let text = String(decoding: AccountsService.openAPI, as: UTF8.self)
            for part in text.split(separator: "\"#/").dropFirst() {
                let reference = part.prefix { $0 != "\"" }.split(separator: "/").map(String.init)
                #expect(reference.reduce(document) { $0[$1] ?? .null } != .null)
            }
        }
    }

    /// A token of a third party's program.
    private func clientToken(_ test: AccountsTest) async throws -> String {
        let salus = try await test.company()
        let made = try await test.send(.post, "/clients", token: salus.token, #"{"name":"x","scopes":["groups"]}"#)
        let (id, secret) = (try made.text("client_id"), try made.text("client_secret"))
        let form = "grant_type=client_credentials&client_id=\(id)&client_secret=\(secret)"
        return try await test.sendForm("/oauth/token", form).text("access_token")
    }

    @Test("ACC-17: Mail goes out by itself soon after it was put into the outbox")
    func mailTask() async throws {
        try await AccountsTest.with { test in
            test.service.start()
            let arrived = test.settings.mailbox.arrived
            let before = arrived.value
            let answer = try await test.register(TestPerson())
            #expect(answer.status == 202)
            let after = await arrived.wait(after: before, deadline: .after(.seconds(5)))
            #expect(after > before)
            #expect(test.settings.mailbox.messages.map(\.to.description) == ["anna@example.org"])
        }
    }

    @Test("The service is built from its settings: a key file and a mail folder that it makes")
    func files() async throws {
        let path = "/tmp/trackme-accounts-\(UUID.random())"
        #expect(mkdir(path, 0o700) == 0)
        let key = Ed25519Key.random()
        try key.save(file: "\(path)/signing.pem")
        let text = "{\"mail_directory\":\"\(path)/mail\",\"signing_key_file\":\"\(path)/signing.pem\"}"
        let settings = try JSONDecoder(unknownKeys: .refuse).decode(AccountsSettings.self, from: Array(text.utf8))
        try await TestService<AccountsService>.with(settings: settings) { service in
            let answer = try await service.rpc(as: "ingestion").call(Accounts.Keys.self, .init())
            let keys = try JSONDecoder().decode(JSONWebKeySet.self, from: answer.keySet.bytes)
            #expect(keys == JSONWebKeySet([key.publicKey]))
            #expect(access("\(path)/mail/new", W_OK) == 0)
        }
        for folder in ["/mail/new", "/mail/tmp", "/mail/cur", "/mail"] { rmdir(path + folder) }
        unlink("\(path)/signing.pem")
        rmdir(path)
    }
}
