import Testing

@testable import Dispatcher

/// What is found in a journal's file, whatever became of it.
@Suite struct JournalFrameTests {
    private let frames = [
        JournalFrame(number: 1, payload: Array("one".utf8)), JournalFrame(number: 2, payload: []),
        JournalFrame(number: .max, payload: [UInt8](repeating: 7, count: 300)),
    ]

    private var bytes: [UInt8] { frames.flatMap(\.bytes) }

    @Test("SOS-07a: what was written is found again, in its order")
    func whole() {
        #expect(JournalFrame.scan(bytes) == .init(frames: frames, lostBytes: 0))
        #expect(JournalFrame.scan([]) == .init())
    }

    @Test("SOS-07a: torn off at any byte, all that was written before is found, and nothing else")
    func torn() {
        var ends: [Int] = []
        for frame in frames { ends.append((ends.last ?? 0) + frame.bytes.count) }
        for length in 0...bytes.count {
            let scan = JournalFrame.scan(Array(bytes.prefix(length)))
            let whole = ends.count { $0 <= length }
            #expect(scan.frames == Array(frames.prefix(whole)))
            #expect(scan.lostBytes == length - (whole == 0 ? 0 : ends[whole - 1]))
        }
    }

    @Test("SOS-07a: a frame in which any byte has changed is left out; those around it are found")
    func altered() {
        let (first, second) = (frames[0].bytes.count, frames[0].bytes.count + frames[1].bytes.count)
        for place in 0..<bytes.count {
            var altered = bytes
            altered[place] ^= 0x41
            let scan = JournalFrame.scan(altered)
            let hurt = place < first ? 0 : place < second ? 1 : 2
            #expect(scan.frames == frames.enumerated().filter { $0.offset != hurt }.map(\.element))
            #expect(scan.lostBytes == frames[hurt].bytes.count)
        }
    }

    @Test("SOS-07a: a length that cannot be is no reason to read beyond the end, or to give up what follows")
    func length() {
        var huge = bytes
        for place in 4..<8 { huge[place] = 0xff }
        #expect(JournalFrame.scan(huge).frames == Array(frames.dropFirst()))
    }

    @Test("SOS-07a: what lies between frames is passed over")
    func between() {
        let noise = JournalFrame.magic + [0, 0, 0, 1] + JournalFrame.magic
        let scan = JournalFrame.scan(noise + frames[0].bytes + noise + frames[1].bytes)
        #expect(scan.frames == Array(frames.prefix(2)) && scan.lostBytes == 2 * noise.count)
    }
}
