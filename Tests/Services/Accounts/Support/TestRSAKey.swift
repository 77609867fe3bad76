import COpenSSL
import Primitives
import Testing

@testable import Security

/// A key of RSA of 2048 bits, as the TPM of a computer has one; for tests alone.
struct TestRSAKey {
    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDDJRH1JVXpPYYx
        ZNksubHYUh3iVwmE2zeILwDeYQXPK+wC5iH/wZ1PtR2813ak/KZNh9DK5lA7bwh2
        Ei39iTnaWJmlOgvo6/ptqcuq3f3F8YtMav+IMEP9OQPjQhqfP8q7ecoeOhMuNres
        At+a82z1Gt+AF5D5EOHCIIlAU3ubRWYx2Kzwc0KK0AeNwNaGPvBhroPn7ZYCW1iU
        8HdcH38QGTuRBKgkKnkhnx3+8AM6Lemg95gnrhWxEV3rkSQFPHfUSi1GBdN+YtdT
        ttz+gYxNYz6Ri405RduaTi+xFtWUrxhUHRkRIi6ENjlr1m3HCEb4rB7BO59gx2Gc
        BiA2eZyzAgMBAAECggEAKRONgx+XxN/Jdm429J4l3FX0qmcNvuRx/P1/3k9n7KLf
        LAELGQ3FMjj6iHyGIdZ4nws+nOb77nbBvjC3c43GGrrZpJjiVuYNMbYzA8V0nIzq
        eGxxW1ZliVDOC7Enb2v7HZlWPSSWUvz7jn6QWMpynelJMGpFftfZ3YYBvgOUmisT
        4O4sCcBuJI6bNnL6f6r8Fyy+5lhKvHa4N50y1slwdLiI7nPF1tEkwzLwoB9ntc8Z
        thUayuuDXDhEbWl3iMVn4da7s24jW6WekuuTu1eoBxmSt/deTH3Gjldgkbt8mZW0
        flObcRhmzoqLBpjAQYAEvMeTm/c93mucsSuD91SjSQKBgQD5E5DV5dQsvLNz9YZV
        sMe3CJHLrdcxq7GgYtZVuroBDzehM4hFZF0cqybV7rsyF4MNQy4L+MEornYIrd5W
        aqK9vGfwAPlrD36ZSWMeDKY7amAp7NJ+fw+FzoSyZfjz/ozonjSauRGz0nTUIx6Y
        IICg72p6VMXDnndix/nFQsmztwKBgQDIkbm/B5G+jFlDf+orRaLzKS5sDAF56CUY
        aO5+kQFLyLVB0+zNJY2Rh90bfLYN2fZ9xpDpnp36LCBu/HPR9eK9BVVcFzItIKde
        rEGyKQCSjCurTSYPHqTOh1RzArRbfS/Jm16BMFX1zjdRVQtdSEDBNUAThF16HbLx
        EA8nqXb25QKBgQDmBT6tepkuU3n6bdUIT8CwdLaH/dwM3/2jG4PLGi1qiw4Zzchc
        JSqkLh8oVFcGFJaPaeodXjWsBym0LDV3YvU1+ceW6p9sUpvcndxuRMpDdqKmNTHT
        Zi4EqUr8oZV+ZybkMC5ucNk7UvFXc7NuVB3WAiQ4Iw+b7z1buUgd9ublEwKBgAbt
        wdTvlgFXJ95FFPnZtf9gdNIWuBZWBrIJLfQBXmIX1OspPwz3NyTH5MOGU2O3G+TM
        b0UizaJO0/ABmJ6wN9z/yiscQgd9EUsb+EkHUZW+cePBDoeHL3pTAn/WoBRpBrWY
        QHOGD/Il5ZNRtMrMLDCAfm4uLGyDiiL5wwxDtnBhAoGAazyxPY+sOE96a1YUP6Qy
        DI3q8J/QZfYrDm7lnL53TnfHxDgEA+Av1NhY2beiy+ieLtybrNkAzp5WbpoQZk/Z
        b5+fSOxQMefS1VjVxQHOqBcsge1POMLEUaeyH7Zx4aH1UltdhxaM9naRWOeFJE7N
        9z19Cn8SkiDXMCw+OnTvvCw=
        -----END PRIVATE KEY-----

        """

    /// The most significant byte first.
    static let modulus =
        bytes(
            hex: """
                c32511f52555e93d863164d92cb9b1d8521de2570984db37882f00de6105cf2bec02e621ffc19d4fb51dbcd776a4fca6\
                4d87d0cae6503b6f0876122dfd8939da5899a53a0be8ebfa6da9cbaaddfdc5f18b4c6aff883043fd3903e3421a9f3fca\
                bb79ca1e3a132e36b7ac02df9af36cf51adf801790f910e1c2208940537b9b456631d8acf073428ad0078dc0d6863ef0\
                61ae83e7ed96025b5894f0775c1f7f10193b9104a8242a79219f1dfef0033a2de9a0f79827ae15b1115deb9124053c77\
                d44a2d4605d37e62d753b6dcfe818c4d633e918b8d3945db9a4e2fb116d594af18541d1911222e8436396bd66dc70846\
                f8ac1ec13b9f60c7619c062036799cb3
                """) ?? []

    /// RSASSA-PKCS1-v1_5 with SHA-256.
    static func sign(_ message: [UInt8]) throws -> [UInt8] {
        let key = try PrivateKeyText.key(pem)
        defer { EVP_PKEY_free(key) }
        let context = try #require(EVP_MD_CTX_new())
        defer { EVP_MD_CTX_free(context) }
        try #require(EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1)
        var count = modulus.count
        var signature = [UInt8](repeating: 0, count: count)
        try #require(EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
        return signature
    }
}
