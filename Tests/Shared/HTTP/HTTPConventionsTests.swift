import JSON
import Primitives
import Reactor
import Telemetry
import Testing

@testable import HTTP

@Suite struct HTTPConventionsTests {
    private struct Body: Codable, Sendable, Equatable {
        var items: [Item]
        struct Item: Codable, Sendable, Equatable { var value: Int }
    }

    @Test("a JSON body: media type, decoding, a pointer to what is wrong")
    func json() throws {
        func read(_ text: String, _ type: String) -> Result<Body, Problem> {
            Result { () throws(Problem) in
                guard let request = try? HTTPRequest(.post, "/", fields: ["Content-Type": type], body: Array(text.utf8))
                else { throw .internalError }
                return try request.json(Body.self)
            }
        }
        #expect(
            try read(#"{"items":[{"value":1}]}"#, "application/json; charset=utf-8").get()
                == Body(items: [.init(value: 1)]))
        #expect(try read(#"{"items":[]}"#, "application/merge-patch+json").get() == Body(items: []))
        guard case .failure(let type) = read("{}", "text/plain") else { throw HTTPParseError(.ok, "accepted") }
        #expect(type.status == .unsupportedMediaType)
        guard case .failure(let wrong) = read(#"{"items":[{"value":1},{"value":"x"}]}"#, "application/json") else {
            throw HTTPParseError(.ok, "accepted")
        }
        #expect(wrong.status == .unprocessableContent && wrong.code == "invalid-request")
        #expect(wrong.errors.first?.pointer == "/items/1/value")
        guard case .failure(let broken) = read("{", "application/json") else { throw HTTPParseError(.ok, "accepted") }
        #expect(broken.status == .badRequest && broken.code == "invalid-json")
        guard case .failure(let latin) = read("{}", "application/json; charset=\"ISO-8859-1\"") else {
            throw HTTPParseError(.ok, "accepted")
        }
        #expect(latin.status == .unsupportedMediaType && type.fields["Accept-Post"] == "application/json")
    }

    /// Where a body is found to be wrong.
    private func pointers(_ text: String) throws -> [String?] {
        let request = try HTTPRequest(
            .post, "/", fields: ["Content-Type": "application/json"], body: Array(text.utf8))
        do throws(Problem) { _ = try request.json(Body.self) } catch {
            #expect(error.status == .unprocessableContent && error.code == "invalid-request")
            return error.errors.map(\.pointer)
        }
        return []
    }

