import Glibc
import Reactor
import Testing

@Suite struct DescriptorLogSinkTests {
    private static func pipeEnds() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    /// Reads until `text` has come.
    private static func read(_ descriptor: Int32, until text: String) -> String {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while !String(decoding: all.suffix(4096), as: UTF8.self).contains(text) {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            all += buffer[..<count]
        }
        return String(decoding: all, as: UTF8.self)
    }

    @Test("a pipe that nobody reads holds nobody up: lines are dropped, and how many is said once it is read again")
    func fullPipe() throws {
        let (reading, writing) = try Self.pipeEnds()
        defer { for end in [reading, writing] { close(end) } }
        let sink = try DescriptorLogSink(descriptor: writing)
        let line = Array(repeating: UInt8(ascii: "x"), count: 4000) + [UInt8(ascii: "\n")]
        var written = 0
        while sink.droppedCount < 2, written < 1000 {
            sink.write(line)
            written += 1
        }
        #expect(sink.droppedCount == 2)
        #expect(Self.read(reading, until: #""message":"log lines dropped","count":2"#).contains("\"count\":2"))
        sink.write(Array("again\n".utf8))
        #expect(Self.read(reading, until: "again\n").hasSuffix("again\n"))
    }

    @Test("lines come in order, and a flush waits until the last is written")
    func order() throws {
        let (reading, writing) = try Self.pipeEnds()
        defer { close(reading) }
        let sink = try DescriptorLogSink(descriptor: writing)
        for number in 0..<1000 { sink.write(Array("\(number)\n".utf8)) }
        sink.flush(within: .seconds(5))
        close(writing)
        let text = Self.read(reading, until: "never")
        #expect(text == (0..<1000).map { "\($0)\n" }.joined())
    }
}
