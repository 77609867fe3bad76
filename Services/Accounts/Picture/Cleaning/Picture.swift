/// A person's picture (ACC-02), as it is kept: a JPEG or PNG that was taken apart and put together again from the parts that show
/// something. What tells where and by whom it was taken, previews, and whatever is hidden in other parts or behind the end is gone.
struct Picture: Equatable, Sendable {
    enum Format: UInt8, CaseIterable, Sendable {
        case jpeg = 1
        case png = 2

        var mediaType: String {
            switch self {
            case .jpeg: "image/jpeg"
            case .png: "image/png"
            }
        }

        /// Of files.
        var suffix: String {
            switch self {
            case .jpeg: "jpg"
            case .png: "png"
            }
        }
    }

    static let bytesMax = 256 << 10
    /// Pixels of each side.
    static let sideMax = 1024

    let format: Format
    let bytes: [UInt8]

    /// Takes a file apart. Throws `PictureFault`.
    init(_ format: Format, cleaning file: [UInt8]) throws(PictureFault) {
        self.format = format
        bytes =
            switch format {
            case .jpeg: try JPEGCleaner.clean(file)
            case .png: try PNGCleaner.clean(file)
            }
    }

    // MARK: As it is stored

    /// A byte for the format, and the file.
    var stored: [UInt8] { [format.rawValue] + bytes }

    init?(stored: [UInt8]) {
        guard let format = stored.first.flatMap(Format.init(rawValue:)) else { return nil }
        self.format = format
        bytes = Array(stored.dropFirst())
    }

    static func check(width: Int, height: Int) throws(PictureFault) {
        guard width > 0, height > 0 else { throw .unreadable }
        guard width <= sideMax, height <= sideMax else { throw .tooLarge }
    }
}
