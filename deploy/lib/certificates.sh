# A private authority and the certificates it issues (EC P-256), by the openssl program.

readonly AUTHORITY_DAYS=3650
readonly CERTIFICATE_DAYS=397
readonly CERTIFICATE_RENEWAL_DAYS=30

# Arguments: directory, common name. Makes ca.pem and ca.key, again when less than a certificate's life is left.
authority_ensure() {
    own_directory "$1"
    if [[ -s $1/ca.key ]] && openssl x509 -in "$1/ca.pem" -noout -checkend $((CERTIFICATE_DAYS * 86400)) >/dev/null 2>&1; then
        return 0
    fi
    (umask 077 && openssl_quietly genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1/ca.key")
    openssl_quietly req -new -x509 -key "$1/ca.key" -sha256 -days "$AUTHORITY_DAYS" -subj "/O=TrackMe/CN=$2" \
        -addext basicConstraints=critical,CA:TRUE,pathlen:0 -addext keyUsage=critical,keyCertSign,cRLSign -out "$1/ca.pem"
}

# Issues NAME for both ends of a connection, unless a good one is there that lasts long enough.
# Arguments: the authority's directory, certificate file, key file, name.
certificate_ensure() {
    local authority=$1 certificate=$2 key=$3 name=$4
    if [[ -s $key ]] && openssl x509 -in "$certificate" -noout -checkend $((CERTIFICATE_RENEWAL_DAYS * 86400)) >/dev/null 2>&1 &&
        openssl verify -CAfile "$authority/ca.pem" "$certificate" >/dev/null 2>&1; then
        return 0
    fi
    certificate_issue "$authority" "$certificate" "$key" "$name" "$CERTIFICATE_DAYS"
}

# Arguments: as certificate_ensure, and the days it lasts; -1 gives one that has expired.
certificate_issue() {
    local authority=$1 certificate=$2 key=$3 name=$4 days=$5
    (umask 077 && openssl_quietly genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$key")
    openssl_quietly req -new -key "$key" -subj "/O=TrackMe/CN=$name" -out "$certificate.request"
    openssl_quietly x509 -req -in "$certificate.request" -CA "$authority/ca.pem" -CAkey "$authority/ca.key" -sha256 \
        -set_serial "0x$(openssl rand -hex 16)" -days "$days" -out "$certificate" -extfile /dev/stdin <<EXTENSIONS
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth, clientAuth
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = DNS:$name, DNS:localhost, IP:127.0.0.1
EXTENSIONS
    rm -f "$certificate.request"
}

# openssl tells of its progress on standard error; only a failure is worth showing.
openssl_quietly() {
    local messages
    messages=$(openssl "$@" 2>&1) || die "openssl $1 failed: $messages"
}

# What the tests' TLS connections use. Argument: the directory.
# ca.pem; server, every service and client as NAME.pem and NAME.key; expired.pem; foreign.pem, which foreign-ca.pem issued.
test_certificates_make() {
    local name
    authority_ensure "$1/authority" 'TrackMe test authority'
    authority_ensure "$1/foreign-authority" 'Another authority'
    for name in server "${SERVICES[@]}" "${CLIENTS[@]}"; do
        certificate_ensure "$1/authority" "$1/$name.pem" "$1/$name.key" "$name"
    done
    certificate_issue "$1/authority" "$1/expired.pem" "$1/expired.key" accounts -1
    certificate_issue "$1/foreign-authority" "$1/foreign.pem" "$1/foreign.key" accounts "$CERTIFICATE_DAYS"
    cp "$1/authority/ca.pem" "$1/ca.pem"
    cp "$1/foreign-authority/ca.pem" "$1/foreign-ca.pem"
}
