import HTTP
import JSON
import Postgres
import Primitives
import ServiceTesting
import Testing

@testable import Accounts

extension AccountsTest {
    func put(picture: [UInt8], as type: String, _ who: LoggedIn) async throws -> HTTPResponse {
        try await service.call(
            .put, "/accounts/v1/me/picture", token: who.token, fields: ["Content-Type": type], body: picture)
    }
}

/// Files that are pictures, and parts of them.
enum TestPicture {
    /// 2 by 2 pixels, without and with a text.
    static let png = decoded(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR42mMQUDAAIgYIBQAKDgGBvjJBfAAAAABJRU5ErkJggg==")
    static let pngWithText = decoded(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEnRFWHRDb21tZW50AFZpYSBSb21hIDGGTmWVAAAAEElEQVR42mMQUDAAIgYIBQAKDgGBvjJBfAAAAABJRU5ErkJggg=="
    )
    static let widePNG = decoded(
        "iVBORw0KGgoAAAANSUhEUgAABAEAAAABCAIAAAAgriBcAAAAH0lEQVR42u3CAQ0AAAgDICM8ghHsn84ghzHZU1VVez5T74BwypQUOQAAAABJRU5ErkJggg=="
    )
    /// With a chunk ABCD, which no decoder may pass over.
    static let oddPNG = decoded(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAAUFCQ0R4KrtWxAAAABBJREFUeNpjEFAwACIGCAUACg4Bgb4yQXwAAAAASUVORK5CYII="
    )

    private static func decoded(_ text: String) -> [UInt8] { Base64.standard.decode(text) ?? [] }

    static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    static func frame(
        _ marker: UInt8 = 0xC0, precision: UInt8 = 8, width: Int = 2, height: Int = 2, components: UInt8 = 3
    ) -> [UInt8] {
        segment(
            marker,
            [precision, UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8), UInt8(width & 0xFF), components]
                + (0..<components).flatMap { [$0 + 1, 0x11, 0] })
    }

    static let tables =
        segment(0xDB, [0] + [UInt8](repeating: 1, count: 64)) + segment(0xC4, [0] + [UInt8](repeating: 0, count: 16))
    static let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4]

    static func jpeg(_ parts: [UInt8]...) -> [UInt8] { [0xFF, 0xD8] + parts.flatMap(\.self) + [0xFF, 0xD9] }
}

@Suite struct PictureTests {
    private func clean(_ format: Picture.Format, _ file: [UInt8]) -> Result<[UInt8], PictureFault> {
        Result { () throws(PictureFault) in try Picture(format, cleaning: file).bytes }
    }

    @Test(
        "ACC-02b: Of a JPEG the parts that show something stay; Exif, comments, previews and what lies behind the end go"
    )
    func jpeg() {
        let (tables, frame, scan) = (TestPicture.tables, TestPicture.frame(), TestPicture.scan)
        let adobe = TestPicture.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
        let whole = TestPicture.jpeg(adobe, tables, frame, scan, scan)
        let told = TestPicture.jpeg(
            TestPicture.segment(0xE0, Array("JFIF".utf8)), TestPicture.segment(0xE1, Array("Exif 45.46N".utf8)), adobe,
            TestPicture.segment(0xFE, Array("by Anna".utf8)), [0xFF, 0xFF], tables, frame, scan,
            TestPicture.segment(0xE2, [1]), scan)
        #expect(clean(.jpeg, told + Array("PK hidden".utf8)) == .success(whole))
        #expect(clean(.jpeg, whole) == .success(whole))
        #expect(clean(.jpeg, TestPicture.jpeg(tables, TestPicture.frame(0xC2, components: 1), scan)).isSuccess)
    }

