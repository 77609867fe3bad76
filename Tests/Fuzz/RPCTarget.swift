import JSON
import Reactor

@testable import RPC

/// Frames as a server and as a client read them: the same however they arrive, and within their limit, which is small here
/// so that it is reached.
enum RPCTarget {
    private static let frameBytesMax = 400

    private struct Reading: Equatable {
        var frames: [[UInt8]] = []
        var isTooLong = false
    }

    static func run(_ input: [UInt8]) -> Int32 {
        let pieces = Pieces(input)
        pieces.check { read($0) }
        for frame in read([pieces.text[...]]).frames {
            precondition(
                frame.count <= frameBytesMax && !frame.isEmpty && !frame.contains(UInt8(ascii: "\n")), "no frame")
            guard let parsed = try? ParsedFrame(frame, limits: JSONLimits()) else { continue }
            if let request = try? RequestEnvelope(parsed.scanner.root, in: parsed) {
                let isStructure = request.params.map { parsed.isObject($0) || parsed.isArray($0) } ?? true
                precondition(isStructure, "params that are no structure")
            }
            _ = try? ResponseEnvelope(parsed)
        }
        return 0
    }

    private static func read(_ pieces: [ArraySlice<UInt8>]) -> Reading {
        var reading = Reading()
        var buffer = ByteBuffer()
        var splitter = FrameSplitter(frameBytesMax: frameBytesMax)
        do {
            for piece in pieces {
                buffer.append(contentsOf: piece)
                while let frame = try splitter.next(in: &buffer) { reading.frames.append(frame) }
            }
        } catch { reading.isTooLong = true }
        return reading
    }
}
