import Reactor
import Testing

@testable import RPC

@Suite struct FrameSplitterTests {
    private func frames(_ pieces: [String], max: Int = 16) throws -> [String] {
        var splitter = FrameSplitter(frameBytesMax: max)
        var buffer = ByteBuffer()
        var frames: [String] = []
        for piece in pieces {
            buffer.append(contentsOf: piece.utf8)
            while let frame = try splitter.next(in: &buffer) { frames.append(String(decoding: frame, as: UTF8.self)) }
        }
        return frames
    }

    @Test("frames come out the same however the bytes arrive")
    func anyPieces() throws {
        let text = "one\ntwo\n\n\r\nthree\nfour"
        let whole = try frames([text])
        #expect(whole == ["one", "two", "three"])
        for cut in 0...text.count {
            #expect(try frames([String(text.prefix(cut)), String(text.dropFirst(cut))]) == whole)
        }
        #expect(try frames(text.map { String($0) }) == whole)
    }

    @Test("a frame of the limit passes, one more byte does not, with or without its end")
    func limit() throws {
        #expect(try frames(["1234\n"], max: 4) == ["1234"])
        #expect(throws: FrameSplitter.FrameTooLong.self) { try frames(["12345\n"], max: 4) }
        #expect(throws: FrameSplitter.FrameTooLong.self) { try frames(["12345"], max: 4) }
    }
}
