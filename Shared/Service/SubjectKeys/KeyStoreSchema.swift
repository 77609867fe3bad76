public import Postgres
import Security

/// The key store of a service: a schema in a database of its own, whose backups are kept 30 days at most. Erasing a person is
/// destroying the key (ACC-12).
public enum KeyStoreSchema {
    /// What every key store has; a service's own tables come after these.
    public static let migrations = [
        Migration(1, "subject keys", Array(text.utf8)), ErasureSchema.database(2),
    ]

    /// The wrapped keys, for the rotation of the service's key: it wraps them anew, and what they seal stays as it is.
    public static let sealedColumn = SealedColumn(
        "subject_key", "wrapped", location: SubjectKey.column, row: "uuid_send(account_id)")

    private static let text = """
        create table subject_key (
          account_id uuid constraint subject_key_key primary key,
          wrapped bytea,
          created_at timestamptz not null default now(),
          destroyed_at timestamptz,
          constraint subject_key_destroyed check ((wrapped is null) = (destroyed_at is not null)));
        comment on column subject_key.wrapped is
          'by the service''s key; null once it was destroyed, which lasts';

        """
}
