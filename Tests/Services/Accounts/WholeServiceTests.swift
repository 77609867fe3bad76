import Contracts
import Domain
import Glibc
import HTTP
import JSON
import Postgres
import PostgresTesting
import Primitives
import RPC
import Reactor
import ReactorTesting
import Security
import Service
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct WholeServiceTests {
    @Test("ACC-17 NFR-02d: Mail goes out by itself soon after it was put into the outbox")
    func mailTask() async throws {
        try await AccountsTest.with { test in
            test.service.start()
            let arrived = test.settings.mailbox.arrived
            let before = arrived.value
            let answer = try await test.register(TestPerson())
            #expect(answer.status == 202)
            let after = await arrived.wait(after: before, deadline: .after(.patience))
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
        try await TestDatabase.with { store in
            let text = """
                {"keystore":\(DatabaseSettings.text(schema: store.schema)),"mail_directory":"\(path)/mail",
                 "signing_key_file":"\(path)/signing.pem"}
                """
            let settings = try JSONDecoder(unknownKeys: .refuse).decode(AccountsSettings.self, from: Array(text.utf8))
            try await TestService<AccountsService>.with(settings: settings, databases: [store.schema: store.database]) {
                service in
                let answer = try await service.rpc(as: "ingestion").call(Accounts.Keys.self, .init())
                let keys = try JSONDecoder().decode(JSONWebKeySet.self, from: answer.keySet.bytes)
                #expect(keys == JSONWebKeySet([key.publicKey]))
                #expect(access("\(path)/mail/new", W_OK) == 0)
            }
        }
        for folder in ["/mail/new", "/mail/tmp", "/mail/cur", "/mail"] { rmdir(path + folder) }
        unlink("\(path)/signing.pem")
        rmdir(path)
    }
}
