import Domain
import HTTP
import Primitives
import SuiteClient

/// The files that are imported and replayed.
struct Recordings: Sendable {
    struct File: Sendable {
        let name: String
        let type: MediaType
        let bytes: [UInt8]
    }

    /// Imported at most.
    private static let importsMax = 4

    /// What is imported: GPX with heart rate, and TCX.
    let imports: [File]
    /// Tracks to run along.
    let tracks: [Recording]

    /// Errors: `local` for a directory without both kinds of file.
    init(directory: String?) throws(SuiteError) {
        if let directory { try self.init(reading: directory) } else { try self.init(madeUpAt: .now()) }
    }

    private init(reading directory: String) throws(SuiteError) {
        var gpx: [File] = []
        var tcx: [File] = []
        for name in SuiteClient.File.names(in: directory) {
            let type: MediaType
            if name.hasSuffix(".gpx") { type = .gpx } else if name.hasSuffix(".tcx") { type = .tcx } else { continue }
            let file = File(name: name, type: type, bytes: try SuiteClient.File.read("\(directory)/\(name)"))
            if type == .gpx { gpx.append(file) } else { tcx.append(file) }
        }
        guard !gpx.isEmpty, !tcx.isEmpty else { throw .local("\(directory) has no GPX file, or no TCX file.") }
        imports = Array(gpx.prefix(Self.importsMax - 1)) + tcx.prefix(1)
        var tracks: [Recording] = []
        for file in gpx { tracks.append(try Recording(gpx: file.bytes)) }
        self.tracks = tracks
    }

    private init(madeUpAt now: Timestamp) throws(SuiteError) {
        var generator = SeededGenerator(seed: UInt64(bitPattern: now.microseconds))
        var tracks: [Recording] = []
        for number in 1...3 {
            guard
                let origin = Coordinate(
                    latitude: generator.value(in: 44.5...46), longitude: generator.value(in: 8.5...11))
            else { throw .local("The origin of a made-up recording is not on the Earth.") }
            tracks.append(
                try .synthetic(
                    from: origin, start: (now - .seconds(86_400 * number)).wholeMilliseconds, seed: generator.next()))
        }
        self.tracks = tracks
        imports = [
            File(name: "made-up.gpx", type: .gpx, bytes: tracks[0].gpx),
            File(name: "made-up.tcx", type: .tcx, bytes: tracks[1].tcx),
        ]
    }
}
