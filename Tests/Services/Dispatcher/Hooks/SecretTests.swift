import Domain
import Glibc
import HTTP
import Primitives
import ProcessTesting
import Reactor
import Security
import Service
import Testing

@testable import Dispatcher

/// The secrets of hooks while they are being replaced.
@Suite struct SecretTests {
    private func load(_ directory: TestDirectory, _ secrets: String) throws -> [Hook] {
        try directory.write("secret", secrets)
        try directory.write(
            "hooks.json",
            #"{"hooks": [{"name": "a", "url": "https://example.org/", "secret_file": "\#(directory.file("secret"))", "form": "cap"}]}"#
        )
        return try HooksFile.load(directory.file("hooks.json"))
    }

    @Test("SOS-06c NFR-05: a secret file holds one secret, or two while one is replaced; never none, never three")
    func file() async throws {
        try await EventLoopGroup.withLoops(1) { _ in
            try await TestDirectory.with { directory in
                let (old, new) = (WebhookSecret.random(), WebhookSecret.random())
                #expect(try load(directory, old.text)[0].secrets.map(\.text) == [old.text])
                let both = try load(directory, "\(new.text)\n\(old.text)\n")[0]
                #expect(both.secrets.map(\.text) == [new.text, old.text] && both.form == .cap)
                #expect(throws: ConfigurationError.self) { try load(directory, "\n") }
                #expect(throws: ConfigurationError.self) { try load(directory, "\(new.text) short") }
                #expect(throws: ConfigurationError.self) {
                    try load(directory, "\(new.text) \(old.text) \(WebhookSecret.random().text)")
                }
            }
        }
    }

    @Test(
        "SOS-06c SOS-13a: while a secret is replaced both sides may hold either: calls carry both signatures, call backs any"
    )
    func overlap() async throws {
        try await TestDispatcher.with(times: TestDispatcher.patientTimes) { dispatcher in
            let account = UUID.random()
            try await dispatcher.enrol(account)
            let (fake, new) = (dispatcher.hooks[0], WebhookSecret.random())
            let hook = fake.hook
            // As after SIGHUP; the service has the old one still.
            dispatcher.capabilities.callbackRoutes.hooks.replace([
                Hook(
                    name: hook.name, url: hook.url, secrets: [new, fake.secret], area: nil, allowsPrivate: true)
            ])
            try await dispatcher.send(critical, of: account)
            let call = try #require(await fake.desk.firstCall())
            #expect(call.isSigned)
            let stranger = try await dispatcher.reply("acceptance", to: call, from: fake, secret: .random())
            #expect(stranger.status == .unauthorized)
            #expect(try await dispatcher.reply("acceptance", to: call, from: fake, secret: new).status == .ok)
            #expect(try await dispatcher.reply("acceptance", to: call, from: fake).status == .ok)
            // The service has one that is not in the file yet: it signs with both of its own.
            let early = WebhookSecret.random()
            let both = try await dispatcher.reply("acceptance", to: call, from: fake, secrets: [early, fake.secret])
            #expect(both.status == .ok)
            let neither = try await dispatcher.reply("acceptance", to: call, from: fake, secrets: [early, .random()])
            #expect(neither.status == .unauthorized)
            // The old one is out.
            dispatcher.capabilities.callbackRoutes.hooks.replace([
                Hook(name: hook.name, url: hook.url, secrets: [new], area: nil, allowsPrivate: true)
            ])
            #expect(try await dispatcher.reply("acceptance", to: call, from: fake).status == .unauthorized)
        }
    }
}
