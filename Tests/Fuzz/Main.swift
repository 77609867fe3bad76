import Glibc

@testable import Imports

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// `trackme-fuzz TARGET [libFuzzer's arguments]`: feeds mutated input to one parser until it crashes or the time is over.
/// `deploy/fuzz` builds and runs it.
@main struct Fuzz {
    /// A parser and what must hold for every input; a broken rule is a `precondition` failure, which libFuzzer keeps.
    static let targets: [(name: String, callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32)] = [
        ("http", { HTTPTarget.run(bytes($0, $1)) }),
        ("client", { ClientTarget.run(bytes($0, $1)) }),
        ("url", { URLTarget.run(bytes($0, $1)) }),
        ("json", { JSONTarget.run(bytes($0, $1)) }),
        ("rpc", { RPCTarget.run(bytes($0, $1)) }),
        ("upload", { UploadTarget.run(bytes($0, $1)) }),
        ("passkey", { PasskeyTarget.run(bytes($0, $1)) }),
        ("picture", { PictureTarget.run(bytes($0, $1)) }),
        ("gpx", { ImportTarget.run(bytes($0, $1), .gpx) }),
        ("tcx", { ImportTarget.run(bytes($0, $1), .tcx) }),
        ("codec", { CodecTarget.run(bytes($0, $1)) }),
        ("apple-health", { ImportTarget.run(bytes($0, $1), .appleHealth) }),
        ("fit", { ImportTarget.run(bytes($0, $1), .fit) }),
        ("open-mhealth", { ImportTarget.run(bytes($0, $1), .openMHealth) }),
        ("csv", { ImportTarget.run(bytes($0, $1), .csv) }),
        ("zip", { ImportTarget.run(bytes($0, $1), .zip) }),
    ]

    static func main() {
        guard CommandLine.argc >= 2, let target = targets.first(where: { $0.name == CommandLine.arguments[1] }) else {
            print(
                "usage: trackme-fuzz TARGET [arguments of libFuzzer], of: \(targets.map(\.name).joined(separator: " "))"
            )
            exit(2)
        }
        // libFuzzer sees itself as called without the target's name.
        let rest = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
        var words: [UnsafeMutablePointer<CChar>?] = rest.map { strdup($0) } + [nil]
        var count = Int32(rest.count)
        let status = words.withUnsafeMutableBufferPointer { words -> Int32 in
            var base = words.baseAddress
            return runDriver(&count, &base, target.callback)
        }
        exit(status)
    }

    private static func bytes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
        [UInt8](UnsafeBufferPointer(start: start, count: count))
    }
}
