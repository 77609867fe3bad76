extension PictureFault {
    var refusal: Refusal {
        switch self {
        case .unreadable:
            Refusal(.invalid, "unreadable-picture", "The picture is broken, or is not what its Content-Type says.")
        case .tooLarge:
            Refusal(
                .invalid, "picture-too-large",
                "A picture has at most \(Picture.sideMax) by \(Picture.sideMax) pixels: make it smaller.")
        case .unusual:
            Refusal(
                .invalid, "unusual-picture",
                "The picture is of a kind that not every browser shows (CMYK, arithmetic or lossless coding, 12 bits): save it as a usual JPEG or PNG."
            )
        }
    }
}
