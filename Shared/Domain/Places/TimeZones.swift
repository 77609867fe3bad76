public import Primitives
import Synchronization

/// The time zones of this machine (package `tzdata`), each read once.
public final class TimeZones: Sendable {
    /// Zones that are kept; there are about 600.
    private static let zonesMax = 1000

    private let directory: String
    private let known = Mutex<[TimeZoneName: TimeZoneRules]>([:])

    public init(directory: String = "/usr/share/zoneinfo") {
        self.directory = directory
    }

    /// Errors: the zone is not known here, or its file cannot be read.
    public func rules(of zone: TimeZoneName) throws(SmallFile.Failure) -> TimeZoneRules {
        if let rules = known.withLock({ $0[zone] }) { return rules }
        let path = "\(directory)/\(zone)"
        let bytes = try SmallFile.read(path, bytesMax: TimeZoneRules.fileBytesMax)
        let rules: TimeZoneRules
        do throws(TimeZoneFileError) {
            rules = try TimeZoneRules(file: bytes)
        } catch { throw SmallFile.Failure(path: path, reason: error.description) }
        known.withLock { if $0.count < Self.zonesMax { $0[zone] = rules } }
        return rules
    }
}
