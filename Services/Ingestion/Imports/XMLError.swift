/// Why a document was not read further, and where (lines from 1). What came before it has been read.
enum XMLError: Error, Equatable, CustomStringConvertible {
    case malformed(line: Int, reason: String)
    /// The document ends in the middle.
    case truncated(line: Int)
    case entityDeclared(line: Int)
    case tooDeep(line: Int)
    case tooManyAttributes(line: Int)
    case textTooLong(line: Int)
    case markupTooLong(line: Int)
    /// The outermost element is another one than the format has.
    case otherFormat(line: Int, expected: String)

    var line: Int {
        switch self {
        case .malformed(let line, _), .truncated(let line), .entityDeclared(let line), .tooDeep(let line),
            .tooManyAttributes(let line), .textTooLong(let line), .markupTooLong(let line), .otherFormat(let line, _):
            line
        }
    }

    var description: String {
        switch self {
        case .malformed(let line, let reason): "Line \(line) is not well-formed XML: \(reason)."
        case .truncated(let line): "The file ends in the middle, at line \(line)."
        case .entityDeclared(let line): "Line \(line) declares an entity, which is not accepted."
        case .tooDeep(let line):
            "At line \(line) there are more than \(XMLPushParser.depthMax) elements inside of each other."
        case .tooManyAttributes(let line):
            "An element at line \(line) has more than \(XMLPushParser.attributesMax) attributes."
        case .textTooLong(let line):
            "The text of an element at line \(line) is longer than \(XMLPushParser.textBytesMax) bytes."
        case .markupTooLong(let line):
            "A tag or comment at line \(line) is longer than \(XMLPushParser.markupBytesMax) bytes."
        case .otherFormat(let line, let expected):
            "The element at line \(line) is not the beginning of a \(expected) file."
        }
    }
}
