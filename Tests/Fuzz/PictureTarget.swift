@testable import Pictures

/// People's pictures: no crash; what was cleaned is a picture of the same kind, not larger, and cleaning it again changes nothing.
enum PictureTarget {
    static func run(_ input: [UInt8]) -> Int32 {
        for format in Picture.Format.allCases {
            guard let picture = try? Picture(format, cleaning: input) else { continue }
            precondition(picture.bytes.count <= input.count, "cleaning adds something")
            precondition(
                (try? Picture(format, cleaning: picture.bytes)) == picture, "cleaning twice is not cleaning once")
            precondition(Picture(stored: picture.stored) == picture, "what is stored is another picture")
        }
        return 0
    }
}
