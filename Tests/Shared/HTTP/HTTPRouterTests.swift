import JSON
import Testing

@testable import HTTP

@Suite struct HTTPRouterTests {
    private static func named(_ name: String) -> HTTPHandler {
        { request throws(Problem) in
            .text(([name] + request.pathParameters.values).joined(separator: " "))
        }
    }

    private func answer(_ router: HTTPRouter, _ method: HTTPMethod, _ target: String) async throws -> (UInt16, String) {
        let response = await router.handle(try HTTPRequest(method, target))
        return (response.status.rawValue, String(decoding: try await response.collectedBody(), as: UTF8.self))
    }

    @Test("a literal goes before a parameter, a parameter before a tail; a dead end is left again")
    func precedence() async throws {
        var router = HTTPRouter()
        router.on(.get, "/", Self.named("root"))
        router.on(.get, "/a/me", Self.named("me"))
        router.on(.get, "/a/:id", Self.named("one"))
        router.on(.get, "/a/:id/b", Self.named("b"))
        router.on(.get, "/a/me/c", Self.named("c"))
        router.on(.get, "/a/*rest", Self.named("rest"))
        for (path, expected) in [
            ("/", "root"), ("/a/me", "me"), ("/a/7", "one 7"), ("/a/7/b", "b 7"), ("/a/me/b", "b me"),
            ("/a/me/c", "c"), ("/a/7/x/y", "rest 7/x/y"), ("/a/%6De", "me"), ("/a/x%2Fy", "one x/y"),
            ("/a/caff%C3%A8", "one caffè"), ("/a/me?x=/b", "me"),
        ] {
            let (status, text) = try await answer(router, .get, path)
            #expect(status == 200 && text == expected, "\(path)")
        }
        for path in ["/a", "/a/", "/b", "//", "/A/me"] {
            #expect(try await answer(router, .get, path).0 == 404, "\(path)")
        }
        #expect(try await answer(router, .get, "/a/%FF").0 == 400)
        for octet in ["%00", "%0A", "%1f", "%7F"] { #expect(try await answer(router, .get, "/a/\(octet)").0 == 400) }
    }

    @Test("RFC 9110 §15.5.6: 405 with Allow, HEAD by GET, OPTIONS by itself")
    func methods() async throws {
        var router = HTTPRouter()
        router.on(.get, "/x", Self.named("get"))
        router.on(.delete, "/x", Self.named("delete"))
        let refused = await router.handle(try HTTPRequest(.post, "/x"))
        #expect(refused.status == .methodNotAllowed)
        #expect(refused.fields["allow"] == "GET, HEAD, DELETE, OPTIONS")
        #expect(await router.handle(try HTTPRequest(.head, "/x")).status == .ok)
        let options = await router.handle(try HTTPRequest(.options, "/x"))
        #expect(options.status == .noContent)
        #expect(options.fields["Allow"] == "GET, HEAD, DELETE, OPTIONS")
        #expect(await router.handle(try HTTPRequest(.options, "*")).status == .noContent)
        #expect(await router.handle(try HTTPRequest(.options, "/y")).status == .notFound)
    }

    @Test("RFC 9457: a problem that a handler throws becomes problem+json")
    func problems() async throws {
        var router = HTTPRouter()
        router.on(.get, "/p") { _ throws(Problem) in
            throw Problem(
                .conflict, code: "already-paired", detail: "paired before",
                errors: [
                    .init(pointer: "/device", detail: "taken"),
                    .init(pointer: "/name", code: "missing", detail: "missing"),
                ], retryAfter: .milliseconds(1500),
                fields: ["X-More": "1"])
        }
        let response = await router.handle(
            try HTTPRequest(
                .get, "/p", fields: ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]))
        #expect(response.status == .conflict)
        #expect(response.contentType == .problem)
        #expect(response.fields["Retry-After"] == "2")
        #expect(response.fields["x-more"] == "1")
        let body = String(decoding: try await response.collectedBody(), as: UTF8.self)
        #expect(
            body
                == #"{"type":"urn:trackme:problem:already-paired","title":"Conflict","status":409,"#
                + #""detail":"paired before","code":"already-paired","errors":["#
                + #"{"pointer":"/device","code":"already-paired","detail":"taken"},"#
                + #"{"pointer":"/name","code":"missing","detail":"missing"}],"#
                + #""trace":"0af7651916cd43dd8448eb211c80319c"}"#)
    }

    @Test("typed path and query parameters: 404 and 422 for what cannot be read, 400 for what is not text")
    func typedParameters() async throws {
        var router = HTTPRouter()
        router.on(.get, "/n/:id") { request throws(Problem) in
            let id = try request.parameter("id", as: Int.self)
            return try request.parameters { (query) throws(Problem) in
                let limit = query.number("limit", 1...100) ?? 10
                return .text("\(id) \(limit) \(try query.required("name", query.text("name")))")
            }
        }
        #expect(try await answer(router, .get, "/n/7?limit=3&name=J%C3%BCrgen+K") == (200, "7 3 Jürgen K"))
        #expect(try await answer(router, .get, "/n/x?name=a").0 == 404)
        #expect(try await answer(router, .get, "/n/7?name=a&limit=many").0 == 422)
        #expect(try await answer(router, .get, "/n/7").0 == 422)
        #expect(try await answer(router, .get, "/n/7?name=%FF").0 == 400)
    }
}
