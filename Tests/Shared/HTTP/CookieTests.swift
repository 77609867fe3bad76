import Testing

@testable import HTTP

@Suite struct CookieTests {
    private func cookie(_ fields: String..., named name: String = "id") throws -> String? {
        var all = HTTPFields()
        for field in fields { all.add("Cookie", field) }
        return try HTTPRequest(.get, "/", fields: all).cookie(name)
    }

    @Test("RFC 6265 §5.4: a cookie is found by its name among others, in one field or several")
    func found() throws {
        #expect(try cookie("id=abc") == "abc")
        #expect(try cookie("a=1; id=abc; b=2") == "abc")
        #expect(try cookie("a=1;id=abc;b=2") == "abc")
        #expect(try cookie("a=1", "id=abc", "b=2") == "abc")
        // Base64 ends with what separates name and value.
        #expect(try cookie("id=YQ==") == "YQ==")
        #expect(try cookie("valid=1; id=2; idle=3") == "2")
        #expect(try HTTPRequest(.get, "/").cookie("id") == nil)
    }

    @Test(
        "RFC 6265 §4.1: what is no well-formed pair of that name counts as none",
        arguments: [
            "", ";", "=", "id", "id=", "=id=abc", "id =abc", "ID=abc", "Id=abc", "x=id=abc", "a=1, id=abc",
            "\"id\"=abc",
            "id= abc", "id=\"abc\"", "id=a b", "id=a\tb", "id=a,b", "id=a\\b", "id=a\"", "id=caffè", "id=\u{feff}abc",
        ])
    func malformed(_ field: String) throws {
        #expect(try cookie(field) == nil)
    }

    @Test("a name that occurs twice counts as none, wherever and whatever the values are")
    func twice() throws {
        #expect(try cookie("id=abc; id=def") == nil)
        #expect(try cookie("id=abc; id=abc") == nil)
        #expect(try cookie("id=abc", "id=def") == nil)
        #expect(try cookie("id=abc; id=") == nil)
        #expect(try cookie("id=; id=abc") == nil)
        // Another spelling is another name.
        #expect(try cookie("id=abc; ID=def") == "abc")
    }

    @Test("NFR-03: long and many cookies cost no more than their head, and hide no other")
    func long() throws {
        let most = String(repeating: "x", count: HTTPRequest.cookieValueBytesMax)
        #expect(try cookie("id=\(most)") == most)
        #expect(try cookie("id=\(most)x") == nil)
        let long = String(repeating: "x", count: 10_000)
        #expect(try cookie("id=\(long)") == nil)
        #expect(try cookie("other=\(long); id=abc") == "abc")
        #expect(try cookie("\(long)=1; id=abc") == "abc")
        #expect(try cookie(String(repeating: "a=1; ", count: 5000) + "id=abc") == "abc")
        #expect(try cookie(String(repeating: ";", count: 30_000) + "id=abc") == "abc")
    }

    @Test("RFC 9110 §5.5: a control character in a cookie is a malformed request", arguments: [0, 1, 7, 27, 31, 127])
    func control(_ octet: UInt8) {
        let character = Character(UnicodeScalar(octet))
        #expect(throws: HTTPParseError.self) { try cookie("id=a\(character)b") }
    }

    @Test("ACC-16: a cookie for secrets is Secure, HttpOnly and SameSite=Strict, when it is set and when it is cleared")
    func attributes() async throws {
        let host = ProtectedCookie(name: "__Host-a", path: "/")
        let part = ProtectedCookie(name: "__Secure-b", path: "/part")
        var router = HTTPRouter()
        router.on(.get, "/") { _ throws(Problem) in
            var response = HTTPResponse.noContent
            response.set(host, to: "abc.def", for: .milliseconds(900_999))
            response.clear(part)
            return response
        }
        let answer = try await LiveServer.with(router) { live in
            let raw = try await live.connect()
            try await raw.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            return try await raw.receiveAll()
        }
        let lines = answer.split(separator: "\r\n").filter { $0.hasPrefix("Set-Cookie: ") }
        #expect(
            lines == [
                "Set-Cookie: __Host-a=abc.def; Path=/; Max-Age=900; Secure; HttpOnly; SameSite=Strict",
                "Set-Cookie: __Secure-b=; Path=/part; Max-Age=0; Secure; HttpOnly; SameSite=Strict",
            ])
        #expect(host.value(in: try HTTPRequest(.get, "/", fields: ["Cookie": "__Host-a=abc.def"])) == "abc.def")
    }
}
