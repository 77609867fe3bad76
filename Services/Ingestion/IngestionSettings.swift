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

    /// What a person's blocks may take on disk, in bytes (ING-10); 10 MB unless said otherwise. Of who has more the samples of
    /// the oldest days go, their summaries stay.
    var quotaBytes: Int64?

    /// For so many days the schema that a shard has left by a move is kept; 7 unless said otherwise, 0 for none.
    var movedSchemaDays: Int?

    var movedSchemaDaysMax: Int { movedSchemaDays ?? MovedSchemas.daysDefault }
    var quotaBytesMax: Int64 { quotaBytes ?? Sealer.quotaBytesDefault }
    var shardCount: Int { shards ?? 1 }

    var cachedPeopleMax: Int { cachedPeople ?? SubjectKeys.peopleMaxDefault }
    /// The share of one shard, with room for some that have more people than others.
    var cachedPeopleOfShardMax: Int {
        shardCount == 1 ? cachedPeopleMax : max(1000, cachedPeopleMax / shardCount * 5 / 4)
    }

    func check() throws(ConfigurationError) {
        guard (1...ShardPlaces.countMax).contains(shardCount) else {
            throw ConfigurationError("\"shards\" is not from 1 to \(ShardPlaces.countMax).")
        }
        guard (1_000_000...1_000_000_000_000).contains(quotaBytesMax) else {
            throw ConfigurationError("\"quota_bytes\" is not from 1,000,000 to 1,000,000,000,000.")
        }
        guard (0...3650).contains(movedSchemaDaysMax) else {
            throw ConfigurationError("\"moved_schema_days\" is not from 0 to 3650.")
        }
    }

    struct Rollups: Decodable, Sendable {
        /// For development: no day closes until `ingestion.close_days` was called once, so that history can be loaded
        /// first.
        var hold: Bool
    }
}
