/// Why a picture is refused.
enum PictureFault: Error, Equatable {
    case unreadable
    case tooLarge
    case unusual
}
