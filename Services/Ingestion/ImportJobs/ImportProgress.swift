import Domain
import JSON
import Security

/// How far an import has come, as it is kept with the job, sealed with the person's key.
struct ImportProgress: Codable, Sendable {
    /// Bytes of the file that were read.
    var readBytes: Int64 = 0
    /// Which readers have cut the parts (`ImportReading.version`).
    var readers: Int? = ImportReading.version
    /// Parts whose storing has begun: after a crash the last one may be stored or not.
    var partsBegun = 0
    /// Parts that `answer` has counted.
    var partsDone: Int?
    var answer = ImportAnswer()

    init() {}

    /// What cannot be read is as nothing, and its report says so: neither the list of a person's imports nor the reading of the
    /// file is to fail by it.
    static func open(_ sealed: [UInt8]?, _ key: SubjectKey, at location: FieldLocation) -> ImportProgress {
        guard let sealed else { return ImportProgress() }
        do {
            return try JSONDecoder().decode(ImportProgress.self, from: try key.open(sealed, at: location))
        } catch {
            var progress = ImportProgress()
            progress.answer.fail("The report of this import cannot be read.")
            return progress
        }
    }

    func sealed(_ key: SubjectKey, at location: FieldLocation) throws(JSONError) -> [UInt8] {
        key.seal(try JSONEncoder().encode(self), at: location)
    }
}
