import Domain
import JSON
import Security

/// How far an import has come, as it is kept with the job, sealed with the person's key.
struct ImportProgress: Codable, Sendable {
    /// Bytes of the file that were read.
    var readBytes: Int64 = 0
    /// Parts whose storing has begun: after a crash the last one may be stored or not.
    var partsBegun = 0
    var answer = ImportAnswer()

    init() {}

    static func open(_ sealed: [UInt8]?, _ key: SubjectKey, at location: FieldLocation) throws -> ImportProgress {
        guard let sealed else { return ImportProgress() }
        return try JSONDecoder().decode(ImportProgress.self, from: try key.open(sealed, at: location))
    }

    func sealed(_ key: SubjectKey, at location: FieldLocation) throws(JSONError) -> [UInt8] {
        key.seal(try JSONEncoder().encode(self), at: location)
    }
}
