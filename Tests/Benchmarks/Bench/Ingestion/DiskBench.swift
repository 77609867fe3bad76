import LoadGenerator

/// Bytes on disk of a sample that came in an upload of five, before it is sealed: tables of arrivals, their indexes and
/// what finds repeats.
enum DiskBench {
    private static let people = 2000
    private static let uploadsEach = 60

    static func run(_ report: inout Report) async throws {
        let bytes = try await IngestionBed.with { bed in
            // What each person costs once is not a sample's.
            let (tokens, first) = (people, people)
            _ = try await upload(tokens, first, bed)
            let before = try await bed.bytesOnDisk()
            let samples = try await upload(people, people * uploadsEach, bed)
            return Double(try await bed.bytesOnDisk() - before) / Double(samples)
        }
        report.add("bytes on disk of a sample before sealing, uploads of 5", bytes, "bytes", atMost: 60)
    }

    /// Returns how many samples.
    private static func upload(_ people: Int, _ uploads: Int, _ bed: IngestionBed) async throws -> Int {
        try await bed.load { bed in
            let source = UploadSource(
                .live, of: 0..<people, tokens: try bed.tokens(.device, count: people), host: bed.authority)
            let runner = try bed.runner(source, connections: UploadsBench.connections)
            let figures = try bed.measured(runner, .closed, for: .requests(uploads))
            return figures.result.good * source.samplesEach
        }
    }
}
