import Contracts
import Domain
import HTTP
import Primitives
import SuiteClient

/// Step 2: pair a device, import recordings, upload live samples (ACC-14, ING-02, ING-04).
struct Collection {
    /// What the person has now.
    struct Collected {
        let device: Device
        let heartRates: Int
        let positions: Int
        let home: Coordinate
    }

    static let types: [DataType] = [.position, .heartRate]
    private static let liveCount = 5

    let person: Individual
    let files: Recordings

    func run() async throws(SuiteError) -> Collected {
        let step = Step(2, "A device, recordings, live samples")
        let device = try await person.pairDevice(name: "Running watch", types: Self.types)
        step.say("device \(device.id) paired with its six digits")
        var (heartRates, positions) = (0, 0)
        for file in files.imports {
            let report = try await person.api.importFile(file.bytes, type: file.type)
            let skipped = report.skipped.map { "\($0.count) \($0.reason)" }.joined(separator: ", ")
            step.say(
                "\(file.name): \(report.count(.position)) positions, \(report.count(.heartRate)) heart rates taken"
                    + (skipped.isEmpty ? "" : "; skipped: \(skipped)"))
            try expect(report.count(.position) > 0, "Nothing was taken of \(file.name).")
            heartRates += report.count(.heartRate)
            positions += report.count(.position)
        }
        try expect(heartRates > 0, "The recordings have no heart rates.")

        let home = files.tracks[0].points[0].coordinate
        // The same position at the same millisecond would be a repeat.
        let start = Timestamp.now() - .milliseconds(Self.liveCount)
        for index in 0..<Self.liveCount {
            let time = start + .milliseconds(index)
            try await device.upload([.heartRate(120 + Double(index), at: time), .position(home, at: time)])
        }
        step.say("\(Self.liveCount) live uploads stored")
        try await checkRepeats(device, step)
        return Collected(
            device: device, heartRates: heartRates + Self.liveCount + 1, positions: positions + Self.liveCount,
            home: home)
    }

    /// One bad sample does not sink its batch, and the same upload twice is stored once. Leaves one heart rate more.
    private func checkRepeats(_ device: Device, _ step: Step) async throws(SuiteError) {
        let number = device.nextNumber()
        let series: [SampleSeries] = [.heartRate(126), .heartRate(2000)]
        let first = try await device.send(series, number: number)
        try expect(
            first.stored == 1 && first.refused.count == 1 && !first.repeated,
            "Of a good and an impossible heart rate \(first.stored) were stored and \(first.refused.count) refused.")
        let again = try await device.send(series, number: number)
        try expect(
            again.repeated && again.stored == first.stored, "An upload sent again was not recognised as a repeat.")
        step.say(
            "a heart rate of 2000 was refused (\(first.refused[0].reason)) beside a good one; the same upload again: repeated"
        )
    }
}
