import HTTP
import Primitives
import Security
@testable import Edge
@testable import Service
import ServiceTesting
import Testing

@Suite struct BrowserSessionTests {
    private static let access = "__Host-trackme-access"

    private let revocations = Revocations()
    private let account = UUID.random()
    private let tokens = TestTokens(clock: TestClock())

    /// Whose request it is, or why nobody's.
    private func outcome(
        _ method: HTTPMethod = .get, cookies: [String], fields more: HTTPFields = [:]
    ) async throws -> Result<Identity, Problem> {
        let keySet = tokens.keySet
        let authenticator = Authenticator(
            keys: LocalKeySource { keySet }, revocations: revocations, clock: TestClock())
        var fields = more
        for cookie in cookies { fields.add("Cookie", cookie) }
        let request = try HTTPRequest(method, "/", fields: fields)
        do throws(Problem) { return .success(try await authenticator.identity(of: request)) } catch {
            return .failure(error)
        }
    }

    private func problem(_ outcome: Result<Identity, Problem>) -> Problem? {
        if case .failure(let problem) = outcome { problem } else { nil }
    }

    @Test("ACC-16: a token in the cookie tells who it is, with GET, HEAD and OPTIONS from anywhere")
    func safe() async throws {
        let token = try tokens.token(.individual, account: account)
        for method in [HTTPMethod.get, .head, .options] {
            for site in [nil, "same-origin", "cross-site"] {
                let fields: HTTPFields = site.map { ["Sec-Fetch-Site": $0] } ?? [:]
                let found = try await outcome(method, cookies: ["\(Self.access)=\(token)"], fields: fields)
                #expect(try found.get().account == account)
            }
        }
    }

    @Test(
        "ACC-16 NFR-05: with the cookie, only a request of our own page changes something",
        arguments: [HTTPMethod.post, .put, .patch, .delete])
    func changes(_ method: HTTPMethod) async throws {
        let token = try tokens.token(.individual, account: account)
        let refused: [HTTPFields] = [
            [:], ["TrackMe-Request": ""], ["TrackMe-Request": "Page"], ["TrackMe-Request": "page, page"],
            ["TrackMe-Requests": "page"], ["Sec-Fetch-Site": "same-origin"],
            ["TrackMe-Request": "page", "Sec-Fetch-Site": "cross-site"],
            ["TrackMe-Request": "page", "Sec-Fetch-Site": "same-site"],
            ["TrackMe-Request": "page", "Sec-Fetch-Site": ""],
            ["TrackMe-Request": "page", "Sec-Fetch-Site": "same-origin, cross-site"],
            ["TrackMe-Request": "page", "Sec-Fetch-Site": "same-origin", "sec-fetch-site": "cross-site"],
        ]
        for fields in refused {
            let problem = problem(
                try await outcome(method, cookies: ["\(Self.access)=\(token)"], fields: fields))
            #expect(problem?.status == .forbidden && problem?.code == "cross-site-request", "\(fields)")
            #expect(problem?.detail?.isEmpty == false)
        }
        for fields: HTTPFields in [
            ["TrackMe-Request": "page"], ["trackme-request": "page"],
            ["TrackMe-Request": "page", "Sec-Fetch-Site": "same-origin"],
            ["TrackMe-Request": "page", "Sec-Fetch-Site": "none"],
        ] {
            let found = try await outcome(method, cookies: ["\(Self.access)=\(token)"], fields: fields)
            #expect(try found.get().account == account, "\(fields)")
        }
    }

    @Test("ACC-16: Authorization wins over the cookie, also where it is worth nothing")
    func authorization() async throws {
        let cookie = "\(Self.access)=\(try tokens.token(.individual, account: .random()))"
        let token = try tokens.token(.individual, account: account)
        let bearer = try await outcome(.post, cookies: [cookie], fields: ["Authorization": "Bearer \(token)"])
        #expect(try bearer.get().account == account)
        for (value, code) in [
            ("Bearer nonsense", "invalid-token"), ("Basic YTpi", "unauthorized"), ("Bearer", "unauthorized"),
            ("", "unauthorized"),
        ] {
            let found = problem(try await outcome(cookies: [cookie], fields: ["Authorization": value]))
            #expect(found?.status == .unauthorized && found?.code == code, "\(value)")
        }
    }

    @Test("ACC-16: a cookie that is missing, doubled, quoted or worth nothing is 401")
    func worthless() async throws {
        let token = try tokens.token(.individual, account: account)
        let foreign = try TestTokens(clock: TestClock()).token(.individual, account: account)
        for cookies in [
            [], ["trackme-access=\(token)"], ["__host-trackme-access=\(token)"],
            ["\(Self.access)=\(token); \(Self.access)=\(token)"], ["\(Self.access)=\(token)", "\(Self.access)=x"],
            ["\(Self.access)=\"\(token)\""], ["\(Self.access)="], ["__Secure-trackme-refresh=\(token)"],
        ] {
            #expect(problem(try await outcome(cookies: cookies))?.code == "unauthorized", "\(cookies)")
        }
        for value in ["nonsense", foreign, String(repeating: "x", count: 4000)] {
            #expect(problem(try await outcome(cookies: ["\(Self.access)=\(value)"]))?.code == "invalid-token")
        }
    }

    @Test("ACC-16c: a token in the cookie is refused once its session was revoked")
    func revoked() async throws {
        let session = UUID.random()
        let cookie = "\(Self.access)=\(try tokens.token(.individual, account: account, session: session))"
        #expect(try await outcome(cookies: [cookie]).get().session == session)
        revocations.apply(.session(session), revokedAt: TestClock().now())
        #expect(problem(try await outcome(cookies: [cookie]))?.detail == "the token was revoked")
    }

    @Test("ACC-16 NFR-05: no origin gets the permission to send our field")
    func preflight() async throws {
        var router = HTTPRouter()
        router.on(.post, "/things") { _ throws(Problem) in .noContent }
        let answer = await router.handle(
            try HTTPRequest(
                .options, "/things",
                fields: [
                    "Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "trackme-request",
                ]))
        #expect(answer.status == .noContent && answer.fields["Allow"]?.contains("POST") == true)
        #expect(!answer.fields.entries.contains { $0.name.lowercased().hasPrefix("access-control") })
    }
}
