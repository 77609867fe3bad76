import RPC
import Feed
import Reactor
import ReactorTesting
import ServiceTesting
import Domain
import HTTP
import JSON
import Postgres
import Primitives
import Security
import Testing

@testable import Accounts

@Suite struct LoginTests {
    @Test("ACC-07a: Individuals log in with e-mail address or fiscal code, companies with the address")
    func names() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            for name in ["ANNA@example.org", TestPerson().code, TestPerson().code.lowercased()] {
                let answer = try await test.logIn(name)
                #expect(answer.status == 200 && answer.json["account"]?["id"]?.text == anna.account.description)
                #expect(answer.json["account"]?["kind"]?.text == "individual")
                #expect(answer.json["token_type"]?.text == "Bearer" && answer.json["expires_in"]?.integer == 900)
                #expect(answer.response.fields["Cache-Control"] == "no-store")
            }
            let salus = try await test.company()
            #expect(try LoggedIn(try await test.logIn("info@salus.example")).account == salus.account)
            #expect(try await test.logIn("00743110157").status == 401)
        }
    }

    @Test("ACC-01 ACC-07a: A company with two accounts says which one is meant")
    func twoKinds() async throws {
        try await AccountsTest.with { test in
            let third = try await test.company()
            let organiser = try await test.company(TestCompany(kind: .organiser))
            #expect(third.account != organiser.account)
            #expect(try LoggedIn(try await test.logIn("info@salus.example")).account == third.account)
            let other = try await test.logIn("info@salus.example", kind: .organiser)
            #expect(try LoggedIn(other).account == organiser.account)
            #expect(try await test.logIn("info@salus.example", kind: .individual).code == "wrong-credentials")
        }
    }

    @Test("ACC-07b: Unknown name and wrong password give the same answer")
    func sameAnswer() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            let wrong = try await test.logIn("anna@example.org", "wrong password")
            let unknown = try await test.logIn("nobody@example.org", "wrong password")
            let odd = try await test.logIn("no name at all", "wrong password")
            #expect(wrong.status == 401 && wrong.code == "wrong-credentials")
            #expect(wrong.told == unknown.told && unknown.told == odd.told)
            #expect(wrong.status == unknown.status && odd.status == 401)
        }
    }

    @Test("ACC-07b ACC-08: An unconfirmed account is not told from an unknown one without its password")
    func unconfirmed() async throws {
        try await AccountsTest.with { test in
            _ = try await test.register(TestPerson())
            #expect(try await test.logIn("anna@example.org", "wrong password").code == "wrong-credentials")
        }
    }

    @Test(
        "ACC-08ab: After three wrong passwords in a row the owner is told, once, and further tries wait longer and longer"
    )
    func slowedDown() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            try await test.deliver()
            let before = test.settings.mailbox.messages.count
            for _ in 0..<3 {
                #expect(try await test.logIn("anna@example.org", "wrong password").status == 401)
            }
            try await test.deliver()
            #expect(test.settings.mailbox.messages.count == before + 1)
            let mail = try #require(test.settings.mailbox.messages.last)
            #expect(mail.subject == "Tentativi di accesso falliti" && mail.to == EmailAddress("anna@example.org"))
            // Even the right password has to wait, or guessing would go on at full speed.
            let early = try await test.logIn("anna@example.org")
            #expect(early.status == 429 && early.code == "too-many-tries")
            #expect(early.response.fields["Retry-After"] == "5")
            test.clock.advance(by: .seconds(5))
            #expect(try await test.logIn("anna@example.org", "wrong password").status == 401)
            #expect(try await test.logIn("anna@example.org").response.fields["Retry-After"] == "10")
            test.clock.advance(by: .seconds(10))
            #expect(try await test.logIn("anna@example.org").status == 200)
            #expect(try await test.logIn("anna@example.org", "wrong password").status == 401)
            try await test.deliver()
            #expect(test.settings.mailbox.messages.count == before + 1)
        }
    }

    @Test("ACC-08b: A clock that is set back or forward keeps nobody out for longer", arguments: [-3600, 3600])
    func clockSet(_ seconds: Int64) async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            for _ in 0..<3 { #expect(try await test.logIn("anna@example.org", "wrong password").status == 401) }
            #expect(try await test.logIn("anna@example.org").status == 429)
            let attempt = try attempts(test)
            for number in 0..<101 { _ = try await attempt("wrong password", "203.0.113.\(number)") }
            #expect(try await attempt(AccountsTest.password, "203.0.113.200")?.code == "too-many-tries")
            test.clock.advance(by: .seconds(seconds))
            #expect(try await test.logIn("anna@example.org").status == 200)
            #expect(try await attempt(AccountsTest.password, "203.0.113.201") == nil)
            #expect(try await attempt(AccountsTest.password, "203.0.113.200") == nil)
        }
    }

    @Test("ACC-08a: Wrong passwords are counted by account, whatever name was typed, and the mail is beside the answer")
    func byAccount() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            try await test.deliver()
            for name in ["anna@example.org", TestPerson().code, "anna@example.org"] {
                #expect(try await test.logIn(name, "wrong password").status == 401)
            }
            #expect(
                try await test.database.queryOne("select count(*) from mail where sent_at is null", as: Int.self) == 0)
            #expect(try await test.deliver() == 1)
            #expect(test.settings.mailbox.messages.last?.subject == "Tentativi di accesso falliti")
            // The answer to an unknown name writes as many rows.
            _ = try await test.logIn("nobody@example.org", "wrong password")
            #expect(try await test.database.queryOne("select count(*) from wrong_password", as: Int.self) == 2)
        }
    }

    @Test("ACC-08b: Who guesses from elsewhere does not keep the owner out, and cannot use many places to guess faster")
    func elsewhere() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            let attempt = try attempts(test)
            let home = "192.0.2.1"
            for _ in 0..<3 { _ = try await attempt("wrong password", "198.51.100.7") }
            #expect(try await attempt("wrong password", "198.51.100.7")?.code == "too-many-tries")
            #expect(try await attempt(AccountsTest.password, home) == nil)
            // Many places together have a hundred tries, of which two were right ones from places that were new.
            for number in 0..<95 {
                #expect(try await attempt("wrong password", "203.0.113.\(number)")?.code == "wrong-credentials")
            }
            #expect(try await attempt(AccountsTest.password, "203.0.113.200")?.code == "too-many-tries")
            // Where the right password came from before, the owner gets in all the while.
            #expect(try await attempt(AccountsTest.password, home) == nil)
            test.clock.advance(by: LoginAttempts.nameWindow)
            #expect(try await attempt(AccountsTest.password, "203.0.113.200") == nil)
        }
    }

    @Test(
        "ACC-08b: While somebody guesses from many places, each other one gets in with the right password at its turn")
    func turns() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            let attempt = try attempts(test)
            // One try was the right one after the registration.
            for number in 1..<LoginAttempts.triesPerNameMax {
                #expect(try await attempt("wrong password", "203.0.113.\(number)")?.code == "wrong-credentials")
            }
            func wait(_ password: String, _ host: String) async throws -> Duration? {
                try await attempt(password, host)?.retryAfter
            }
            // One turn for each site, whichever of its networks asks.
            for _ in 0..<2 {
                #expect(try await wait("wrong password", "2001:db8:0:1::1") == .seconds(60))
                #expect(try await wait("wrong password", "2001:db8:0:2::1") == .seconds(60))
            }
            #expect(try await wait("wrong password", "203.0.113.200") == .seconds(120))
            let road = "192.0.2.1"
            #expect(try await wait(AccountsTest.password, road) == .seconds(180))
            // Who guesses goes on, from more and more sites: the turn stays the owner's.
            for step in 0..<3 {
                test.clock.advance(by: .seconds(60))
                for site in 0..<20 { _ = try await attempt("wrong password", "198.51.\(step * 20 + site).1") }
            }
            #expect(try await wait("wrong password", "198.51.200.1") == LoginAttempts.turnWaitMax)
            #expect(try await attempt("wrong password", "203.0.113.201")?.code == "wrong-credentials")
            #expect(try await attempt("wrong password", "203.0.113.202")?.code == "too-many-tries")
            #expect(try await attempt(AccountsTest.password, road) == nil)
            #expect(try await attempt(AccountsTest.password, road) == nil)
        }
    }

    @Test("ACC-07 ACC-10: A password that is changed while a log-in waits to be hashed opens no session")
    func changedWhileWaiting() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let hash = PasswordHash("another good one", parameters: try test.capabilities.hasher.parameters)
            let late = try await test.withoutHashing {
                let late = test.service.loops.loops[0].throwingTask { try await test.logIn("anna@example.org") }
                let turns = try test.capabilities.hasher.turns
                while turns.waiting == 0 { try await EventLoop.current?.sleep(for: .milliseconds(1)) }
                // What a change of the password does.
                let sessions = try test.capabilities.sessions
                try await test.capabilities.store.transaction { transaction in
                    try await transaction.execute("update password set hash = \(hash.description)")
                    try await sessions.endAll(of: anna.account, except: nil, in: transaction)
                }
                return late
            }
            #expect(try await late.value.code == "wrong-credentials")
            #expect(try await test.database.queryOne("select count(*) from session", as: Int.self) == 0)
            #expect(try await test.logIn("anna@example.org", "another good one").status == 200)
        }
    }

    @Test("ACC-10: A password that is changed while a session is made opens none, though it was the right one")
    func changedMeanwhile() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            // The log-in has checked the password and waits for the account, which the change holds.
            let hash = PasswordHash("another good one", parameters: try test.capabilities.hasher.parameters).description
            let change: SQL = """
                with held as (select id from account for update)
                update password set hash = \(hash) from held where account = held.id
                """
            let answers = try await test.held(by: change, of: "account") {
                try await test.logIn("anna@example.org")
            }
            #expect(answers.map(\.code) == ["wrong-credentials"])
            #expect(try await test.database.query("select id from session", as: UUID.self) == [anna.session])
        }
    }

    @Test(
        "NFR-05: A log-in stores the password anew when the parameters of hashes have changed; log-ins at the same time are right too"
    )
    func renewedHash() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            let parameters = try #require(PasswordHash.Parameters(logarithmicCost: 2, blockSize: 1, parallelism: 1))
            let old = PasswordHash(AccountsTest.password, parameters: parameters).description
            try await test.database.execute("update password set hash = \(old)")
            // Both have checked the old hash when the first one stores the new one.
            let renewed = PasswordHash(AccountsTest.password, parameters: try test.capabilities.hasher.parameters)
                .description
            let answers = try await test.held(by: "update password set hash = \(renewed)", of: "password") {
                try await test.logIn("anna@example.org")
            }
            #expect(answers.map(\.status) == [200])
            try await test.database.execute("update password set hash = \(old)")
            #expect(try await test.logIn("anna@example.org").status == 200)
            let stored = try await test.database.queryOne("select hash from password", as: String.self)
            #expect(try PasswordHash(stored: try #require(stored)).parameters == test.capabilities.hasher.parameters)
            #expect(try await test.logIn("anna@example.org").status == 200)
        }
    }

    @Test("ACC-07a: The password is the same however its accents are written")
    func spellings() async throws {
        try await AccountsTest.with { test in
            var person = TestPerson()
            person.password = "perche\u{301} cosi\u{300} e\u{300}"
            #expect(try await test.register(person).status == 202)
            let token = try await test.linkToken()
            #expect(try await test.confirm(token).status == 200)
            #expect(try await test.logIn("anna@example.org", "perché così è").status == 200)
            #expect(try await test.logIn("anna@example.org", "perche cosi e").status == 401)
        }
    }

    @Test("ACC-07 ACC-08: One password tried with many names from one network ends after some, whoever has an account")
    func spraying() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            let login = try test.capabilities.login
            func attempt(_ name: String, _ password: String, _ host: String) async throws -> Refusal? {
                let body = "{\"login\":\"\(name)\",\"password\":\"\(password)\"}"
                let form = try JSONDecoder().decode(Login.Form.self, from: Array(body.utf8))
                do { _ = try await login.begin(form, from: SocketAddress(numeric: host, port: 1)) } catch let refusal
                    as Refusal
                { return refusal }
                return nil
            }
            let (office, elsewhere) = ("203.0.113.7", "198.51.100.7")
            // Who logged in from there is known there; right passwords do not count.
            for _ in 0..<5 { #expect(try await attempt("anna@example.org", AccountsTest.password, office) == nil) }
            for number in 0..<Login.wrongPerAddressMax {
                #expect(
                    try await attempt("name\(number)@example.org", "Estate2026!", office)?.code == "wrong-credentials")
            }
            let refused = try await attempt("name99@example.org", "Estate2026!", office)
            #expect(refused?.code == "too-many-tries" && refused?.kind == .tooManyTries)
            #expect(try await attempt("anna@example.org", AccountsTest.password, office) == nil)
            #expect(try await attempt("name99@example.org", "Estate2026!", elsewhere)?.code == "wrong-credentials")
            test.clock.advance(by: Login.wrongWindow)
            #expect(try await attempt("name99@example.org", "Estate2026!", office)?.code == "wrong-credentials")
        }
    }

    private func attempts(_ test: AccountsTest) throws -> (String, String) async throws -> Refusal? {
        let login = try test.capabilities.login
        return { password, host in
            let body = "{\"login\":\"anna@example.org\",\"password\":\"\(password)\"}"
            let form = try JSONDecoder().decode(Login.Form.self, from: Array(body.utf8))
            do { _ = try await login.begin(form, from: SocketAddress(numeric: host, port: 1)) } catch let refusal
                as Refusal
            { return refusal }
            return nil
        }
    }

    @Test("ACC-08b: A try that is refused before its password was checked does not count")
    func refusedHash() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let turns = try test.capabilities.hasher.turns
            let body =
                #"{"old_password":"wrong password","new_password":"another good one","new_password_again":"another good one"}"#
            func tries() async throws -> Int? {
                try await test.database.queryOne(
                    """
                    select coalesce(sum(tries), 0)::bigint
                    from (select tries from login_attempt union all select tries from login_name_attempt) as counted
                    """, as: Int.self)
            }
            let before = try await tries()
            try await test.withoutHashing {
                let waiting = [true, false].flatMap { isKnown in
                    (0..<HashingTurns.waitingMax).map { _ in
                        test.service.loops.loops[0].throwingTask {
                            try await turns.run(.init(nil, isKnown: isKnown)) {}
                        }
                    }
                }
                let deadline = Deadline.after(.patience)
                while turns.waiting < 2 * HashingTurns.waitingMax, !deadline.hasPassed {
                    try await test.service.loops.loops[0].sleep(for: .milliseconds(1))
                }
                var nobody = TestOperator(test, "nobody")
                for _ in 0...LoginAttempts.freeTries {
                    #expect(try await nobody.logIn(code: "000000").status == 503)
                    #expect(try await test.logIn("nobody@example.org").status == 503)
                    #expect(try await test.send(.put, "/me/password", token: anna.token, body).status == 503)
                }
                for task in waiting { task.cancel() }
                for task in waiting { _ = await task.result }
            }
            #expect(try await tries() == before)
            #expect(try await test.logIn("nobody@example.org").status == 401)
        }
    }

    @Test("ACC-07b ACC-08b: Refused tries with a name from many addresses give the turns back that they had taken")
    func refusedTurn() async throws {
        try await AccountsTest.with { test in
            let attempts = try test.capabilities.login.attempts
            let name = LoginAttempts.Name(index: [1], turn: [2], turns: [3])
            func place(_ number: Int) -> LoginAttempts.Place { .init(here: [9, UInt8(number)], name: name) }
            for number in 0..<LoginAttempts.triesPerNameMax {
                _ = try await attempts.begin(place(number), isKnown: false)
            }
            let here = place(200)
            await #expect(throws: Refusal.self) { _ = try await attempts.begin(here, isKnown: false) }
            test.clock.advance(by: .seconds(Int64(LoginAttempts.pauseSecondsMax)))
            for _ in 0..<3 {
                let counted = try await attempts.begin(here, isKnown: false)
                try await attempts.takeBack(counted)
            }
            _ = try await attempts.begin(here, isKnown: false)
            await #expect(throws: Refusal.self) { _ = try await attempts.begin(here, isKnown: false) }
        }
    }

    @Test("ACC-10: Knowing an account's id does not slow down its owner's change of password")
    func passwordChangeApart() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            for _ in 0..<3 { _ = try await test.logIn("account:\(anna.account)", "wrong password") }
            let body =
                #"{"old_password":"wrong password","new_password":"another good one","new_password_again":"another good one"}"#
            #expect(try await test.send(.put, "/me/password", token: anna.token, body).code == "wrong-password")
        }
    }

    @Test("ACC-07b ACC-08b: A name without an account is slowed down in the same way")
    func unknownSlowedDown() async throws {
        try await AccountsTest.with { test in
            for _ in 0..<3 { #expect(try await test.logIn("nobody@example.org").status == 401) }
            let answer = try await test.logIn("nobody@example.org")
            #expect(answer.status == 429 && answer.response.fields["Retry-After"] == "5")
            #expect(try await test.deliver() == 0)
        }
    }

    @Test("ACC-08b: Many guesses at the same time get no more tries than one after the other")
    func atOnce() async throws {
        try await AccountsTest.with { test in
            _ = try await test.individual()
            let statuses = try await withThrowingTaskGroup(of: UInt16.self) { group in
                for _ in 0..<10 {
                    group.addTask { try await test.logIn("anna@example.org", "wrong password").status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 401 } == 3 && statuses.count { $0 == 429 } == 7)
        }
    }

    @Test("ACC-05c: A new version of the terms is asked for at the next log-in")
    func newTerms() async throws {
        let terms = TermsCatalogue(versions: [.individual: "2027-01", .thirdParty: "2026-01", .organiser: "2026-01"])
        try await AccountsTest.with(terms: terms) { test in
            var person = TestPerson()
            person.terms = "2027-01"
            _ = try await test.individual(person)
            try await test.database.execute("update terms_acceptance set version = '2026-01'")
            let refused = try await test.logIn("anna@example.org")
            #expect(refused.status == 403 && refused.code == "terms-not-accepted")
            let accepted = try await test.send(
                .post, "/sessions",
                "{\"login\":\"anna@example.org\",\"password\":\"\(AccountsTest.password)\",\"terms_version\":\"2027-01\"}"
            )
            #expect(accepted.status == 200)
            #expect(try await test.logIn("anna@example.org").status == 200)
            #expect(try await test.database.queryOne("select count(*) from terms_acceptance", as: Int.self) == 2)
        }
    }

    @Test(
        "NFR-05c: Passwords are hashed by scrypt with the standard's cost, and an unknown name has a hash of the same cost"
    )
    func scrypt() async throws {
        let hasher = try PasswordHasher(threads: 1)
        defer { hasher.pool.shutdown() }
        #expect(hasher.parameters == .standard)
        try await EventLoopGroup.withLoops(1) { _ in
            let client = HashingTurns.Client(nil, isKnown: false)
            let matches = try await hasher.matches("anything", stored: nil, for: client)
            #expect(!matches)
        }
        #expect(PasswordHash.decoy(parameters: hasher.parameters).parameters == .standard)
    }
}
