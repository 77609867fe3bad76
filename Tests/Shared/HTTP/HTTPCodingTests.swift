import CZlib
import Reactor
import Testing

@testable import HTTP

@Suite struct HTTPCodingTests {
    private static func text(_ count: Int) -> String { (0..<count).map { "line \($0)\n" }.joined() }

    private static var router: HTTPRouter {
        var router = HTTPRouter()
        router.on(.get, "/small") { _ throws(Problem) in .text("{}", as: .json) }
        router.on(.get, "/json") { _ throws(Problem) in
            var response = HTTPResponse.text(text(1000), as: .json)
            response.fields["ETag"] = "\"1\""
            return response
        }
        router.on(.get, "/large") { _ throws(Problem) in .text(text(200_000), as: .json) }
        router.on(.get, "/html") { _ throws(Problem) in .text(text(1000), as: .html) }
        router.on(.get, "/csv") { _ throws(Problem) in
            .stream(.csv) { writer in
                for line in 0..<50_000 { try await writer.write("line \(line)\n") }
            }
        }
        router.on(.get, "/events") { _ throws(Problem) in
            .live { writer in try await writer.write("data: 1\n\n") }
        }
        return router
    }

    /// What gzip's own library makes of a body.
    private func inflated(_ bytes: [UInt8]) -> String {
        var stream = z_stream()
        #expect(tm_inflate_init_gzip(&stream) == Z_OK)
        defer { inflateEnd(&stream) }
        var (input, output) = (bytes, [UInt8]())
        var space = [UInt8](repeating: 0, count: 1 << 16)
        input.withUnsafeMutableBufferPointer { source in
            (stream.next_in, stream.avail_in) = (source.baseAddress, UInt32(source.count))
            var code = Z_OK
            while code == Z_OK {
                let left = space.withUnsafeMutableBufferPointer { target in
                    (stream.next_out, stream.avail_out) = (target.baseAddress, UInt32(target.count))
                    code = inflate(&stream, Z_NO_FLUSH)
                    return Int(stream.avail_out)
                }
                output += space[..<(space.count - left)]
            }
            #expect(code == Z_STREAM_END && stream.avail_in == 0)
        }
        return String(decoding: output, as: UTF8.self)
    }

    @Test("RFC 9110 §12.5.3: JSON and CSV are compressed when the client asks for gzip")
    func compressed() async throws {
        try await LiveServer.with(Self.router) { live in
            func get(_ path: String, _ coding: String?) async throws -> HTTPClientResponse {
                var request = HTTPClientRequest(.get, try live.url(path))
                request.fields["Accept-Encoding"] = coding
                let client = live.client { $0.responseBytesMax = 8 << 20 }
                return try await client.send(request, deadline: .after(.seconds(10)))
            }
            for (path, text) in [
                ("/json", Self.text(1000)), ("/large", Self.text(200_000)), ("/csv", Self.text(50_000)),
            ] {
                let plain = try await get(path, nil)
                #expect(plain.text == text && plain.fields["content-encoding"] == nil)
                #expect(plain.fields["vary"] == "Accept-Encoding")
                let coded = try await get(path, "br, gzip;q=0.8")
                #expect(coded.fields["content-encoding"] == "gzip" && coded.fields["vary"] == "Accept-Encoding")
                #expect(coded.body.count < text.utf8.count / 2 && inflated(coded.body) == text, "\(path)")
            }
            #expect(try await get("/json", "gzip").fields["etag"] == "W/\"1\"")
            for (path, coding) in [
                ("/small", "gzip"), ("/html", "gzip"), ("/events", "gzip"), ("/json", "gzip;q=0, *"), ("/json", "br"),
            ] {
                #expect(try await get(path, coding).fields["content-encoding"] == nil, "\(path) \(coding)")
            }
            #expect(try await get("/json", "*").fields["content-encoding"] == "gzip")
        }
    }
}
