/// Keeps of a JPEG file (ITU-T T.81) what a decoder needs: tables, one frame of 8 bits with one or three components, baseline or
/// progressive, its scans, and the note of which colours they are (Adobe's APP14). All other application data and comments go: Exif
/// with place, time and preview among them, so the picture has to be upright by itself.
enum JPEGCleaner {
    /// A progressive file of a picture has about ten; each is work for who looks at it.
    private static let scansMax = 64

    static func clean(_ file: [UInt8]) throws(PictureFault) -> [UInt8] {
        guard file.starts(with: [0xFF, 0xD8]) else { throw .unreadable }
        var cleaned: [UInt8] = [0xFF, 0xD8]
        var (place, hasFrame, scans) = (2, false, 0)
        while true {
            let marker = try nextMarker(file, &place)
            if marker == 0xD9 {
                guard scans > 0 else { throw .unreadable }
                return cleaned + [0xFF, 0xD9]
            }
            let segment = try self.segment(file, &place)
            switch marker {
            case 0xC0, 0xC1, 0xC2:
                guard !hasFrame else { throw .unreadable }
                try checkFrame(segment)
                hasFrame = true
            case 0xC4, 0xDB, 0xDD: break
            case 0xDA:
                scans += 1
                guard hasFrame, scans <= scansMax else { throw .unreadable }
            case 0xEE:
                guard segment.count == 12, segment.starts(with: "Adobe".utf8) else { continue }
            case 0xE0...0xEF, 0xFE: continue
            case 0xC3, 0xC5...0xC7, 0xC9...0xCF: throw .unusual
            default: throw .unreadable
            }
            let count = segment.count + 2
            cleaned += [0xFF, marker, UInt8(count >> 8), UInt8(count & 0xFF)] + segment
            if marker == 0xDA { cleaned += try scan(file, &place) }
        }
    }

    /// Bytes FF may fill the place before a marker (B.1.1.2).
    private static func nextMarker(_ file: [UInt8], _ place: inout Int) throws(PictureFault) -> UInt8 {
        guard place < file.count, file[place] == 0xFF else { throw .unreadable }
        while place < file.count, file[place] == 0xFF { place += 1 }
        guard place < file.count, file[place] != 0 else { throw .unreadable }
        defer { place += 1 }
        return file[place]
    }

    private static func segment(_ file: [UInt8], _ place: inout Int) throws(PictureFault) -> ArraySlice<UInt8> {
        guard place + 2 <= file.count else { throw .unreadable }
        let count = Int(file[place]) << 8 | Int(file[place + 1])
        guard count >= 2, place + count <= file.count else { throw .unreadable }
        defer { place += count }
        return file[(place + 2)..<(place + count)]
    }

    /// Precision, height, width, components of three bytes each (B.2.2).
    private static func checkFrame(_ frame: ArraySlice<UInt8>) throws(PictureFault) {
        let bytes = Array(frame)
        guard bytes.count >= 6 else { throw .unreadable }
        let components = Int(bytes[5])
        guard bytes[0] == 8, components == 1 || components == 3 else { throw .unusual }
        guard bytes.count == 6 + 3 * components else { throw .unreadable }
        try Picture.check(
            width: Int(bytes[3]) << 8 | Int(bytes[4]), height: Int(bytes[1]) << 8 | Int(bytes[2]))
    }

    /// The coded data behind the head of a scan: up to the next marker that is no restart (B.1.1.5).
    private static func scan(_ file: [UInt8], _ place: inout Int) throws(PictureFault) -> ArraySlice<UInt8> {
        let start = place
        while place + 1 < file.count {
            if file[place] == 0xFF, file[place + 1] != 0, !(0xD0...0xD7).contains(file[place + 1]) {
                return file[start..<place]
            }
            place += 1
        }
        throw .unreadable
    }
}
