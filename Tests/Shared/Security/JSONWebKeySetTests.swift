import JSON
import Primitives
import Testing

@testable import Security

@Suite struct JSONWebKeySetTests {
    private let published = """
        {"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",\
        "kid":"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k","use":"sig","alg":"EdDSA"}]}
        """

    private func decode(_ text: String) throws -> JSONWebKeySet {
        try JSONDecoder().decode(JSONWebKeySet.self, from: utf8(text))
    }

    @Test("The key of RFC 8037, appendix A.2, published and read again")
    func rfc8037() throws {
        let set = try decode(published)
        let key = try #require(set["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"])
        #expect(hex(key.bytes) == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        #expect(String(decoding: try JSONEncoder().encode(JSONWebKeySet([key])), as: UTF8.self) == published)
        #expect(JSONWebKeySet([key, key]) == set)
    }

    @Test("Keys of other kinds and uses are passed over")
    func others() throws {
        let set = try decode(
            """
            {"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB","kid":"a"},{"kty":"EC","crv":"P-256","x":"AA","y":"AA"},
            {"kty":"OKP","crv":"X25519","x":"AA"},{"kty":"OKP","crv":"Ed25519","x":"AA","use":"enc"},
            {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}
            """)
        #expect(set.count == 1)
        #expect(set["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"] != nil, "without a kid, by its thumbprint")
    }

    @Test(
        "Malformed sets are refused",
        arguments: [
            "{}", #"{"keys":1}"#, #"{"keys":[{}]}"#, #"{"keys":[{"kty":"OKP","crv":"Ed25519"}]}"#,
            #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"}]}"#,
            #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"A=A"}]}"#,
        ])
    func malformed(text: String) {
        #expect(throws: JSONError.self) { try decode(text) }
    }

    @Test("Two keys with one id, and more keys than the limit, are refused")
    func limits() {
        let key = #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"k"}"#
        #expect(throws: JSONError.self) { try decode(#"{"keys":[\#(key),\#(key)]}"#) }
        let many = repeatElement(#"{"kty":"RSA"}"#, count: 65).joined(separator: ",")
        #expect(throws: JSONError.self) { try decode(#"{"keys":[\#(many)]}"#) }
    }
}