    @Test("NFR-03: every fault of a JSON body is named at once: types, unknown members, control characters")
    func faults() throws {
        let many = #"{"items":[{"value":"x"},{"value":1,"unit":"m"},{}],"more":1}"#
        #expect(Set(try pointers(many)) == ["/items/0/value", "/items/1/unit", "/items/2/value", "/more"])
        struct Named: Decodable { let name: String }
        for (text, isRefused) in [
            (#"{"name":"a\u0000"}"#, true), (#"{"name":"\u001b[31m"}"#, true), (#"{"name":"a\b"}"#, true),
            (#"{"name":"a\n\tb\r"}"#, false), (#"{"name":"\\u0000"}"#, false),
        ] {
            let request = try HTTPRequest(
                .post, "/", fields: ["Content-Type": "application/json"], body: Array(text.utf8))
            let problem: Problem? = { () -> Problem? in
                do throws(Problem) { _ = try request.json(Named.self) } catch { return error }
                return nil
            }()
            #expect(problem?.errors.map(\.pointer) == (isRefused ? ["/name"] : nil), "\(text)")
        }
    }

    @Test("unknown members of senders that are upgraded later are counted and passed over")
    func countedMembers() throws {
        let counter = Metrics().counter("ignored", "")
        let text = #"{"items":[{"value":1,"unit":"m"}],"more":1}"#
        let request = try HTTPRequest(.post, "/", fields: ["Content-Type": "application/json"], body: Array(text.utf8))
        #expect(try request.json(Body.self, unknownMembers: .counted(counter)) == Body(items: [.init(value: 1)]))
        #expect(counter.value == 2)
        #expect(throws: Problem.self) { try request.json(Body.self) }
    }

    @Test("RFC 9110 §12.5.3: a compressed body is 415 with Accept-Encoding, on every route, unless handlers undo it")
    func compressed() async throws {
        var router = HTTPRouter(codings: ["aes128gcm"])
        router.on(.post, "/x", body: .streaming(bytesMax: 10)) { _ throws(Problem) in .noContent }
        func answer(_ coding: String) async throws -> HTTPResponse {
            await router.handle(try HTTPRequest(.post, "/x", fields: ["Content-Encoding": coding], body: [1]))
        }
        let refused = try await answer("gzip")
        #expect(refused.status == .unsupportedMediaType && refused.fields["accept-encoding"] == "identity")
        #expect(try await answer("Identity").status == .noContent)
        #expect(try await answer("AES128GCM").status == .noContent)
    }

    private enum Colour: String, CaseIterable { case red, darkBlue = "dark-blue" }

    @Test("the parameters of a query: every fault at once, with what is allowed")
    func parameters() throws {
        func faults(_ query: String) throws -> [String?: String] {
            let request = try HTTPRequest(.get, "/?\(query)")
            do throws(Problem) {
                try request.parameters { (query) throws(Problem) in
                    _ = query.choice("colour", of: Colour.self)
                    _ = query.number("limit", 1...100)
                    _ = query.value("from", as: Timestamp.self)
                    _ = query.cursor(as: UUID.self)
                }
            } catch {
                #expect(error.status == .unprocessableContent && error.code == "invalid-request")
                return Dictionary(error.errors.map { ($0.parameter, $0.detail) }) { first, _ in first }
            }
            return [:]
        }
        #expect(try faults("colour=red&limit=100&from=2026-01-31T10:00:00%2B01:00").isEmpty)
        let all = try faults("colour=green&limit=101&from=2026-01-31T10:00:00+01:00&cursor=x&lmit=1")
        #expect(all["colour"] == "write one of red, dark-blue")
        #expect(all["limit"] == "write a whole number from 1 to 100")
        #expect(all["from"] == "a + in a query is a space: write %2B")
        #expect(all["cursor"] != nil && all["lmit"] == "not known here; known: colour, cursor, from, limit")
        #expect(all.count == 5)
        #expect(try faults("limit=1&limit=2") == ["limit": "this parameter comes more than once"])
        for number in ["0", "1e1", "", "-1", "9999999999999999999"] {
            #expect(try faults("limit=\(number)").count == 1, "\(number)")
        }
        #expect(throws: Problem.self) { try HTTPRequest(.get, "/?a=1").refuseQuery() }
        try HTTPRequest(.get, "/").refuseQuery()
        try HTTPRequest(.get, "/?").refuseQuery()
    }

    @Test("a form body")
    func form() throws {
        let request = try HTTPRequest(
            .post, "/", fields: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array("a=1&b=x+y%26z&a=2&flag".utf8))
        let form = try request.form()
        #expect(form["a"] == "1")
        #expect(form.all("a") == ["1", "2"])
        #expect(form["b"] == "x y&z")
        #expect(form["flag"] == "")
    }

    @Test("Bearer tokens are taken from well-formed fields only")
    func bearer() throws {
        func token(_ value: String) throws -> String? {
            try HTTPRequest(.get, "/", fields: ["Authorization": value]).bearerToken
        }
        #expect(try token("Bearer abc.def-_") == "abc.def-_")
        #expect(try token("bearer  abc") == "abc")
        #expect(try token("Bearer") == nil)
        #expect(try token("Basic abc") == nil)
        #expect(try token("Bearer a b") == nil)
        #expect(try HTTPRequest(.get, "/").bearerToken == nil)
    }

    @Test("Idempotency-Key: plain or quoted, of visible characters")
    func idempotencyKey() throws {
        func key(_ value: String) throws -> String? {
            try HTTPRequest(.post, "/", fields: ["Idempotency-Key": value]).idempotencyKey()
        }
        #expect(try key("abc-1") == "abc-1")
        #expect(try key("\"abc-1\"") == "abc-1")
        #expect(throws: Problem.self) { try key("") }
        #expect(throws: Problem.self) { try key("a b") }
        #expect(throws: Problem.self) { try key(String(repeating: "x", count: 256)) }
    }

    @Test("SUB-02: cursors survive the round trip, and foreign ones are refused")
    func cursors() throws {
        let cursor = try HTTPCursor.encode(["2026-01-31", "42"])
        #expect(HTTPCursor.decode(cursor, as: [String].self) == ["2026-01-31", "42"])
        for foreign in ["", "!", "e30", cursor + "x", String(repeating: "A", count: 4000)] {
            #expect(HTTPCursor.decode(foreign, as: [String].self) == nil)
        }
    }

    @Test("RFC 9110 §12.5.1: what the client likes best")
    func negotiation() throws {
        let offers: [MediaType] = [.json, .csv, .ndjson]
        func best(_ accept: String?) -> MediaType? { MediaType.best(of: offers, accept: accept) }
        #expect(best(nil) == .json)
        #expect(best("*/*") == .json)
        #expect(best("text/*, application/json;q=0.5") == .csv)
        #expect(best("text/csv") == .csv)
        #expect(best("Text/CSV;q=0.2, application/x-ndjson; q=0.9") == .ndjson)
        #expect(best("*/*, application/json;q=0") == .csv)
        #expect(best("image/png") == nil)
        #expect(best("text/csv;q=x") == nil)
        #expect(throws: Problem.self) { try HTTPRequest(.get, "/", fields: ["Accept": "image/png"]).negotiate(offers) }
    }

    @Test("RFC 9110 §5.6.7: the example date")
    func date() {
        #expect(HTTPDate.format(secondsSinceEpoch: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.format(secondsSinceEpoch: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.format(secondsSinceEpoch: -1) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.format(secondsSinceEpoch: 951_827_696) == "Tue, 29 Feb 2000 12:34:56 GMT")
    }

    @Test("a field value cannot begin a new line")
    func responseSplitting() {
        let response = HTTPResponse(
            .ok, fields: ["X": "a\r\nSet-Cookie: b", "Content-Length": "7", "Cache-Control": "max-age=1"],
            body: .bytes([1]))
        var output: [UInt8] = []
        var defaults = ResponseDefaults(isHTTPSOnly: true)
        response.appendHead(to: &output, .init(isHTTP10: false, isHead: false, keepsAlive: false), &defaults)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nDate: "))
        #expect(text.hasSuffix("\r\n\r\n"))
        #expect(text.contains("X: a  Set-Cookie: b\r\n"))
        #expect(!text.contains("Content-Length: 7"))
        #expect(text.contains("Cache-Control: max-age=1\r\n") && !text.contains("no-store"))
        #expect(text.contains("X-Content-Type-Options: nosniff\r\n"))
        #expect(text.contains("Strict-Transport-Security: "))
        #expect(text.contains("Connection: close\r\n"))
    }

    @Test("RateLimit fields and 429")
    func rateLimit() {
        let limit = RateLimit(policy: "burst", quota: 100, windowSeconds: 60, remaining: -1, resetSeconds: 30)
        var response = HTTPResponse.noContent
        response.set(limit)
        #expect(response.fields["RateLimit-Policy"] == "\"burst\";q=100;w=60")
        #expect(response.fields["RateLimit"] == "\"burst\";r=0;t=30")
        #expect(Problem.tooManyRequests(limit).response.fields["Retry-After"] == "30")
    }

    @Test("X-Forwarded-For is believed from trusted proxies only, from the right")
    func forwardedFor() throws {
        let proxies = TrustedProxies(ranges: try ["10.0.0.0/8", "::1"].map { try #require(AddressRange($0)) })
        func client(_ peer: String, _ forwarded: [String]) throws -> String {
            let address = try #require(SocketAddress(numeric: peer, port: 1))
            return proxies.client(behind: address, forwardedFor: forwarded).host
        }
        #expect(try client("203.0.113.9", ["1.2.3.4"]) == "203.0.113.9")
        #expect(try client("10.0.0.1", ["6.6.6.6, 1.2.3.4"]) == "1.2.3.4")
        #expect(try client("10.0.0.1", ["1.2.3.4", "10.9.9.9"]) == "1.2.3.4")
        #expect(try client("::1", ["2001:db8::7"]) == "2001:db8::7")
        #expect(try client("10.0.0.1", ["1.2.3.4, nonsense"]) == "10.0.0.1")
        #expect(try client("10.0.0.1", []) == "10.0.0.1")
    }

    @Test("address ranges")
    func addressRanges() throws {
        func contains(_ range: String, _ address: String) throws -> Bool {
            try #require(AddressRange(range)).contains(try #require(SocketAddress(numeric: address, port: 0)))
        }
        #expect(try contains("172.16.0.0/12", "172.31.255.255"))
        #expect(try !contains("172.16.0.0/12", "172.32.0.0"))
        #expect(try contains("0.0.0.0/0", "8.8.8.8"))
        #expect(try contains("127.0.0.0/8", "::ffff:127.0.0.1"))
        #expect(try contains("fc00::/7", "fdff::1"))
        #expect(try !contains("fc00::/7", "fe00::1"))
        for wrong in ["10.0.0.0/33", "10.0.0/8", "x", "10.0.0.0/-1", "::/129", "10.0.0.0/8/8"] {
            #expect(AddressRange(wrong) == nil)
        }
    }
}
