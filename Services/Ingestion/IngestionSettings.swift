import Service

/// The settings of this service.
struct IngestionSettings: Decodable, Sendable {
    /// The database of people's wrapped keys: apart from the samples, with backups of its own (ARCHITECTURE, "Samples").
    var keystore: DatabaseSettings
    var rollups: Rollups?
    /// Of so many people who send, the keys are kept in memory (about 200 bytes each); a million unless said otherwise.
    var cachedPeople: Int?

    struct Rollups: Decodable, Sendable {
        /// For development: no day closes until `ingestion.close_days` was called once, so that history can be loaded
        /// first.
        var hold: Bool
    }
}
