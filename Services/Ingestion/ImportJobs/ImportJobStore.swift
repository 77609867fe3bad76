import Postgres
import Primitives

/// The statements on `import_job` and `import_data` (`Migrations/0001-start.sql`).
enum ImportJobStore {
    /// Imports of one person that are not done.
    static let unfinishedMax = 5
    /// Imports in a person's list, newest first.
    static let listMax = 100

    /// Adds a job; nothing when the person has too many that are not done.
    static func add(_ job: UUID, of account: UUID, length: Int64?, at now: Timestamp) -> [SQL] {
        [
            ArrivalStore.lock([account]),
            """
            insert into import_job (job, account_id, created_at, length)
            select \(job), \(account), \(now), \(length)
            where (select count(*) from import_job where account_id = \(account) and state <> 'done') < \(unfinishedMax)
              and not exists (select from person where account_id = \(account) and erased_at is not null)
            returning \(sql: ImportJob.columns)
            """,
        ]
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

    /// Appends a piece at `offset`. Returns a row unless another sender was quicker, or the file is complete or gone.
    static func append(_ sealed: [UInt8], bytes: Int64, at offset: Int64, piece: Int32, of job: UUID) -> SQL {
        """
        with appended as (
          update import_job set received = received + \(bytes), pieces = pieces + 1, changed_at = now()
          where job = \(job) and state = 'receiving' and received = \(offset) and pieces = \(piece)
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

    /// Deletes what nobody has sent more of.
    static var deleteAbandoned: SQL {
        """
        delete from import_job
        where state = 'receiving' and changed_at < now() - \(ImportRoutes.abandonedHours) * interval '1 hour'
        """
    }

    // MARK: Workers

    /// Takes the job that has waited longest and that no worker holds, for `leaseSeconds`. A lease further ahead than any was made
    /// before the clock was set back.
    static func claim(lease: UUID, leaseSeconds: Int32) -> SQL {
        """
        update import_job set state = 'reading', lease = \(lease), tries = tries + 1, changed_at = now(),
          lease_until = now() + \(leaseSeconds) * interval '1 second'
        where job = (
          select job from import_job
          where state in ('waiting', 'reading') and (lease_until is null or lease_until < now()
            or lease_until > now() + \(2 * leaseSeconds) * interval '1 second')
          order by created_at, job limit 1 for update skip locked)
        returning \(sql: ImportJob.columns)
        """
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
