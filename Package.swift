// swift-tools-version: 6.2
// TrackMe: five services on one foundation. No Swift package dependencies: the toolchain and system libraries only.
import PackageDescription

/// With `TRACKME_FUZZ` set the package is the parsers and the program that fuzzes them, instrumented: see `deploy/fuzz`.
/// Its value is the file of the fuzzing library that comes with the compiler.
let fuzzing = Context.environment["TRACKME_FUZZ"]

/// With `TRACKME_WORLD` set the package is the dispatcher, with what only tests see of it, and the program that simulates it:
/// see `deploy/bench sos-world`.
let simulating = Context.environment["TRACKME_WORLD"] != nil

let instrumentation: [SwiftSetting] =
    fuzzing == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer,address"])]

let settings: [SwiftSetting] =
    instrumentation + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]

/// A system library: a module map and a header in `Shared/`.
func system(_ name: String, pkgConfig: String? = nil, apt: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Shared/\(name)", pkgConfig: pkgConfig, providers: apt.map { [.apt([$0])] })
}

/// A module of the foundation; it may import only what stands above it in `targets`. With `embedsFiles` what is not Swift and not
/// excluded is compiled into it.
func shared(
    _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], embedsFiles: Bool = false
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Shared/\(name)", exclude: exclude, swiftSettings: settings,
        plugins: embedsFiles ? [.plugin(name: "EmbeddedFiles")] : [])
}

/// A service: one executable `trackme-…`, which knows the others through `Contracts` only. What is not Swift is compiled into it
/// (its migrations, its OpenAPI documents, the templates and the words of its pages); modules of their own, pages about the code,
/// the marks of its columns, and what the browser loads by itself are not.
func service(
    _ name: String, _ more: [Target.Dependency] = [], excluding excluded: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: foundation + more, path: "Services/\(name)",
        exclude: excluded + ["columns.txt", "Pages/Assets", "Pages/paths"], swiftSettings: settings,
        plugins: [.plugin(name: "EmbeddedFiles")])
}

/// The tests of one module, in the folder of the same name below `Tests/`.
func tests(
    _ folder: String, _ name: String, _ dependencies: [Target.Dependency] = [], excluding excluded: [String] = []
) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.init(stringLiteral: name), "SeededRandom"] + dependencies,
        path: "Tests/\(folder)/\(name)", exclude: excluded, swiftSettings: settings)
}

/// What every service stands on.
let foundation: [Target.Dependency] = [
    "Primitives", "JSON", "Telemetry", "Reactor", "Postgres", "RPC", "HTTP", "Feed", "Security", "Domain", "Contracts",
    "Edge", "Web", "Service",
]

/// What the tests of a service stand on.
let serviceTesting: [Target.Dependency] =
    foundation + ["PostgresTesting", "ReactorTesting", "ServiceTesting", "OpenAPITesting"]

/// What the simulator and the tests of the whole suite stand on: its clients, not its services.
let outside: [Target.Dependency] = [
    "Primitives", "JSON", "Telemetry", "Reactor", "RPC", "HTTP", "Security", "Domain", "Contracts",
]

let dispatcherDocuments = [
    "Alarms/README.md", "Contacts/README.md", "Hooks/AdditionalData.md", "Hooks/CAP/README.md", "Hooks/README.md",
    "Incidents/States.md", "Journal/README.md", "Monitoring/Live/README.md", "Monitoring/RULES.md",
    "Payments/README.md", "SAFETY.md", "Wearers/README.md",
]

let products: [Product] = [
    .executable(name: "trackme-accounts", targets: ["Accounts"]),
    .executable(name: "trackme-ingestion", targets: ["Ingestion"]),
    .executable(name: "trackme-query", targets: ["Query"]),
    .executable(name: "trackme-dispatcher", targets: ["Dispatcher"]),
    .executable(name: "trackme-track4run", targets: ["Track4Run"]),
    .executable(name: "trackme-simulator", targets: ["Simulator"]),
    .executable(name: "trackme-bench", targets: ["Bench"]),
    .executable(name: "trackme-bench-baseline", targets: ["Baseline"]),
]

