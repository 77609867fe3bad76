/// Why a document was not read further, and where (lines from 1). What came before it has been read.
enum XMLError: Error, Equatable, CustomStringConvertible {
    /// The document ends in the middle.
    case truncated(line: Int)
    case markupTooLong(line: Int)
    /// The outermost element is another one than the format has.
    case otherFormat(line: Int, expected: String)

    var line: Int {
        switch self {
        case .truncated(let line), .markupTooLong(let line), .otherFormat(let line, _): line
        }
    }

    var reason: ImportReport.Failure.Reason {
        switch self {
        case .truncated: .truncated
        case .markupTooLong: .damaged
        case .otherFormat: .otherFormat
        }
    }

    var description: String {
        switch self {
        case .truncated(let line): "The file ends in the middle, at line \(line)."
        case .markupTooLong(let line):
            "A tag or comment at line \(line) is longer than \(XMLScanner.markupBytesMax) bytes."
        case .otherFormat(let line, let expected):
            "The element at line \(line) is not the beginning of a \(expected) file."
        }
    }
}

/// What is not well-formed, and is passed over: what follows is read.
enum XMLFault: String {
    /// A tag that another one begins in, without a name, or with something that is no attribute.
    case tag
    /// The end of an element that did not begin, or an element without an end.
    case end
    /// One element more inside of others than are kept track of: the innermost of them is taken to be over.
    case depth
    case attributes
    case text

    var explanation: String {
        switch self {
        case .tag: "A tag is not well-formed."
        case .end: "An element's end is missing, or there is an end without an element."
        case .depth:
            "More than \(XMLScanner.depthMax) elements are inside of each other: the ends of some are missing."
        case .attributes: "An element has more than \(XMLScanner.attributesMax) attributes."
        case .text: "The text of an element is longer than \(XMLScanner.textBytesMax) bytes."
        }
    }
}
