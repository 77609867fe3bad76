import Postgres
import Reactor

/// The subcommands that do one thing and end.
enum Operations {
    static func perform<Definition: ServiceDefinition>(
        _: Definition.Type, _ action: Command.Action, _ configuration: ServiceConfiguration<Definition.Settings>,
        loops: EventLoopGroup, log: Log
    ) async throws {
        // Also checks every file.
        let (context, foundation) = try RunningService.prepare(Definition.self, configuration, loops: loops, log: log)
        do {
            try await perform(Definition.self, action, configuration, context)
        } catch {
            await context.databases.close(by: .after(.seconds(10)))
            await foundation.close()
            throw error
        }
        await context.databases.close(by: .after(.seconds(10)))
        await foundation.close()
    }

    private static func perform<Definition: ServiceDefinition>(
        _: Definition.Type, _ action: Command.Action, _ configuration: ServiceConfiguration<Definition.Settings>,
        _ context: ServiceContext<Definition.Settings>
    ) async throws {
        let schema = configuration.database.schema
        switch action {
        case .migrate:
            try await Migrations(schema: schema, Definition.migrations).run(on: context.database)
            for further in try await Definition.furtherSchemas(context) {
                try await further.migrations.run(on: further.database)
            }
        case .check(connects: true):
            try await Migrations(schema: schema, Definition.migrations).check(on: context.database)
            for further in try await Definition.furtherSchemas(context) {
                try await further.migrations.check(on: further.database)
            }
        case .own(let name, let arguments):
            try await Migrations(schema: schema, Definition.migrations, newerMax: 1).check(on: context.database)
            for subcommand in Definition.allSubcommands where subcommand.name == name {
                try await subcommand.run(context, arguments)
            }
        case .check(connects: false), .serve, .version, .help: break
        }
    }
}
