import ReactorTesting
import Primitives
import Security

/// A service's configuration file and what it names, as `deploy/lib/config.sh` writes them.
struct ServiceFiles {
    let service: String
    let directory: TestDirectory
    let httpPort: UInt16
    let rpcPort: UInt16
    let operatorsPort: UInt16
    let database: DatabaseAddress
    let schemas: ServiceSchemas
    let hooks: String
    let stopGraceSeconds: Int
    let peers: [String: UInt16]

    var path: String { directory.file("\(service).json") }

    func write() throws {
        let key = Base64.standard.encode(randomBytes(32))
        try directory.write("database.password", database.password)
        try directory.write("\(service).field.key", key)
        try directory.write("\(service).blind-index.key", key)
        if service == "dispatcher" { try directory.write("hooks.json", hooks) }
        if service == "accounts" { try Ed25519Key.random().save(file: directory.file("signing.pem")) }
        let tls = try CertificateFiles.directory()
        let addresses = peers.sorted { $0.key < $1.key }.map { #""\#($0.key)": ["127.0.0.1:\#($0.value)"]"# }
        try directory.write(
            "\(service).json",
            """
            {
              "service": "\(service)",
              "public": {"listen": "127.0.0.1:\(httpPort)", "base_url": "http://127.0.0.1:\(httpPort)"},
              "internal": {
                "listen": "127.0.0.1:\(rpcPort)", "certificate_file": "\(tls)/\(service).pem",
                "key_file": "\(tls)/\(service).key", "authority_file": "\(tls)/ca.pem"
              },
              "operators": {"listen": "127.0.0.1:\(operatorsPort)"},
              "stopping": {"grace_s": \(stopGraceSeconds)},
              "database": \(databaseObject(schemas.own)),
              "peers": {\(addresses.joined(separator: ", "))},
              "loops": 1,
              "log": {"level": "info"},
              "keys": {
                "field_key_file": "\(directory.file("\(service).field.key"))",
                "blind_index_key_file": "\(directory.file("\(service).blind-index.key"))"
              },
              "settings": \(settings)
            }
            """)
    }

    private func databaseObject(_ schema: String) -> String {
        database.settings(schema: schema, passwordFile: directory.file("database.password"))
    }

    private var settings: String {
        switch service {
        case "accounts":
            """
            {
              "keystore": \(databaseObject(schemas.keys)),
              "mail_directory": "\(directory.file("mail"))", "signing_key_file": "\(directory.file("signing.pem"))",
              "provisioning_clients": ["simulator"]
            }
            """
        case "ingestion", "track4run": #"{"keystore": \#(databaseObject(schemas.keys))}"#
        case "query":
            """
            {
              "keystore": \(databaseObject(schemas.keys)), "statistics_database": \(databaseObject(schemas.statistics)),
              "webhooks": {"allow_private_addresses": true}
            }
            """
        case "dispatcher":
            """
            {
              "keystore": \(databaseObject(schemas.keys)), "hooks_file": "\(directory.file("hooks.json"))",
              "journal_directory": "\(directory.file("journal"))"
            }
            """
        default: "{}"
        }
    }
}
