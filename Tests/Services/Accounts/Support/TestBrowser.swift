import HTTP
import Service
import Testing

@testable import Accounts

/// A browser with a page of ours: keeps cookies, and sends them with requests to their paths. A copy is a tab that has sent
/// its request before it knows what the other one got.
struct TestBrowser: Sendable {
    private struct Cookie: Sendable {
        let value: String
        let path: String
    }

    let test: AccountsTest
    private var cookies: [String: Cookie] = [:]

    init(_ test: AccountsTest) { self.test = test }

    var access: String? { cookies[BrowserSession.access.name]?.value }
    var refresh: String? { cookies[BrowserSession.refresh.name]?.value }

    /// The names of the cookies that go to `path` of the service.
    func names(for path: String) -> [String] {
        cookies.filter { name, cookie in
            cookie.path == "/" || "/accounts/v1\(path)/".hasPrefix("\(cookie.path)/")
        }.keys.sorted()
    }

    /// As if the cookie's time had come.
    mutating func forget(_ cookie: ProtectedCookie) { cookies[cookie.name] = nil }

    mutating func keep(_ cookie: ProtectedCookie, _ value: String) {
        cookies[cookie.name] = Cookie(value: value, path: cookie.path)
    }

    /// - Parameter fields: those of a page of ours, unless given.
    mutating func send(
        _ method: HTTPMethod, _ path: String,
        fields: HTTPFields = ["TrackMe-Request": "page", "Sec-Fetch-Site": "same-origin"], _ body: String = ""
    ) async throws -> AccountsTest.Answer {
        var fields = fields
        let sent = names(for: path).compactMap { name in cookies[name].map { "\(name)=\($0.value)" } }
        if !sent.isEmpty { fields["Cookie"] = sent.joined(separator: "; ") }
        let answer = try await test.send(method, path, fields: fields, body)
        for line in answer.cookies {
            let parts = line.split(separator: "; ").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            let name = try #require(parts.first?.first)
            let attributes = Dictionary(
                parts.dropFirst().map { ($0[0], $0.count > 1 ? $0[1] : "") }, uniquingKeysWith: { _, last in last })
            cookies[name] =
                attributes["Max-Age"] == "0"
                ? nil : Cookie(value: try #require(parts[0].last), path: try #require(attributes["Path"]))
        }
        return answer
    }

    mutating func logIn(
        _ login: String = "anna@example.org", _ password: String = AccountsTest.password
    ) async throws -> AccountsTest.Answer {
        try await send(.post, "/browser-session", "{\"login\":\"\(login)\",\"password\":\"\(password)\"}")
    }
}

extension AccountsTest.Answer {
    /// The values of `Set-Cookie`.
    var cookies: [String] { response.fields.entries.filter { $0.name == "Set-Cookie" }.map(\.value) }
}
