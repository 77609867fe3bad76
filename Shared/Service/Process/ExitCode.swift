import Postgres

/// How a service's program ends; beside 0 to 2 the numbers of `sysexits.h`.
public enum ExitCode: Int32, Sendable, CaseIterable {
    /// It did what it was asked, or was asked to stop.
    case success = 0
    /// A subcommand failed.
    case failure = 1
    /// The command line is wrong.
    case usage = 2
    /// The schema is not one that this program can work with.
    case schema = 65
    /// A mistake in the program.
    case software = 70
    /// Something that is needed is not there for the moment: an address to listen at, the database. A mail transfer agent tries again.
    case unavailable = 75
    /// The configuration file, or a file that it names, is wrong.
    case configuration = 78

    /// What `help` says.
    var meaning: String {
        switch self {
        case .success: "done, or stopped by a signal"
        case .failure: "a subcommand failed"
        case .usage: "wrong command line"
        case .schema: "the database's schema does not fit this program"
        case .unavailable: "the database or an address to listen at cannot be had: try again later"
        case .software: "a mistake in the program"
        case .configuration: "the configuration, or a file that it names, is wrong"
        }
    }

    /// For an error that a start or a subcommand ended with.
    init(_ error: any Error) {
        switch error {
        case is ConfigurationError: self = .configuration
        case is UsageMistake: self = .usage
        case is StartError: self = .unavailable
        case let error as MigrationError: self = error.mayPass ? .unavailable : .schema
        case let error as PostgresError: self = error.mayPass ? .unavailable : .software
        default: self = .software
        }
    }
}
