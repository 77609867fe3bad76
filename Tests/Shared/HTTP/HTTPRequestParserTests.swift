import SeededRandom
import Testing

@testable import HTTP

/// What a parser makes of a text: the heads and bytes left, or the error.
enum Parsed: Equatable {
    case heads([String])
    case refused(UInt16)
}

/// Feeds `octets` in pieces of the given sizes, as a connection would.
func parse(_ octets: [UInt8], pieces: [Int], limits: HTTPLimits = HTTPLimits()) -> Parsed {
    var parser = HTTPRequestParser(limits: limits)
    var buffer: [UInt8] = []
    var heads: [String] = []
    var start = 0
    for size in pieces {
        buffer += octets[start..<start + size]
        start += size
        while true {
            do throws(HTTPParseError) {
                let head = try buffer.withOctets { (bytes) throws(HTTPParseError) in try parser.head(in: bytes) }
                guard let head else { break }
                buffer.removeFirst(head.byteCount)
                heads.append(describe(head))
            } catch {
                return .refused(error.status.rawValue)
            }
        }
    }
    return .heads(heads)
}

func parse(_ text: String, limits: HTTPLimits = HTTPLimits()) -> Parsed {
    parse(Array(text.utf8), pieces: [text.utf8.count], limits: limits)
}

func describe(_ head: HTTPRequestHead) -> String {
    let fields = head.allFields.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
    return "\(head.method) \(head.path) ?\(head.query ?? "-") 1.\(head.minorVersion) \(fields) "
        + "length=\(head.contentLength.map(String.init) ?? "-") chunked=\(head.isChunked) keep=\(head.keepsAlive) "
        + "continue=\(head.expectsContinue)"
}

