public import Postgres

/// The table of erasures that a service has done: what `ErasureFollower` needs, for the service's own schema.
public enum ErasureSchema {
    public static func follower(_ number: Int) -> Migration {
        Migration(number, "erasure", Array((text + databaseText).utf8))
    }

    /// What `RestoredDatabase` needs alone.
    public static func database(_ number: Int) -> Migration {
        Migration(number, "erasure database", Array(databaseText.utf8))
    }

    private static let databaseText = """
        create table erasure_database (
          only_row boolean constraint erasure_database_key primary key default true,
          identity text not null,
          constraint erasure_database_only_row check (only_row));
        comment on table erasure_database is
          'the database in which erasures were done last: in another one, restored from a backup, they are done again';

        """

    private static let text = """
        create table erasure (
          id uuid constraint erasure_key primary key,
          account uuid not null,
          kind text not null,
          scope text not null constraint erasure_scope check (scope in ('account', 'collected-data')),
          requested_at timestamptz not null,
          items text not null,
          erased_at timestamptz not null,
          swept_at timestamptz,
          reported_at timestamptz,
          attempts integer not null default 0,
          due_at timestamptz not null default '-infinity');
        comment on table erasure is
          'done here, for ever: tells what comes late, or comes back with a backup, from what is new; ids only';
        comment on column erasure.items is 'the lines of the receipt, in JSON: numbers of rows';
        comment on column erasure.swept_at is 'when what was on its way meanwhile was erased, too';
        comment on column erasure.reported_at is 'when accounts had taken the report';
        comment on column erasure.due_at is 'the next attempt to report; also the end of a replica''s claim';
        create index erasure_of_account on erasure (account);
        create index erasure_by_time on erasure (erased_at);
        create index erasure_to_sweep on erasure (erased_at) where swept_at is null;
        create index erasure_to_report on erasure (due_at) where reported_at is null;

        """
}