    @Test("ACC-02b: JPEG files that are broken, too large or unusual are refused as such")
    func badJPEG() {
        let (tables, frame, scan) = (TestPicture.tables, TestPicture.frame(), TestPicture.scan)
        let whole = TestPicture.jpeg(tables, frame, scan)
        for count in 0..<(whole.count) {
            #expect(clean(.jpeg, Array(whole.prefix(count))) == .failure(.unreadable), "\(count) bytes")
        }
        let bad: [([UInt8], PictureFault)] = [
            (TestPicture.jpeg(tables, frame), .unreadable), (TestPicture.jpeg(tables, scan), .unreadable),
            (TestPicture.jpeg(tables, frame, frame, scan), .unreadable), (TestPicture.png, .unreadable),
            (TestPicture.jpeg(TestPicture.frame(width: 1025), scan), .tooLarge),
            (TestPicture.jpeg(TestPicture.frame(height: 65535), scan), .tooLarge),
            (TestPicture.jpeg(TestPicture.frame(height: 0), scan), .unreadable),
            (TestPicture.jpeg(TestPicture.frame(components: 4), scan), .unusual),
            (TestPicture.jpeg(TestPicture.frame(precision: 12), scan), .unusual),
            (TestPicture.jpeg(TestPicture.frame(0xC3), scan), .unusual),
            (TestPicture.jpeg(TestPicture.frame(0xC9), scan), .unusual),
            (TestPicture.jpeg(TestPicture.frame() + [UInt8](repeating: 7, count: 3), scan), .unreadable),
            (TestPicture.jpeg(frame, [0xFF, 0x01, 0, 2], scan), .unreadable),
            (TestPicture.jpeg(frame, [0xFF, 0xE1, 0, 1], scan), .unreadable),
            (TestPicture.jpeg(frame, (0..<65).flatMap { _ in scan }), .unreadable),
        ]
        for (number, (file, fault)) in bad.enumerated() { #expect(clean(.jpeg, file) == .failure(fault), "\(number)") }
    }

    @Test("ACC-02b: Of a PNG texts go; broken, large and odd ones are refused")
    func png() {
        #expect(clean(.png, TestPicture.pngWithText) == .success(TestPicture.png))
        #expect(clean(.png, TestPicture.png + [1, 2, 3]) == .success(TestPicture.png))
        #expect(clean(.png, TestPicture.widePNG) == .failure(.tooLarge))
        #expect(clean(.png, TestPicture.oddPNG) == .failure(.unusual))
        for count in 0..<(TestPicture.png.count) {
            #expect(clean(.png, Array(TestPicture.png.prefix(count))) == .failure(.unreadable), "\(count) bytes")
        }
        for place in 0..<(TestPicture.png.count) {
            var changed = TestPicture.png
            changed[place] ^= 1
            #expect(clean(.png, changed) == .failure(.unreadable), "changed at \(place)")
        }
    }

    @Test(
        "ACC-02b NFR-05: A person puts, sees, replaces and removes a picture, which rests sealed; nobody else gets to see it"
    )
    func way() async throws {
        try await AccountsTest.with { test in
            let anna = try await test.individual()
            let other = try await test.individual(TestPerson(number: 1))
            #expect(try await test.send(.get, "/me/picture", token: anna.token).code == "no-picture")
            #expect(try await test.send(.get, "/me", token: anna.token).json["picture_changed_at"] == nil)
            #expect(try await test.put(picture: TestPicture.pngWithText, as: "image/png", anna).status == .noContent)
            let seen = try await test.service.call(.get, "/accounts/v1/me/picture", token: anna.token)
            #expect(try await seen.collectedBody() == TestPicture.png)
            #expect(seen.contentType == "image/png" && seen.fields["Cache-Control"] == "no-store")
            #expect(try await test.send(.get, "/me/picture", token: other.token).status == 404)
            let stored = try await test.database.query("select content from picture", as: [UInt8].self)
            #expect(stored.count == 1 && !stored[0].contains(TestPicture.png.suffix(16)))
            let jpeg = TestPicture.jpeg(TestPicture.tables, TestPicture.frame(), TestPicture.scan)
            #expect(try await test.put(picture: jpeg, as: "image/jpeg", anna).status == .noContent)
            let replaced = try await test.service.call(.get, "/accounts/v1/me/picture", token: anna.token)
            #expect(try await replaced.collectedBody() == jpeg && replaced.contentType == "image/jpeg")
            let since = try await test.send(.get, "/me", token: anna.token).json["picture_changed_at"]?.text
            #expect(since == test.clock.now().description)
            for (file, type, status) in [
                (jpeg, "image/png", HTTPStatus.unprocessableContent), (jpeg, "image/gif", .unsupportedMediaType),
                (TestPicture.widePNG, "image/png", .unprocessableContent),
            ] {
                #expect(try await test.put(picture: file, as: type, anna).status == status)
            }
            #expect(try await test.send(.delete, "/me/picture", token: anna.token).status == 204)
            #expect(try await test.send(.delete, "/me/picture", token: anna.token).status == 204)
            #expect(try await test.send(.get, "/me/picture", token: anna.token).status == 404)
            let company = try await test.company()
            #expect(try await test.put(picture: jpeg, as: "image/jpeg", company).status == .forbidden)
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
