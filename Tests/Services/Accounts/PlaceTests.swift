import Domain
import HTTP
import JSON
import Postgres
import ServiceTesting
import Testing

@testable import Accounts

@Suite struct PlaceTests {
    @Test("ACC-02: A place is found by what people type, named in their language, and former ones only as birthplaces")
    func search() async throws {
        try await AccountsTest.with { test in
            let found = try await test.send(.get, "/places?text=reggio%20emilia&limit=3").json["places"]?.items
            #expect(found?.first?["title"]?.text == "Reggio nell'Emilia (RE)" && found?.first?["code"]?.text == "H223")
            let english = try await test.send(.get, "/places?text=germania", fields: ["Accept-Language": "en"])
            #expect(english.json["places"]?.items.first?["title"]?.text == "Germany")
            #expect(
                try await test.send(.get, "/places?text=cutigliano&use=birthplace").titles.contains("Cutigliano (PT)"))
            #expect(
                try await test.send(.get, "/places?text=cutigliano&use=residence").titles == ["Abetone Cutigliano (PT)"]
            )
            #expect(try await test.send(.get, "/places?text=%27").titles == [])
            let milan = try await test.send(.get, "/places/f205").json
            #expect(milan["region"]?.text == "Lombardia" && milan["until"] == nil)
        }
    }

    @Test(
        "ACC-02: A search that cannot be made is refused",
        arguments: [
            ("", 422), ("?text=\(String(repeating: "a", count: 101))", 422), ("/F129", 404), ("/1", 404),
            ("?text=", 422), ("?text=a&limit=51", 422), ("?text=a&use=work", 422), ("?text=a&x=1", 422),
        ])
    func refused(_ query: String, _ status: Int) async throws {
        try await AccountsTest.with { test in
            let answer = try await test.send(.get, "/places\(query)")
            #expect(answer.status == status)
        }
    }

    @Test("ACC-02e: A fiscal code whose birthplace never was is mistyped; a state that is not on the list is taken")
    func birthplace() async throws {
        try await AccountsTest.with { test in
            for (place, status, code) in [("F129", 422, "unknown-birthplace"), ("Z999", 202, ""), ("G778", 202, "")] {
                var person = TestPerson(email: "\(place)@example.org".lowercased())
                person.code = try FiscalCode.make(
                    surname: "Bianchi", name: "Anna", birth: person.birth, sex: .female,
                    place: #require(BelfioreCode(place))
                ).description
                let answer = try await test.send(.post, "/individuals", person.form)
                #expect(answer.status == status, "\(place)")
                if status == 422 {
                    #expect(
                        answer.code == code
                            && answer.json["errors"]?.items.first?["pointer"]?.text == "/fiscal_code")
                }
            }
        }
    }

    @Test(
        "ACC-02 ACC-11a: A residence exists today; both places are shown by name; one that has ended meanwhile keeps nobody from a change"
    )
    func residence() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            // A state that is not on the list is taken, as a birthplace.
            let abroad = try await test.send(.patch, "/me", token: anna.token, #"{"residence":"Z113"}"#)
            #expect(abroad.status == 200 && abroad.json["residence_title"] == nil)
            for (code, fault) in [("F129", "unknown-place"), ("D235", "former-place")] {
                let answer = try await test.send(.patch, "/me", token: anna.token, #"{"residence":"\#(code)"}"#)
                #expect(answer.status == 422 && answer.code == fault)
            }
            let moved = try await test.send(.patch, "/me", token: anna.token, #"{"residence":"L219"}"#).json
            #expect(moved["residence_title"]?.text == "Torino (TO)" && moved["birthplace_title"]?.text == "Milano (MI)")
            // As if Turin had been merged into another municipality since.
            let store = try test.capabilities.store
            let sealed = try await test.database.queryOne(
                "select profile from person where account = \(anna.account)", as: [UInt8].self)
            let key = try await store.key(of: anna.account)
            var profile = try store.columns.open(
                #require(sealed), as: PersonProfile.self, .person, row: anna.account, with: key)
            profile.residence = BelfioreCode("D235")
            let resealed = try store.columns.seal(encoding: profile, .person, row: anna.account, with: key)
            try await test.database.execute("update person set profile = \(resealed) where account = \(anna.account)")
            let changed = try await test.send(.patch, "/me", token: anna.token, #"{"phone":"+39 02 7654321"}"#)
            #expect(changed.status == 200 && changed.json["residence_title"]?.text == "Cutigliano (PT)")
        }
    }
}

extension AccountsTest.Answer {
    fileprivate var titles: [String] { json["places"]?.items.compactMap { $0["title"]?.text } ?? [] }
}
