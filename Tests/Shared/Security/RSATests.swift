import Primitives
import Testing

@testable import Security

@Suite struct RSATests {
    /// The key of RFC 7515, appendix A.2.
    private static let modulus =
        "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"

    @Test("The signature of RFC 7515, appendix A.2, is valid, and a changed, cut or lengthened one is not")
    func known() throws {
        let key = try RSAPublicKey(modulus: try #require(Base64.url.decode(Self.modulus)), exponent: [1, 0, 1])
        let message = utf8(
            "eyJhbGciOiJSUzI1NiJ9"
                + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ")
        let signature = try #require(
            Base64.url.decode(
                "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
            ))
        #expect(key.isValid(signature, for: message))
        #expect(!key.isValid(signature, for: message + [0]))
        for changed in tampered(signature) + [signature + [0], [0] + signature] {
            #expect(!key.isValid(changed, for: message))
        }
    }

    @Test("Keys that are too short, too long or even, and other exponents than 65537 are refused")
    func refused() throws {
        let modulus = try #require(Base64.url.decode(Self.modulus))
        for (modulus, exponent): ([UInt8], [UInt8]) in [
            ([], [1, 0, 1]), (modulus, []), (modulus, [3]), (modulus, [1, 0, 0]), (modulus, [0, 1, 0, 1]),
            (Array(modulus.dropFirst()), [1, 0, 1]), ([0] + modulus, [1, 0, 1]), (modulus.dropLast() + [0], [1, 0, 1]),
            (modulus + modulus + [1], [1, 0, 1]),
        ] {
            #expect(throws: SecurityError.self) { try RSAPublicKey(modulus: modulus, exponent: exponent) }
        }
    }
}
