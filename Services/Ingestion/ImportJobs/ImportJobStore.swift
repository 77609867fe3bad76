import Postgres
import Primitives

/// The statements on `import_job` and `import_data` (`Migrations/0001-start.sql`).
enum ImportJobStore {
    /// Imports of one person that are not done.
    static let unfinishedMax = 5
    /// Bytes of these together: as much as one file may have.
    static let unfinishedBytesMax = ImportReceiver.fileBytesMax
    /// Imports in a person's list, newest first.
    static let listMax = 100

    /// Locks the person, counts the jobs that are not done (`Unfinished`), and adds one; nothing when these, with it, are too
    /// many or too much.
    static func add(_ job: UUID, of account: UUID, length: Int64?, at now: Timestamp) -> [SQL] {
        [
            ArrivalStore.lock([account]), unfinished(of: account),
            """
            insert into import_job (job, account_id, created_at, length)
            select \(job), \(account), \(now), \(length)
            from (\(sql: unfinished(of: account))) held
            where held.jobs < \(unfinishedMax) and held.bytes + \(length ?? 0) <= \(unfinishedBytesMax)
              and not exists (select from person where account_id = \(account) and erased_at is not null)
            returning \(sql: ImportJob.columns)
            """,
        ]
    }

    /// A person's jobs that are not done.
    struct Unfinished: Sendable, PostgresRowDecodable {
        let jobs: Int
        /// What has been received of them.
        let bytes: Int64

        init(row: PostgresRow) throws(PostgresError) {
            jobs = try row["jobs"]
            bytes = try row["bytes"]
        }
    }

    static func unfinished(of account: UUID) -> SQL {
        """
        select count(*) as jobs, coalesce(sum(received), 0)::bigint as bytes
        from import_job where account_id = \(account) and state <> 'done'
        """
    }

    static func job(_ job: UUID, of account: UUID) -> SQL {
        "select \(sql: ImportJob.columns) from import_job where job = \(job) and account_id = \(account)"
    }

    static func jobs(of account: UUID) -> SQL {
        """
        select \(sql: ImportJob.columns) from import_job where account_id = \(account)
        order by created_at desc, job desc limit \(listMax)
        """
    }

    /// Appends a piece at `offset`. Returns a row unless another sender was quicker, the file is complete or gone, or the person's
    /// files that are not done would become too much; requests for several of them may exceed that by a piece each.
    static func append(
        _ sealed: [UInt8], bytes: Int64, at offset: Int64, piece: Int32, of job: UUID, of account: UUID
    ) -> SQL {
        """
        with held as (\(sql: unfinished(of: account))),
        appended as (
          update import_job set received = received + \(bytes), pieces = pieces + 1, changed_at = now()
          from held
          where job = \(job) and state = 'receiving' and received = \(offset) and pieces = \(piece)
            and held.bytes + \(bytes) <= \(unfinishedBytesMax)
          returning job)
        insert into import_data (job, number, sealed) select job, \(piece), \(sealed) from appended returning number
        """
    }

    /// Nothing more is received: it waits for a worker.
    static func complete(_ job: UUID, at offset: Int64) -> SQL {
        """
        update import_job set state = 'waiting', length = received, changed_at = now()
        where job = \(job) and state = 'receiving' and received = \(offset)
        returning \(sql: ImportJob.columns)
        """
    }

    static func delete(_ job: UUID, of account: UUID) -> SQL {
        "delete from import_job where job = \(job) and account_id = \(account) returning job"
    }

    /// Deletes what nobody has sent more of, and what was begun long ago: one byte now and then does not keep a file here.
    static func deleteAbandoned(at now: Timestamp) -> SQL {
        """
        delete from import_job
        where state = 'receiving' and (changed_at < now() - \(ImportRoutes.abandonedHours) * interval '1 hour'
          or created_at < \(now - ImportRoutes.receivingMax))
        """
    }

    // MARK: Workers

    /// Before `claim`, in its transaction: two workers at once would not see each other's, and might take two of a person.
    static let awaitClaims: SQL =
        "select pg_advisory_xact_lock(hashtextextended('claims of imports of ' || current_schema(), 0))::text"

    /// Takes the job that has waited longest and that no worker holds, for `leaseSeconds`; of a person one at a time, so that
    /// somebody's many files keep nobody else's waiting.
    static func claim(lease: UUID, leaseSeconds: Int32) -> SQL {
        """
        update import_job set state = 'reading', lease = \(lease), tries = tries + 1, changed_at = now(),
          lease_until = now() + \(leaseSeconds) * interval '1 second'
        where job = (
          select job from import_job j
          where state in ('waiting', 'reading') and not \(sql: isHeld("j", leaseSeconds)) and not exists (
            select from import_job other
            where other.account_id = j.account_id and other.job <> j.job and other.state = 'reading'
              and \(sql: isHeld("other", leaseSeconds)))
          order by created_at, job limit 1 for update skip locked)
        returning \(sql: ImportJob.columns)
        """
    }

    /// Whether a worker has the job, or had it lately. A lease further ahead than any was made before the clock was set back.
    private static func isHeld(_ job: String, _ leaseSeconds: Int32) -> SQL {
        """
        (\(raw: job).lease_until is not null and \(raw: job).lease_until >= now()
          and \(raw: job).lease_until <= now() + \(2 * leaseSeconds) * interval '1 second')
        """
    }

    /// It could not be read: it waits until its lease ends, and the person's others may be read meanwhile.
    static func postpone(_ job: UUID, lease: UUID) -> SQL {
        "update import_job set state = 'waiting' where job = \(job) and lease = \(lease) and state = 'reading'"
    }

    static func piece(_ number: Int32, of job: UUID) -> SQL {
        "select sealed from import_data where job = \(job) and number = \(number)"
    }

    /// Keeps the progress and the lease; no row when the job is another worker's by now, or was deleted.
    static func keep(
        _ progress: [UInt8], of job: UUID, lease: UUID, leaseSeconds: Int32, isFurther: Bool
    ) -> SQL {
        """
        update import_job set progress = \(progress), changed_at = now(),
          tries = case when \(isFurther) then 1 else tries end,
          lease_until = now() + \(leaseSeconds) * interval '1 second'
        where job = \(job) and lease = \(lease) and state = 'reading' returning job
        """
    }

    /// Ends the job; the file is not needed any more.
    static func finish(_ progress: [UInt8], of job: UUID, lease: UUID) -> SQL {
        """
        with done as (
          update import_job set state = 'done', progress = \(progress), lease = null, lease_until = null,
            changed_at = now()
          where job = \(job) and lease = \(lease) and state = 'reading' returning job)
        delete from import_data using done where import_data.job = done.job
        """
    }

    /// Gives a job back, so that it is taken up again: the attempt does not count.
    static func release(_ job: UUID, lease: UUID) -> SQL {
        """
        update import_job set lease = null, lease_until = null, tries = greatest(tries - 1, 0)
        where job = \(job) and lease = \(lease)
        """
    }
}
