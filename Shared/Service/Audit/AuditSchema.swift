public import Postgres

/// The names of people in a service's audit trail: what every service but accounts, which has pseudonyms of its own, needs in its own
/// schema.
public enum AuditSchema {
    /// Needs `ErasureSchema.follower`, which makes the table of those who are erased.
    public static func people(_ number: Int) -> Migration { Migration(number, "audit people", Array(text.utf8)) }

    private static let text = """
        create table audit_person (
          account uuid constraint audit_person_key primary key,
          pseudonym uuid not null default gen_random_uuid());
        comment on table audit_person is
          'who is meant by a pseudonym of the audit trail; goes with the account, so that the entry then names nobody (NFR-06)';

        -- An account's pseudonym, which is made when it is needed first; null of an account that is erased.
        create function audit_pseudonym(person uuid) returns uuid language plpgsql as $$
        declare
          found_pseudonym uuid;
        begin
          if person is null then return null; end if;
          select a.pseudonym into found_pseudonym from audit_person a where a.account = person;
          if found_pseudonym is null
            and not exists (select from erasure e where e.account = person and e.scope = 'account')
          then
            insert into audit_person (account) values (person) on conflict do nothing;
            select a.pseudonym into found_pseudonym from audit_person a where a.account = person;
          end if;
          return found_pseudonym;
        end
        $$;

        """
}
