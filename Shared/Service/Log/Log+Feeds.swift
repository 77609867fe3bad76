public import Feed
import JSON

extension Log {
    /// What happened to a feed, for operators. Payloads stay out of it: they are personal.
    public func report(_ incident: FeedIncident) {
        switch incident {
        case .parked(let feed, let record, let error):
            self.error("feed event parked", Self.fields(feed, record, ["error": Log.text(of: error)]))
        case .unparked(let feed, let record):
            info("parked feed event applied", Self.fields(feed, record))
        case .applyFailed(let feed, let error):
            warning("feed event not applied", ["feed": .string(feed), "error": Log.text(of: error)])
        case .interrupted(let feed, let error):
            warning("feed interrupted", ["feed": .string(feed), "error": Log.text(of: error)])
        case .gone(let feed): warning("feed gone, taking a snapshot", ["feed": .string(feed)])
        case .snapshotTaken(let feed): info("feed snapshot taken", ["feed": .string(feed)])
        case .ringFull(let bytes): self.error("feed ring full", ["bytes": .integer(Int64(bytes))])
        case .upkeepFailed(let failure): warning("feed upkeep failed", ["error": Log.text(of: failure)])
        }
    }

    /// (`position` alone would be taken for a person's.)
    private static func fields(_ feed: String, _ record: FeedRecord, _ more: JSONObject = [:]) -> JSONObject {
        var fields = more
        fields["feed"] = .string(feed)
        fields["lane"] = .integer(Int64(record.lane))
        fields["feed_position"] = .integer(record.position)
        return fields
    }
}
