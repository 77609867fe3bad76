import Testing

@testable import HTTP

@Suite struct ChunkedDecoderTests {
    /// Body and bytes left over, or the status.
    private func decode(_ octets: [UInt8], pieces: [Int]) -> (body: String, left: Int)? {
        var decoder = ChunkedDecoder()
        var body: [UInt8] = []
        var (start, used) = (0, 0)
        for size in pieces {
            start += size
            do throws(HTTPParseError) {
                used += try Array(octets[used..<start]).withOctets { (bytes) throws(HTTPParseError) in
                    try decoder.decode(bytes, into: &body)
                }
            } catch { return nil }
        }
        return decoder.isDone ? (String(decoding: body, as: UTF8.self), octets.count - used) : ("unfinished", 0)
    }

    @Test("RFC 9112 §7.1: chunks, extensions, trailers; every split gives the same")
    func chunks() throws {
        let text =
            "4\r\nWiki\r\n7;name=\"va;l\"\r\npedia i\r\n00B\r\nn \r\nchunks.\r\n0\r\nExpires: soon\r\nX:\r\n\r\nNEXT"
        let octets = Array(text.utf8)
        for first in 0...octets.count {
            let result = try #require(decode(octets, pieces: [first, octets.count - first]))
            #expect(result.body == "Wikipedia in \r\nchunks.")
            #expect(result.left == 4)
        }
        #expect(decode(octets, pieces: octets.map { _ in 1 })?.body == "Wikipedia in \r\nchunks.")
    }

    @Test(
        "malformed chunks are refused",
        arguments: [
            "\r\n", "g\r\n", "-1\r\n", " 1\r\na\r\n", "1 \r\na\r\n", "1\na\r\n", "1\r\nab\r\n", "1\r\na\n0\r\n\r\n",
            "0x1\r\na\r\n", "1;\u{0}\r\na\r\n", "1;a\nb\r\n", "ffffffffffffffffff\r\n", "0\r\n\n", "0\r\nX : y\r\n\r\n",
            "0\r\n X: y\r\n\r\n", "0\r\nX\r\n\r\n", "0\r\nX: y\n\r\n",
        ])
    func malformed(_ text: String) {
        let octets = Array(text.utf8)
        #expect(decode(octets, pieces: [octets.count]) == nil)
        #expect(decode(octets, pieces: octets.map { _ in 1 }) == nil)
    }

    @Test("a chunk's line and the trailer have limits")
    func limits() {
        let line = Array("1;\(String(repeating: "x", count: 300))\r\na\r\n".utf8)
        #expect(decode(line, pieces: [line.count]) == nil)
        let trailer = Array("0\r\n\(String(repeating: "X: y\r\n", count: 1000))\r\n".utf8)
        #expect(decode(trailer, pieces: [trailer.count]) == nil)
    }
}
