import JSON
public import Service

extension DatabaseSettings {
    /// A database object for a configuration: of a database that the context is given by its schema, and that nobody connects to.
    public static func text(schema: String) -> String {
        """
        {"hosts": ["127.0.0.1:1"], "name": "given", "user": "given", "password_file": "/dev/null", "schema": "\(schema)",
         "connections_max": 4}
        """
    }

    /// The same, decoded.
    public static func given(schema: String) throws -> DatabaseSettings {
        try JSONDecoder().decode(DatabaseSettings.self, from: Array(text(schema: schema).utf8))
    }
}
