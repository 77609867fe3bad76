import Foundation
import PackagePlugin

/// Compiles the files of a target that are no Swift (migrations, documents, templates, words) into it: `PackageResources` has a
/// member for each. SwiftPM's own `.embedInCode` writes an array literal, a number for each byte, at which the compiler is
/// busy for a minute where a string literal takes it half a second.
@main
struct EmbeddedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        let files = module.sourceFiles.filter { $0.type != .source && $0.type != .header }.map(\.url)
            .sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
        return [
            .buildCommand(
                displayName: "Embedding files in \(module.name)", executable: try context.tool(named: "EmbedFiles").url,
                arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