let targets: [Target] = [
    system("CLinux"),
    system("CLibPQ", pkgConfig: "libpq", apt: "libpq-dev"),
    system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),

    shared("Primitives"),
    shared("JSON", ["Primitives"]),
    shared("Telemetry", ["Primitives", "JSON"]),
    shared("Reactor", ["CLinux", "COpenSSL", "Primitives", "JSON", "Telemetry"]),
    shared("Postgres", ["CLibPQ", "Primitives", "JSON", "Telemetry", "Reactor"]),
    shared("RPC", ["Primitives", "JSON", "Telemetry", "Reactor"]),
    shared("HTTP", ["CZlib", "Primitives", "JSON", "Telemetry", "Reactor"]),
    shared("Feed", ["Primitives", "JSON", "Telemetry", "Reactor", "Postgres", "RPC"], exclude: ["README.md"]),
    shared("Security", ["COpenSSL", "Primitives", "JSON"]),
    shared("Domain", ["Primitives"], exclude: ["Places/Table/make.py"]),
    shared("Contracts", ["Primitives", "JSON", "RPC", "Feed", "Domain"]),
    shared(
        "Edge",
        [
            "Primitives", "JSON", "Telemetry", "Reactor", "Postgres", "RPC", "HTTP", "Feed", "Security", "Domain",
            "Contracts",
        ]),
    shared(
        "Web", ["Primitives", "JSON", "HTTP", "Security", "Domain", "Edge"], exclude: ["Assets", "Fixed"],
        embedsFiles: true),
    shared(
        "Service",
        [
            "CZlib", "Primitives", "JSON", "Telemetry", "Reactor", "Postgres", "RPC", "HTTP", "Feed", "Security",
            "Domain", "Contracts", "Edge",
        ]),

    service("Accounts", ["CZlib"]),
    service("Ingestion", ["CZlib"], excluding: ["keys-columns.txt", "Provisional/README.md"]),
    service(
        "Query", ["Statistics"], excluding: ["Statistics", "RECIPES.md", "Events/README.md", "Payments/README.md"]),
    // Apart from requests and consents, which it cannot see; they see the one type that it makes public.
    .target(
        name: "Statistics", dependencies: foundation, path: "Services/Query/Statistics",
        exclude: ["Privacy.md", "columns.txt"], swiftSettings: settings, plugins: [.plugin(name: "EmbeddedFiles")]),
    service("Dispatcher", ["CZlib"], excluding: dispatcherDocuments),
    service("Track4Run"),

    // What compiles files into modules: no part of any of them.
    .executableTarget(name: "EmbedFiles", path: "Shared/EmbeddedFiles/Program", swiftSettings: settings),
    .plugin(
        name: "EmbeddedFiles", capability: .buildTool(), dependencies: ["EmbedFiles"],
        path: "Shared/EmbeddedFiles/Plugin"),

    .target(name: "SeededRandom", path: "Tests/Support/SeededRandom", swiftSettings: settings),
    .target(
        name: "ReactorTesting", dependencies: ["Reactor"], path: "Tests/Support/ReactorTesting",
        swiftSettings: settings),
    .target(
        name: "PostgresTesting", dependencies: ["Postgres", "Primitives", "Reactor"],
        path: "Tests/Support/PostgresTesting", swiftSettings: settings),
    .target(
        name: "OpenAPITesting", dependencies: ["Primitives", "JSON", "HTTP", "Domain"],
        path: "Tests/Support/OpenAPITesting", swiftSettings: settings),
    .target(
        name: "ServiceTesting", dependencies: foundation + ["PostgresTesting", "ReactorTesting", "OpenAPITesting"],
        path: "Tests/Support/ServiceTesting", swiftSettings: settings),
    .target(
        name: "SimulatedPeople", dependencies: ["Primitives", "Domain", "Contracts", "SeededRandom"],
        path: "Tests/Support/SimulatedPeople", swiftSettings: settings),
    .target(
        name: "LoadGenerator",
        dependencies: [
            "CLinux", "Primitives", "Reactor", "Security", "Domain", "Contracts", "SeededRandom", "SimulatedPeople",
        ],
        path: "Tests/Support/LoadGenerator", swiftSettings: settings),
    .target(
        name: "SuiteClient", dependencies: outside + ["SeededRandom"], path: "Tests/Support/SuiteClient",
        swiftSettings: settings),
    .target(
        name: "ProcessTesting",
        dependencies: ["Primitives", "Reactor", "Postgres", "RPC", "HTTP", "Security", "ReactorTesting"],
        path: "Tests/Support/ProcessTesting", swiftSettings: settings),

    .executableTarget(
        name: "Simulator",
        dependencies: outside + ["CLinux", "SuiteClient", "SeededRandom", "SimulatedPeople", "LoadGenerator"],
        path: "Tests/Simulator", swiftSettings: settings, plugins: [.plugin(name: "EmbeddedFiles")]),
    .executableTarget(
        name: "Bench",
        dependencies: foundation + [
            "CLinux", "SeededRandom", "SimulatedPeople", "LoadGenerator", "SuiteClient", "ProcessTesting",
            "PostgresTesting", "ReactorTesting",
        ],
        path: "Tests/Benchmarks/Bench", swiftSettings: settings),
    .executableTarget(name: "Baseline", path: "Tests/Benchmarks/Baseline"),

    tests("Shared", "Primitives"),
    tests("Shared", "JSON", ["Primitives"]),
    tests("Shared", "Telemetry", ["Primitives", "JSON"]),
    tests("Shared", "Reactor", ["Primitives", "Telemetry", "COpenSSL", "CLinux", "ReactorTesting"]),
    tests("Shared", "Postgres", ["Primitives", "JSON", "Telemetry", "Reactor", "PostgresTesting"]),
    tests("Shared", "RPC", ["Primitives", "JSON", "Telemetry", "Reactor", "ReactorTesting"]),
    tests("Shared", "HTTP", ["Primitives", "JSON", "Telemetry", "Reactor", "CZlib"]),
    tests(
        "Shared", "Feed",
        ["Primitives", "JSON", "Telemetry", "Reactor", "Postgres", "RPC", "PostgresTesting", "ReactorTesting"]),
    tests("Shared", "Security", ["Primitives", "JSON"]),
    tests("Shared", "Web", ["Primitives", "JSON", "HTTP", "Domain"]),
    tests("Shared", "Domain", ["Primitives"]),
    tests(
        "Shared", "Edge",
        [
            "Primitives", "JSON", "Telemetry", "Reactor", "Postgres", "RPC", "HTTP", "Feed", "Security", "Contracts",
            "Service", "PostgresTesting", "ReactorTesting", "ServiceTesting",
        ]),
    tests(
        "Shared", "Service",
        [
            "Primitives", "JSON", "Telemetry", "Reactor", "Postgres", "RPC", "HTTP", "Feed", "Security", "Contracts",
            "Edge", "PostgresTesting", "ReactorTesting", "ServiceTesting",
        ]),
    .testTarget(
        name: "OpenAPITestingTests", dependencies: ["Primitives", "JSON", "HTTP", "OpenAPITesting"],
        path: "Tests/Support/OpenAPITestingTests", swiftSettings: settings),
    .testTarget(
        name: "SimulatedPeopleTests",
        dependencies: ["Primitives", "Domain", "Contracts", "SeededRandom", "SimulatedPeople"],
        path: "Tests/Support/SimulatedPeopleTests", swiftSettings: settings),
    .testTarget(
        name: "LoadGeneratorTests",
        dependencies: [
            "Primitives", "JSON", "Reactor", "HTTP", "Security", "Domain", "Contracts", "SeededRandom", "LoadGenerator",
        ],
        path: "Tests/Support/LoadGeneratorTests", swiftSettings: settings),
    .testTarget(
        name: "SuiteClientTests", dependencies: outside + ["SuiteClient"], path: "Tests/Support/SuiteClientTests",
        swiftSettings: settings),
    .testTarget(
        name: "SimulatorTests",
        dependencies: outside + ["SeededRandom", "SimulatedPeople", "LoadGenerator", "SuiteClient", "Simulator"],
        path: "Tests/SimulatorTests", swiftSettings: settings),
    tests("Services", "Accounts", serviceTesting + ["COpenSSL", "ProcessTesting"]),
    tests("Services", "Ingestion", serviceTesting + ["CZlib", "ProcessTesting"]),
    tests("Services", "Query", serviceTesting + ["Statistics", "ProcessTesting", "Ingestion"]),
    tests(
        "Services", "Dispatcher", serviceTesting + ["SimulatedPeople", "ProcessTesting", "SuiteClient"],
        excluding: ["World/README.md"]),
    tests("Services", "Track4Run", serviceTesting),
    // The real executables: named here so that they are built, too.
    .testTarget(
        name: "SuiteTests",
        dependencies: foundation + [
            "PostgresTesting", "ProcessTesting", "ReactorTesting", "SuiteClient", "LoadGenerator", "Accounts",
            "Ingestion", "Query", "Dispatcher", "Track4Run", "Simulator",
        ],
        path: "Tests/Suite", swiftSettings: settings),
]

