import Postgres
import Primitives

/// The rows that one commit adds, column by column: one statement for each table.
struct ArrivalRows {
    struct Arrivals {
        var storedAt: [Timestamp] = []
        var people: [Int32] = []
        var arrivals: [Int32] = []
        var sources: [Int16] = []
        var sealed: [[UInt8]] = []
    }

    struct Uploads {
        var people: [Int32] = []
        var sources: [Int16] = []
        var uploads: [Int64] = []
        var contents: [Int64] = []
        var receivedAt: [Timestamp] = []
        var samples: [Int16?] = []
        var answers: [[UInt8]?] = []
    }

    struct Parts {
        var people: [Int32] = []
        var contents: [UUID] = []
        var receivedAt: [Timestamp] = []
        var areEntries: [Bool] = []
        var answers: [[UInt8]] = []
    }

    struct Sources {
        var people: [Int32] = []
        var numbers: [Int16] = []
        var kinds: [String] = []
        var identities: [UUID] = []
        var names: [[UInt8]?] = []
    }

    var arrivals = Arrivals()
    var uploads = Uploads()
    var parts = Parts()
    var sources = Sources()

    var inserts: [SQL] {
        var statements: [SQL] = []
        if !sources.people.isEmpty {
            statements.append(
                """
                insert into source (person, number, kind, identity, name)
                select * from unnest(\(sources.people), \(sources.numbers), \(sources.kinds), \(sources.identities),
                  \(sources.names))
                """)
        }
        if !uploads.people.isEmpty {
            statements.append(
                """
                insert into upload (person, source, upload, content, received_at, samples, answer)
                select * from unnest(\(uploads.people), \(uploads.sources), \(uploads.uploads), \(uploads.contents),
                  \(uploads.receivedAt), \(uploads.samples), \(uploads.answers))
                """)
        }
        if !parts.people.isEmpty {
            statements.append(
                """
                insert into import_part (person, content, received_at, is_entry, answer)
                select * from unnest(\(parts.people), \(parts.contents), \(parts.receivedAt), \(parts.areEntries),
                  \(parts.answers))
                """)
        }
        if !arrivals.people.isEmpty {
            statements.append(
                """
                insert into arrival (stored_at, person, arrival, source, sealed)
                select * from unnest(\(arrivals.storedAt), \(arrivals.people), \(arrivals.arrivals), \(arrivals.sources),
                  \(arrivals.sealed))
                """)
        }
        return statements
    }
}
