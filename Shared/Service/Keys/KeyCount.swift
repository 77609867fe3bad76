import Postgres
import Reactor

/// How many values are sealed with which key, counted in the database.
enum KeyCount {
    /// A table of a hundred million rows is read in that time.
    private static let time = Duration.seconds(1800)

    struct Count: Sendable, Equatable {
        let location: String
        let key: String
        let values: Int64
    }

    static func counts(_ sealed: [SealedDatabase]) async throws(PostgresError) -> [Count] {
        var counts: [Count] = []
        for group in sealed {
            for column in group.columns {
                let rows = try await group.database.run(
                    """
                    select convert_from(substring(v from 3 for get_byte(v, 1)), 'UTF8'), count(*)
                    from (select \(identifier: column.column) as v from \(identifier: column.table)) s
                    where octet_length(v) > 2 group by 1 order by 1
                    """, deadline: .after(time))
                for (key, values) in try rows.decode(as: String.self, Int64.self) {
                    counts.append(Count(location: column.location, key: key, values: values))
                }
            }
        }
        return counts
    }
}
