import Service

/// The settings of this service.
struct IngestionSettings: Decodable, Sendable {
    /// The database of people's wrapped keys: apart from the samples, with backups of its own (ARCHITECTURE, "Samples").
    var keystore: DatabaseSettings
    var rollups: Rollups?
    /// Of so many people who send, the keys are kept in memory (about 200 bytes each); a million unless said otherwise.
    var cachedPeople: Int?
    /// Logical shards that people are spread over, each a schema with a place of its own; 1 unless said otherwise. Their number
    /// only grows.
    var shards: Int?

    var shardCount: Int { shards ?? 1 }

    var cachedPeopleMax: Int { cachedPeople ?? SubjectKeys.peopleMaxDefault }
    /// The share of one shard, with room for some that have more people than others.
    var cachedPeopleOfShardMax: Int {
        shardCount == 1 ? cachedPeopleMax : max(1000, cachedPeopleMax / shardCount * 5 / 4)
    }

    struct Rollups: Decodable, Sendable {
        /// For development: no day closes until `ingestion.close_days` was called once, so that history can be loaded
        /// first.
        var hold: Bool
    }
}
