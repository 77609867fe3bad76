import HTTP
import Security
import Service

/// `GET /me/picture`, `PUT /me/picture`, `DELETE /me/picture`, by individuals.
struct PictureRoutes: Sendable {
    private static let mediaTypes = Picture.Format.allCases.map { MediaType($0.mediaType) }

    let pictures: Pictures

    func add(to routes: inout ServiceRoutes) {
        let pictures = pictures
        routes.answer(.get, "/me/picture", access: .logIn(.individual)) { _, caller in
            guard let picture = try await pictures.get(caller.account) else {
                throw Refusal(.notFound, "no-picture", "There is no picture.")
            }
            var response = HTTPResponse.bytes(picture.bytes, as: MediaType(picture.format.mediaType)).uncached
            // Opened by itself it is a picture, and runs nothing.
            response.fields["Content-Security-Policy"] = "default-src 'none'; sandbox"
            return response
        }
        routes.answer(
            .put, "/me/picture", access: .logIn(.individual), bodyBytesMax: Picture.bytesMax
        ) { request, caller in
            let type = try request.content(among: Self.mediaTypes).essence
            guard let format = Picture.Format.allCases.first(where: { $0.mediaType == type }) else {
                throw Problem.internalError
            }
            let picture: Picture
            do throws(PictureFault) { picture = try Picture(format, cleaning: request.bytes) } catch {
                throw error.refusal
            }
            try await pictures.put(picture, of: caller.account)
            return .noContent
        }
        routes.answer(.delete, "/me/picture", access: .logIn(.individual)) { _, caller in
            try await pictures.remove(caller.account)
            return .noContent
        }
    }
}
