import Postgres
import Service

/// What is kept of manual entries, so that the same one again is answered as it was. Imported files are known for good: with them
/// would come back what a person has deleted since, while what a person enters again is meant.
enum EntryLedger {
    private static let keptDays = 30

    /// The same entry later leaves another arrival, of which nothing new is in it: exact repeats of a source disappear.
    static func retention(in database: Database) -> RetentionRule {
        RetentionRule(
            "entries", days: keptDays, table: "import_part", column: "received_at", where: "is_entry", in: database)
    }
}
