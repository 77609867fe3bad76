import Service

/// The settings of this service.
struct IngestionSettings: Decodable, Sendable {
    /// The database of people's wrapped keys: apart from the samples, with backups of its own (ARCHITECTURE, "Samples").
    var keystore: DatabaseSettings
    var rollups: Rollups

    struct Rollups: Decodable, Sendable {
        /// For development: no day closes until `ingestion.close_days` was called once, so that history can be loaded
        /// first.
        var hold: Bool

        init(hold: Bool = false) {
            self.hold = hold
        }
    }

    private enum CodingKeys: String, CodingKey { case keystore, rollups }

    init(keystore: DatabaseSettings, rollups: Rollups = Rollups()) {
        self.keystore = keystore
        self.rollups = rollups
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        keystore = try container.decode(DatabaseSettings.self, forKey: .keystore)
        rollups = try container.decodeIfPresent(Rollups.self, forKey: .rollups) ?? Rollups()
    }
}
