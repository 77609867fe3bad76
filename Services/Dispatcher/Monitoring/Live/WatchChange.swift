import Postgres
import Primitives

/// Tells every replica that what somebody is judged by has changed: the enrolment, own limits, runs (`LiveMonitors`).
enum WatchChange {
    /// Longer than any transaction that notes one.
    private static let transactionMax = Duration.seconds(10)
    /// Of what was changed longer ago nothing is known for sure.
    static let keptMin = Duration.seconds(300)

    /// In the transaction of the change.
    static func note(of account: UUID) -> SQL { "insert into watch_change (account) values (\(account))" }

    /// Of those whose runs a snapshot did not mention, which are deleted.
    static let endingRuns: SQL = """
        with gone as (delete from run_watch where not is_mentioned returning account)
        insert into watch_change (account) select account from gone
        """

    /// Those since a look so long ago, by index: the time is the same for the whole statement.
    static func recent(_ time: Duration) -> SQL {
        """
        select distinct account from watch_change
        where changed_at > statement_timestamp() - make_interval(secs => \((time + transactionMax).seconds))
        """
    }

    static let tidy: SQL = """
        delete from watch_change where changed_at < clock_timestamp() - interval '10 minutes'
          or changed_at > clock_timestamp() + interval '10 minutes'
        """

    /// Of somebody who is erased.
    static func end(of account: UUID) -> SQL { "delete from watch_change where account = \(account)" }
}
