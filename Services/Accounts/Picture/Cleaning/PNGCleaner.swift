import CZlib

/// Keeps of a PNG file (W3C PNG, third edition) the chunks that a still picture needs: header, palette, transparency, data, end.
/// Texts, times, Exif, profiles and frames of animations go; a chunk that is not known and that a decoder may not pass over is
/// refused.
enum PNGCleaner {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func clean(_ file: [UInt8]) throws(PictureFault) -> [UInt8] {
        guard file.starts(with: signature) else { throw .unreadable }
        var (cleaned, place) = (signature, signature.count)
        var (hasHeader, hasPalette, hasData, isDataOver) = (false, false, false, false)
        while true {
            let chunk = try self.chunk(file, place)
            guard chunk.type == "IHDR" || hasHeader else { throw .unreadable }
            if hasData, chunk.type != "IDAT" { isDataOver = true }
            place = chunk.end
            switch chunk.type {
            case "IHDR":
                guard !hasHeader else { throw .unreadable }
                try checkHeader(Array(chunk.content))
                hasHeader = true
            case "PLTE":
                guard !hasPalette, !hasData, chunk.content.count % 3 == 0, (3...768).contains(chunk.content.count)
                else {
                    throw .unreadable
                }
                hasPalette = true
            case "tRNS":
                guard !hasData, chunk.content.count <= 256 else { throw .unreadable }
            case "IDAT":
                guard !isDataOver else { throw .unreadable }
                hasData = true
            case "IEND":
                guard hasData, chunk.content.isEmpty else { throw .unreadable }
                return cleaned + file[chunk.start..<chunk.end]
            default:
                // A small first letter: may be passed over.
                guard chunk.isAncillary else { throw .unusual }
                continue
            }
            cleaned += file[chunk.start..<chunk.end]
        }
    }

    private struct Chunk {
        let type: String
        let isAncillary: Bool
        let start: Int
        let content: ArraySlice<UInt8>
        let end: Int
    }

    /// Length, type, content and check value (§5.3).
    private static func chunk(_ file: [UInt8], _ start: Int) throws(PictureFault) -> Chunk {
        guard start + 12 <= file.count else { throw .unreadable }
        func number(_ place: Int) -> Int { file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
        let (count, type) = (number(start), file[(start + 4)..<(start + 8)])
        guard count <= file.count - start - 12,
            type.allSatisfy({ (65...90).contains($0) || (97...122).contains($0) })
        else { throw .unreadable }
        let end = start + 12 + count
        guard number(end - 4) == checksum(of: file[(start + 4)..<(end - 4)]) else { throw .unreadable }
        return Chunk(
            type: String(decoding: type, as: UTF8.self), isAncillary: type.first.map { $0 & 0x20 != 0 } ?? false,
            start: start, content: file[(start + 8)..<(end - 4)], end: end)
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { Int(crc32(crc32(0, nil, 0), $0.baseAddress, UInt32($0.count))) }
    }

    /// Width, height, depth, colour type, and methods of compression, filter and interlacing (§11.2.1).
    private static func checkHeader(_ bytes: [UInt8]) throws(PictureFault) {
        guard bytes.count == 13 else { throw .unreadable }
        func number(_ place: Int) -> Int { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
        let depths: [UInt8: [UInt8]] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        guard depths[bytes[9]]?.contains(bytes[8]) == true, bytes[10] == 0, bytes[11] == 0, bytes[12] <= 1 else {
            throw .unreadable
        }
        try Picture.check(width: number(0), height: number(4))
    }
}