let fuzzedTargets: [Target] = [
    system("CLinux"),
    system("COpenSSL", pkgConfig: "openssl"),
    system("CZlib", pkgConfig: "zlib"),
    shared("Primitives"),
    shared("JSON", ["Primitives"]),
    shared("Telemetry", ["Primitives", "JSON"]),
    shared("Reactor", ["CLinux", "COpenSSL", "Primitives", "JSON", "Telemetry"]),
    shared("RPC", ["Primitives", "JSON", "Telemetry", "Reactor"]),
    shared("HTTP", ["CZlib", "Primitives", "JSON", "Telemetry", "Reactor"]),
    shared("Domain", ["Primitives"], exclude: ["Places/Table/make.py"]),
    shared("Security", ["COpenSSL", "Primitives", "JSON"]),
    .target(
        name: "Passkeys", dependencies: ["Security"], path: "Services/Accounts/Passkeys/Reading",
        swiftSettings: settings),
    .target(
        name: "Pictures", dependencies: ["CZlib"], path: "Services/Accounts/Picture/Cleaning",
        swiftSettings: settings),
    .target(
        name: "Imports", dependencies: ["CZlib", "Primitives", "JSON", "Domain"], path: "Services/Ingestion/Imports",
        swiftSettings: settings),
    .target(
        name: "Samples", dependencies: ["Primitives", "Domain"], path: "Services/Ingestion",
        exclude: ["Migrations", "openapi.json"],
        sources: ["Blocks"]
            + [
                "AscendingTimes", "ColumnReader", "ColumnWriter", "IndexRuns", "PositionColumn", "SampleBatch",
                "SampleCodec", "SampleColumn", "ValueColumn", "Zigzag", "ZoneColumn",
            ].map { "Samples/\($0).swift" },
        swiftSettings: settings),
    // The form of samples, without the neighbours' methods.
    .target(
        name: "Contracts", dependencies: ["Primitives", "Domain"], path: "Shared/Contracts",
        sources: ["SampleSeries.swift"], swiftSettings: settings),
    .target(
        name: "UploadParsing", dependencies: ["Primitives", "JSON", "Domain", "Contracts"],
        path: "Services/Ingestion/Uploads/Parsing", swiftSettings: settings),
    .executableTarget(
        name: "Fuzz",
        dependencies: [
            "Primitives", "JSON", "Reactor", "RPC", "HTTP", "Domain", "Passkeys", "Pictures", "Imports",
            "Samples", "Contracts", "UploadParsing",
        ],
        path: "Tests/Fuzz", exclude: ["Corpus"], swiftSettings: settings,
        linkerSettings: [
            .unsafeFlags(["-sanitize=address", fuzzing ?? ""]),
            .linkedLibrary("stdc++"),
        ]),
]

