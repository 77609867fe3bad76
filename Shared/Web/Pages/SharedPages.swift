import Domain

/// The templates and words that all services' pages share.
enum SharedPages {
    static let templates: [String: [UInt8]] = [
        "layout": PackageResources.layout_html, "problem": PackageResources.problem_html,
    ]
    static let words: [Language: [UInt8]] = [
        .italian: PackageResources.it_json, .english: PackageResources.en_json,
    ]
}
