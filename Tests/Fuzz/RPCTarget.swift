import JSON
import Reactor

@testable import RPC

/// Frames as a server and as a client read them.
enum RPCTarget {
    static func run(_ input: [UInt8]) -> Int32 {
        var buffer = ByteBuffer(input)
        var splitter = FrameSplitter(frameBytesMax: 4096)
        while let frame = (try? splitter.next(in: &buffer)) ?? nil {
            precondition(frame.count <= 4096 && !frame.contains(UInt8(ascii: "\n")), "a frame is no line")
            guard let parsed = try? ParsedFrame(frame, limits: JSONLimits()) else { continue }
            _ = try? RequestEnvelope(parsed.scanner.root, in: parsed)
            _ = try? ResponseEnvelope(parsed)
        }
        return 0
    }
}