@Suite struct HTTPRequestParserTests {
    @Test("RFC 9112 §2.1: the example request")
    func example() {
        let text =
            "GET /hello.txt HTTP/1.1\r\nUser-Agent: curl/7.64.1\r\nHost: www.example.com\r\n"
            + "Accept-Language: en, mi\r\n\r\n"
        #expect(
            parse(text)
                == .heads([
                    "GET /hello.txt ?- 1.1 User-Agent=curl/7.64.1|Host=www.example.com|Accept-Language=en, mi "
                        + "length=- chunked=false keep=true continue=false"
                ]))
    }

    @Test("RFC 9112 §3.2: origin, absolute and asterisk forms of the target")
    func targets() {
        #expect(
            parse("GET /where?q=now HTTP/1.1\r\nHost: a\r\n\r\n")
                == .heads(["GET /where ?q=now 1.1 Host=a length=- chunked=false keep=true continue=false"]))
        #expect(
            parse("GET http://www.example.org/pub/WWW/TheProject.html HTTP/1.1\r\nHost: x\r\n\r\n")
                == .heads(["GET /pub/WWW/TheProject.html ?- 1.1 Host=x length=- chunked=false keep=true continue=false"]
                ))
        #expect(
            parse("OPTIONS * HTTP/1.1\r\nHost: a:80\r\n\r\n")
                == .heads(["OPTIONS * ?- 1.1 Host=a:80 length=- chunked=false keep=true continue=false"]))
        #expect(parse("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n") == .refused(400))
        #expect(parse("GET * HTTP/1.1\r\nHost: a\r\n\r\n") == .refused(400))
        #expect(parse("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n") == .refused(400))
        #expect(parse("GET http://u@h/x HTTP/1.1\r\nHost: a\r\n\r\n") == .refused(400))
    }

    @Test("RFC 9112 §9.3: what decides about keeping the connection")
    func persistence() throws {
        func keeps(_ text: String) throws -> Bool {
            guard case .heads(let heads) = parse(text) else { throw HTTPParseError(.badRequest, "refused") }
            return heads[0].contains("keep=true")
        }
        #expect(try keeps("GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(try !keeps("GET / HTTP/1.1\r\nHost: a\r\nConnection: foo, Close\r\n\r\n"))
        #expect(try !keeps("GET / HTTP/1.0\r\n\r\n"))
        #expect(try keeps("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n"))
    }

    @Test(
        "requests that two servers could understand differently are refused",
        arguments: [
            ("two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400),
            (
                "the same length twice", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
                400
            ),
            ("a list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\n", 400),
            ("a signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n", 400),
            ("a negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
            ("a hexadecimal length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x5\r\n\r\n", 400),
            ("an empty length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \r\n\r\n", 400),
            (
                "a length that overflows", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n",
                400
            ),
            (
                "length and chunks",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400
            ),
            (
                "chunks and length",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", 400
            ),
            (
                "chunked twice",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400
            ),
            ("identity", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n", 501),
            ("xchunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n", 501),
            ("gzip, chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
            ("chunked, identity", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n", 501),
            ("vertical tab chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \u{b}chunked\r\n\r\n", 400),
            ("chunks in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("space before the colon", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n", 400),
            ("tab before the colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length\t: 5\r\n\r\n", 400),
            ("folded field", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", 400),
            ("space before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400),
            ("bare LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
            ("bare LF in the fields", "GET / HTTP/1.1\r\nHost: a\nX: 1\r\n\r\n", 400),
            ("bare LF at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
            ("bare CR in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\r2\r\n\r\n", 400),
            ("NUL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: 1\u{0}\r\n\r\n", 400),
            ("no field name", "GET / HTTP/1.1\r\nHost: a\r\n: 1\r\n\r\n", 400),
            ("no colon", "GET / HTTP/1.1\r\nHost: a\r\nFoo\r\n\r\n", 400),
            ("a name that is no token", "GET / HTTP/1.1\r\nHost: a\r\nF(o: 1\r\n\r\n", 400),
            ("no host", "GET / HTTP/1.1\r\n\r\n", 400),
            ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400),
            ("a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
            ("a host with a user", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400),
            ("two authorizations", "GET / HTTP/1.1\r\nHost: a\r\nAuthorization: x\r\nauthorization: y\r\n\r\n", 400),
            ("two spaces in the request line", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("tab in the request line", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("space after the version", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400),
            ("space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("no version", "GET /\r\nHost: a\r\n\r\n", 400),
            ("lower-case version", "GET / http/1.1\r\nHost: a\r\n\r\n", 400),
            ("long version", "GET / HTTP/1.10\r\nHost: a\r\n\r\n", 400),
            ("HTTP/2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
            ("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            ("lower-case method", "get / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("a method that is no token", "G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("a fragment", "GET /#x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("a raw quote", "GET /\" HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("a byte above ASCII", "GET /é HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("a broken escape", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("a cut escape", "GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("a relative target", "GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("two empty lines before", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("an unknown expectation", "POST / HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", 417),
            ("TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}\n", 400),
        ])
    func refused(_ name: String, _ text: String, _ status: UInt16) {
        #expect(parse(text) == .refused(status), "\(name)")
        // However the bytes are split, and whatever follows.
        let octets = Array(text.utf8)
        #expect(parse(octets, pieces: octets.map { _ in 1 }) == .refused(status), "\(name), byte by byte")
        #expect(parse(text + "GET / HTTP/1.1\r\nHost: a\r\n\r\n") == .refused(status), "\(name), and more")
    }

    @Test("every split of a pipeline gives the same heads")
    func splits() {
        let text =
            "\r\nPOST /a%20b/c?x=1&y=%25 HTTP/1.1\r\nHost: example.org\r\nContent-Length: 0\r\n"
            + "X-Long:  \t padded value \t \r\n\r\n"
            + "GET / HTTP/1.1\r\nhOST: [::1]:80\r\nExpect: 100-Continue\r\nTransfer-Encoding: Chunked\r\n\r\n"
        let octets = Array(text.utf8)
        let whole = parse(octets, pieces: [octets.count])
        #expect(
            whole
                == .heads([
                    "POST /a%20b/c ?x=1&y=%25 1.1 Host=example.org|Content-Length=0|X-Long=padded value "
                        + "length=0 chunked=false keep=true continue=false",
                    "GET / ?- 1.1 hOST=[::1]:80|Expect=100-Continue|Transfer-Encoding=Chunked "
                        + "length=- chunked=true keep=true continue=true",
                ]))
        for first in 0...octets.count {
            #expect(parse(octets, pieces: [first, octets.count - first]) == whole, "split at \(first)")
        }
        #expect(parse(octets, pieces: octets.map { _ in 1 }) == whole)
    }

    @Test("mutated requests are answered the same however they are split, and never crash")
    func mutations() {
        var generator = SeededGenerator(seed: 42)
        let base = Array(
            "POST /a/b?c=d HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\nX: y\r\n\r\nabc".utf8)
        let interesting: [UInt8] = [0, 9, 10, 13, 32, 58, 37, 47, 127, 128, 255]
        for _ in 0..<3000 {
            var octets = base
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<octets.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: octets[index] = interesting.randomElement(using: &generator)!
                case 1: octets.remove(at: index)
                default: octets.insert(interesting.randomElement(using: &generator)!, at: index)
                }
            }
            let whole = parse(octets, pieces: [octets.count])
            #expect(parse(octets, pieces: octets.map { _ in 1 }) == whole)
            let cut = Int.random(in: 0...octets.count, using: &generator)
            #expect(parse(octets, pieces: [cut, octets.count - cut]) == whole)
        }
    }

    @Test("limits of request line, fields and their number")
    func limits() {
        let long = String(repeating: "a", count: 8 * 1024)
        #expect(parse("GET /\(long) HTTP/1.1\r\nHost: a\r\n\r\n") == .refused(414))
        #expect(parse("GET /\(long)") == .refused(414), "before the line is complete")
        let fits = String(repeating: "a", count: 8 * 1024 - "GET / HTTP/1.1\r\n".utf8.count)
        #expect(parse("GET /\(fits) HTTP/1.1\r\nHost: a\r\n\r\n") != .refused(414))
        #expect(parse("GET /\(fits)a HTTP/1.1\r\nHost: a\r\n\r\n") == .refused(414))
        let field = "X: \(String(repeating: "b", count: 1000))\r\n"
        #expect(parse("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: field, count: 33)) == .refused(431))
        #expect(
            parse("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 99) + "\r\n") != .refused(431))
        #expect(
            parse("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 100) + "\r\n") == .refused(431)
        )
    }

    @Test("fields are found in any case, first value and all values")
    func lookUp() throws {
        let request = try HTTPRequest(.get, "/", fields: ["ACCEPT": "a", "accept": "b", "X-Empty": ""])
        #expect(request.field("accept") == "a")
        #expect(request.head.values(of: "accept") == ["a", "b"])
        #expect(request.field("x-empty") == "")
        #expect(request.field("x-none") == nil)
        #expect(request.head.authority == "localhost")
    }
}