/// The dispatcher as a library, and the world of its tests around it.
let worldTargets: [Target] =
    targets.filter {
        !$0.isTest && $0.type != .executable
            || ["CLinux", "CLibPQ", "COpenSSL", "CZlib", "EmbedFiles"].contains($0.name)
    }
    + [
        .target(
            name: "Dispatcher", dependencies: foundation + ["CZlib"], path: "Services/Dispatcher",
            exclude: dispatcherDocuments + ["main.swift", "columns.txt", "Pages/Assets", "Pages/paths"],
            swiftSettings: settings + [.unsafeFlags(["-enable-testing"])], plugins: [.plugin(name: "EmbeddedFiles")]),
        .target(
            name: "SimulatedSOS", dependencies: foundation + ["Dispatcher", "SeededRandom"],
            path: "Tests/Services/Dispatcher/World/Simulated",
            swiftSettings: settings + [.unsafeFlags(["-enable-testing"])]),
        .target(
            name: "SimulatedDetection", dependencies: foundation + ["Dispatcher", "SeededRandom", "SimulatedPeople"],
            path: "Tests/Services/Dispatcher/Monitoring/Simulated",
            swiftSettings: settings + [.unsafeFlags(["-enable-testing"])]),
        .executableTarget(
            name: "SOSWorld",
            dependencies: ["Dispatcher", "SimulatedSOS", "SimulatedDetection", "Primitives", "Reactor"],
            path: "Tests/Benchmarks/SOSWorld", swiftSettings: settings),
    ]

let package =
    if fuzzing != nil {
        Package(
            name: "trackme", products: [.executable(name: "trackme-fuzz", targets: ["Fuzz"])], targets: fuzzedTargets)
    } else if simulating {
        Package(
            name: "trackme", products: [.executable(name: "trackme-sos-world", targets: ["SOSWorld"])],
            targets: worldTargets)
    } else {
        Package(name: "trackme", products: products, targets: targets)
    }
