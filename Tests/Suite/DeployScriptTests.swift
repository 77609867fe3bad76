import Glibc
import ProcessTesting
import Reactor
import Testing

/// The scripts of `deploy/`, function by function.
@Suite struct DeployScriptTests {
    private static let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/deploy"

    /// What a script says that has all of `deploy/lib` at hand, after "failed: " when it fails.
    private func output(_ script: String) async throws -> String {
        let folder = Self.folder
        return try await EventLoopGroup.withLoops(1) { _ in
            try await TestDirectory.with { directory in
                let whole = """
                    set -euo pipefail
                    parts="messages children layout packages checks cluster databases secrets certificates config files"
                    for part in $parts services simulation pages maps mail proxy; do
                        source \(folder)/lib/$part.sh
                    done
                    unset TRACKME_BASE_URL TRACKME_CERTIFICATE_FILE TRACKME_KEY_FILE TRACKME_TRUSTED_PROXIES TRACKME_OPERATORS
                    unset TRACKME_TILES_URL TRACKME_TILES_ATTRIBUTION TRACKME_TILES_ATTRIBUTION_URL TRACKME_GEOCODER_URL
                    unset TRACKME_MAIL_RELAY TRACKME_MAIL_PASSWORD_FILE TRACKME_MAIL_FROM TRACKME_MAIL_BOUNCES
                    STATE=\(directory.path)
                    \(script)
                    """
                let output = directory.file("output")
                do {
                    try await ChildProcess.run(["bash", "-c", whole], output: output)
                    return try directory.read("output")
                } catch {
                    return "failed: " + (try directory.read("output"))
                }
            }
        }
    }

    @Test("NFR-03: a private PostgreSQL listens on no port, and services reach it by its socket")
    func sockets() async throws {
        let settings = try await output(
            """
            CLUSTER_DATA=$STATE; CLUSTER_SOCKETS=/run/here; CLUSTER_CONNECTIONS_MAX=10; chown() { :; }
            cluster_configure; cat $STATE/trackme.conf
            """)
        #expect(settings.contains("\nlisten_addresses = ''\n"))
        #expect(settings.contains("\nunix_socket_directories = '/run/here'\n"))
        let configuration = try await output(
            """
            CLUSTER_SOCKETS=/run/here; layout_use checkout /files /data
            for service in "${SERVICES[@]}"; do service_configuration $service; done
            """)
        // The database and the key store of each of five services, and the anonymous store.
        #expect(configuration.split(separator: #""hosts": ["/run/here:5432"]"#).count - 1 == 11)
        #expect(configuration.split(separator: #""hosts""#).count - 1 == 11)
    }

    @Test("NFR-03: no port of a suite in a checkout lies among those that kernels give to outgoing connections")
    func ports() async throws {
        let text = try await output(
            """
            for PORT_SHIFT in 0 11000; do
                for service in "${SERVICES[@]}"; do
                    public_port $service; echo; internal_port $service; echo; operators_port $service; echo
                done
                hook_port; echo; sandbox_port; echo; proxy_port; echo; operators_proxy_port; echo
            done
            """)
        let ports = text.split(separator: "\n").compactMap { Int($0) }
        #expect(ports.count == 38)
        // Linux gives out 32768 to 60999 unless told otherwise.
        for port in ports { #expect(port > 1024 && port < 32_768) }
    }

    @Test("NFR-03: a port that a client's connection could hold is refused, and who holds one is said")
    func holders() async throws {
        let ephemeral = try await output(
            "read -r first last </proc/sys/net/ipv4/ip_local_port_range; check_port $last 'the test'")
        #expect(ephemeral.hasPrefix("failed: ") && ephemeral.contains("that the kernel gives to outgoing connections"))
        let port = try Ports.free()
        #expect(try await output("check_port \(port) 'the test'; echo free") == "free\n")
        // Held by a socket that nobody listens at.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        #expect(bind(descriptor, port: port) == 0 && listen(descriptor, 1) == 0)
        let listening = try await output("check_port \(port) 'the test'")
        #expect(listening.contains("held by process \(getpid()) ("))
        #expect(!listening.contains("near end"))
        // The far end of a connection is on the port; its near end stays there when nobody listens any more.
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(client) }
        // A test beside this one, in another process, may take a port between the asking and the binding.
        let ports = (0..<10).lazy.compactMap { _ in try? Ports.free() }
        let own = try #require(ports.first { bind(client, port: $0) == 0 })
        #expect(connect(client, port: port) == 0)
        let connected = try await output("check_port \(own) 'the test'")
        #expect(connected.contains("held by process \(getpid()) ("))
        #expect(connected.contains("as the near end of a connection"))
    }

    /// A checkout with a page of track4run and little else.
    private static let checkout = """
        CHECKOUT=$STATE/checkout
        mkdir -p $CHECKOUT/Shared/Web/{Assets,Words} $CHECKOUT/Services/Track4Run/Pages/{Assets,Words}
        ln -s \(folder) $CHECKOUT/deploy
        ln -s \(folder)/../Shared/Web/Fixed $CHECKOUT/Shared/Web/Fixed
        cp \(folder)/../Shared/Web/Assets/{style.css,icon.svg} $CHECKOUT/Shared/Web/Assets
        echo 'a { }' >$CHECKOUT/Shared/Web/Assets/page.css
        echo '{}' | tee $CHECKOUT/Shared/Web/Words/it.json >$CHECKOUT/Services/Track4Run/Pages/Words/en.json
        echo '// map' >$CHECKOUT/Services/Track4Run/Pages/Assets/map.js
        printf '/runs # all of them\n/runs/*\n' >$CHECKOUT/Services/Track4Run/Pages/paths

        """

    @Test("NFR-08: static files are below a name that is the hash of all of them, and what is open keeps its own")
    func assets() async throws {
        let text = try await output(
            Self.checkout + """
                first=$(assets_publish $STATE/assets); second=$(assets_publish $STATE/assets)
                echo 'b { }' >$CHECKOUT/Shared/Web/Assets/page.css; third=$(assets_publish $STATE/assets)
                echo $first $second $third $(<$STATE/assets/current)
                (cd $STATE/assets/$third && find . -type f | LC_ALL=C sort)
                cat $STATE/assets/$first/web/page.css; gzip -dc $STATE/assets/$third/web/page.css.gz
                touch -d '31 days ago' $STATE/assets/$first; assets_publish $STATE/assets >/dev/null
                ls $STATE/assets
                """)
        let lines = text.split(separator: "\n").map(String.init)
        let names = try #require(lines.first).split(separator: " ")
        try #require(names.count == 4, "\(text)")
        #expect(names[0] == names[1] && names[0] != names[2] && names[2] == names[3] && names[0].utf8.count == 16)
        for file in [
            "web/page.css", "web/page.css.gz", "track4run/map.js", "words/web.it.json", "words/track4run.en.json",
            "leaflet/leaflet.js.gz", "leaflet/images/layers.png", "leaflet/LICENSE", "chart/chart.js", "chart/LICENSE",
        ] { #expect(lines.contains("./\(file)"), "\(file)") }
        #expect(lines.contains("a { }") && lines.contains("b { }"))
        // The first is gone a month after it was the current one.
        #expect(lines.suffix(2).sorted() == [String(names[2]), "current"].sorted())
    }

    /// Starts nginx for that checkout, at ports of its own. `settings` come before its configuration is written.
    private func proxied(_ settings: String = "", _ script: (_ port: UInt16, _ operatorsPort: UInt16) -> String)
        async throws -> String
    {
        let (port, other) = (try Ports.free(), try Ports.free())
        return try await output(
            Self.checkout + """
                proxy_port() { printf \(port); }; operators_proxy_port() { printf \(other); }; public_port() { printf 1; }
                operators_port() { printf 1; }
                PROXY_RUNTIME=$STATE/runtime; mkdir -p $STATE/logs $STATE/services
                authority_ensure $STATE/authority Test
                for name in proxy operator simulator; do member_files_ensure $STATE $name; done
                layout_use checkout $STATE/services $STATE
                \(settings)
                hash=$(assets_publish $STATE/assets); proxy_files $STATE/nginx $STATE/assets
                trap proxy_stop EXIT
                proxy_start; proxy_wait_ready
                ask() { curl --silent --output /dev/null --write-out '%{http_code} %{content_type}\\n' "$@"; }

                """ + script(port, other))
    }

    @Test(
        "NFR-03b NFR-08a: the proxy says in a page's or a program's words that a service is away, and what is not there or refused"
    )
    func proxy() async throws {
        let text = try await proxied { port, other in
            """
            for path in /runs /runs/7 /runs/7/8 /runner /track4run/v1/runs /track4run /accounts/x /metrics /away/x \
                /service-worker.js /assets/$hash/web/page.css /assets/$hash/web/x.css /maps.json; do
                printf '%s ' ${path/$hash/hash}; ask http://127.0.0.1:\(port)$path
            done
            head -c 1100000 /dev/zero >$STATE/large
            for path in /runs /accounts/v1/sessions; do
                printf 'large %s ' $path; ask --data-binary @$STATE/large http://127.0.0.1:\(port)$path
            done
            curl --silent http://127.0.0.1:\(port)/service-worker.js | grep -cE '^const offline = "offline-[0-9a-f]{16}";$'
            curl --silent --include http://127.0.0.1:\(port)/runs | tr -d '\\r' |
                grep -iE '^(retry-after|cache-control|content-security-policy):|<h[12]' | sed -E 's/; .*|<[^>]*>//g'
            curl --silent --head http://127.0.0.1:\(port)/assets/$hash/web/page.css | grep -i cache-control | tr -d '\\r'
            files=$STATE/services
            printf 'nobody '; ask --cacert $files/proxy/authority.pem https://127.0.0.1:\(other)/accounts/metrics
            for name in simulator operator; do
                for path in / /accounts/ /accounts/metrics /accounts/1/metrics /accounts/2/metrics /accounts/other \
                    /accounts/v1/operator/session; do
                    printf '%s %s ' $name $path
                    ask --cacert $files/proxy/authority.pem --cert $files/$name/certificate.pem --key $files/$name/key.pem \
                        https://127.0.0.1:\(other)$path
                done
            done
            """
        }
        let expected = """
            /runs 503 text/html; charset=utf-8
            /runs/7 503 text/html; charset=utf-8
            /runs/7/8 404 text/html; charset=utf-8
            /runner 404 text/html; charset=utf-8
            /track4run/v1/runs 503 application/problem+json
            /track4run 404 application/problem+json
            /accounts/x 404 application/problem+json
            /metrics 404 text/html; charset=utf-8
            /away/x 404 application/problem+json
            /service-worker.js 200 text/javascript; charset=utf-8
            /assets/hash/web/page.css 200 text/css; charset=utf-8
            /assets/hash/web/x.css 404 application/problem+json
            /maps.json 200 application/json; charset=utf-8
            large /runs 413 text/html; charset=utf-8
            large /accounts/v1/sessions 413 application/problem+json
            1
            Retry-After: 5
            Cache-Control: no-cache
            Content-Security-Policy: default-src 'none'
            Questa pagina al momento non è disponibile
            This page is not available at the moment
            Cache-Control: public, max-age=31536000, immutable
            nobody 403 application/problem+json
            simulator / 404 application/problem+json
            simulator /accounts/ 404 application/problem+json
            simulator /accounts/metrics 404 application/problem+json
            simulator /accounts/1/metrics 404 application/problem+json
            simulator /accounts/2/metrics 404 application/problem+json
            simulator /accounts/other 404 application/problem+json
            simulator /accounts/v1/operator/session 404 application/problem+json
            operator / 200 text/html; charset=utf-8
            operator /accounts/ 200 text/html; charset=utf-8
            operator /accounts/metrics 503 application/problem+json
            operator /accounts/1/metrics 503 application/problem+json
            operator /accounts/2/metrics 404 application/problem+json
            operator /accounts/other 404 application/problem+json
            operator /accounts/v1/operator/session 503 application/problem+json

            """
        #expect(text == expected)
    }

    @Test("NFR-10: operators see every replica that is configured, and what cannot be read as one is refused")
    func replicas() async throws {
        let script = """
            layout_use checkout $STATE/services $STATE; proxy_files $STATE/nginx $STATE/assets
            grep -o '^upstream operators-query.*;' $STATE/nginx/nginx.conf
            grep -o '{"name": "query"[^}]*}' $STATE/nginx/operators/services.json
            """
        let text = try await output(
            Self.checkout + "TRACKME_OPERATORS='query=10.0.0.1:9203 query=[fd00::2]:9203'\n" + script)
        let expected = """
            upstream operators-query-1 { server 10.0.0.1:9203 max_fails=0;
            upstream operators-query-2 { server [fd00::2]:9203 max_fails=0;
            {"name": "query", "replica": 1, "path": "/query/1"}
            {"name": "query", "replica": 2, "path": "/query/2"}

            """
        #expect(text == expected)
        for entry in ["nobody=10.0.0.1:9203", "query=host:9203", "query=10.0.0.1"] {
            let refused = try await output(Self.checkout + "TRACKME_OPERATORS='\(entry)'\n" + script)
            #expect(refused.contains("'\(entry)' is not SERVICE=ADDRESS:PORT"), "\(refused)")
        }
    }

    @Test("NFR-11a: tiles and addresses come through the one address, and their services learn nothing of who asks")
    func maps() async throws {
        let service = try Ports.free()
        let text = try await proxied(
            """
            cat >$STATE/service.conf <<'NGINX'
            daemon off; pid service.pid; error_log stderr alert;
            events { }
            http {
                access_log off; client_body_temp_path body; proxy_temp_path body;
                fastcgi_temp_path body; uwsgi_temp_path body; scgi_temp_path body;
                server {
                    listen 127.0.0.1:\(service);
                    default_type text/plain;
                    add_header Set-Cookie foreign=1;
                    location /t/8/ { return 404; }
                    location / { return 200 "$request_uri [$http_cookie$http_x_forwarded_for$http_authorization$http_referer] $http_user_agent\\n"; }
                }
            }
            NGINX
            "$(proxy_program)" -p $STATE/ -c service.conf >/dev/null 2>&1 9>&- & service=$!
            export TRACKME_TILES_URL='http://127.0.0.1:\(service)/t/{z}/{x}/{y}.png?key=a+b' TRACKME_TILES_ATTRIBUTION='© "Maps"'
            export TRACKME_GEOCODER_URL=http://127.0.0.1:\(service)/search TRACKME_BASE_URL=https://trackme.example
            """
        ) { port, _ in
            """
            trap 'proxy_stop; kill $service' EXIT
            base=http://127.0.0.1:\(port)
            curl --silent --retry 10 --retry-connrefused --retry-delay 1 --output /dev/null http://127.0.0.1:\(service)/
            as=(--cookie secret=1 --header 'Authorization: Bearer 1' --referer $base/runs)
            cat $STATE/nginx/maps.json
            curl --silent "${as[@]}" $base/tiles/7/67/45.png
            curl --silent --head $base/tiles/7/67/45.png | grep -iE '^(cache-control|content-security|set-cookie)' | tr -d '\\r'
            curl --silent "${as[@]}" "$base/geocoder?q=via%20Roma%201&lang=en&other=1"
            for path in /tiles/8/1/1.png /tiles/20/1/1.png /tiles/7/67/45.jpg /geocoder /geocoder?q=a; do
                printf '%s ' $path; ask $base$path
            done
            printf 'POST '; ask --data a=b $base/tiles/7/67/45.png
            """
        }
        let expected = """
            {"tiles": {"attribution": "© \\"Maps\\""}, "geocoder": true}
            /t/7/67/45.png?key=a+b [] TrackMe (https://trackme.example)
            Cache-Control: public, max-age=86400
            Content-Security-Policy: default-src 'none'; sandbox
            /search?format=jsonv2&limit=5&accept-language=en&q=via%20Roma%201 [] TrackMe (https://trackme.example)
            /tiles/8/1/1.png 404 application/problem+json
            /tiles/20/1/1.png 404 text/html; charset=utf-8
            /tiles/7/67/45.jpg 404 text/html; charset=utf-8
            /geocoder 400 application/problem+json
            /geocoder?q=a 400 application/problem+json
            POST 404 application/problem+json

            """
        #expect(text == expected)
    }

    @Test("NFR-11a: services of maps that cannot be used are refused before anything starts")
    func refusedMaps() async throws {
        for (settings, complaint) in [
            ("TRACKME_TILES_URL=ftp://a/{z}/{x}/{y}", "is no address of a service"),
            (
                "TRACKME_TILES_URL='https://a/{z}/{x}/1.png; }' TRACKME_TILES_ATTRIBUTION=a",
                "is no address of a service"
            ),
            ("TRACKME_TILES_URL=https://a/{z}/{x}.png TRACKME_TILES_ATTRIBUTION=a", "lacks {y}"),
            ("TRACKME_TILES_URL=https://a/{s}/{z}/{x}/{y}.png TRACKME_TILES_ATTRIBUTION=a", "names more than"),
            ("TRACKME_TILES_URL=https://a/{z}/{x}/{y}.png", "needs TRACKME_TILES_ATTRIBUTION"),
            ("TRACKME_GEOCODER_URL=https://a/search?q=", "is no address of a service"),
        ] {
            let text = try await output("\(settings)\nlayout_use checkout $STATE $STATE; check_map_services")
            #expect(text.hasPrefix("failed: ") && text.contains(complaint), "\(settings): \(text)")
        }
    }

    @Test("NFR-10: two services that claim one page, and paths that are the proxy's, are refused")
    func pages() async throws {
        func refusal(_ paths: String) async throws -> String {
            try await output(
                Self.checkout + """
                    mkdir -p $CHECKOUT/Services/Accounts/Pages; echo '\(paths)' >$CHECKOUT/Services/Accounts/Pages/paths
                    layout_use checkout $STATE/services $STATE; proxy_files $STATE/nginx $STATE/assets
                    """)
        }
        #expect(try await refusal("/runs").contains("'/runs' is a page of accounts already"))
        for path in ["/metrics", "/away/x", "/service-worker.js"] {
            #expect(try await refusal(path).contains("belongs to the proxy"), "\(path)")
        }
        #expect(try await refusal("/a b").contains("is not the path of a page"))
        #expect(try await refusal("/login") == "")
    }

    /// The beginning of a script about mail.
    private static let mail = """
        layout_use checkout $STATE/services $STATE/data; mkdir -p $STATE/services/accounts
        TRACKME_MAIL_FROM=no-reply@example.org; files=$STATE/services/accounts

        """

    @Test(
        "ACC-17: mail leaves through the relay that is named, at its port, with TLS unless it is asked for without",
        arguments: [
            ("smtp://mail.example.org", "mail.example.org 587 on on"),
            ("smtp://mail.example.org:2525/", "mail.example.org 2525 on on"),
            ("smtps://mail.example.org", "mail.example.org 465 on off"),
            ("smtp+plain://127.0.0.1", "127.0.0.1 25 off on"),
        ])
    func relay(_ relay: String, _ expected: String) async throws {
        // As msmtp itself reads it.
        let text = try await output(
            Self.mail + """
                TRACKME_MAIL_RELAY=\(relay); mail_files $files
                msmtp -C $files/msmtprc --pretend anna@example.org </dev/null >$STATE/read 2>&1
                for name in host port tls tls_starttls tls_certcheck user; do
                    sed -n "s/^$name = //p" $STATE/read
                done | tr '\\n' ' '
                stat -c %a $files/msmtprc; mail_members
                """)
        let lines = text.split(separator: "\n")
        #expect(lines.first == "\(expected) on (not set) 600")
        #expect(lines.last?.hasPrefix(#""mail_program": ["/usr/bin/msmtp", "-C", "#) == true)
        #expect(lines.last?.contains(#""mail_from": "no-reply@example.org""#) == true, "\(text)")
    }

    @Test("ACC-17: a relay's user logs in with the password of a file, and without a relay nothing of that stays")
    func relayUser() async throws {
        let text = try await output(
            Self.mail + """
                printf 'secret horse\\n' >$STATE/password; TRACKME_MAIL_PASSWORD_FILE=$STATE/password
                TRACKME_MAIL_RELAY=smtps://anna@example.org@mail.example.org; mail_files $files
                msmtp -C $files/msmtprc --pretend anna@example.org </dev/null >$STATE/read 2>&1
                grep -E '^(host|auth|user|passwordeval) = ' $STATE/read
                bash -c "$(sed -n 's/^passwordeval = //p' $STATE/read)"
                stat -c %a $files/mail.password
                TRACKME_MAIL_RELAY=; mail_files $files; ls $files; mail_members
                """)
        let lines = text.split(separator: "\n")
        try #require(lines.count == 7, "\(text)")
        #expect(lines[0...2] == ["host = mail.example.org", "auth = choose", "user = anna@example.org"])
        #expect(lines[3].hasPrefix("passwordeval = cat ") && lines[4...5] == ["secret horse", "600"])
        #expect(lines[6].hasPrefix(#""mail_directory": "#) && !text.contains("mail_program"))
    }

    @Test(
        "ACC-17: what cannot be used as a relay is refused in words before anything is written",
        arguments: [
            ("mail.example.org", "is not smtp://HOST, smtps://HOST or smtp+plain://HOST"),
            ("http://mail.example.org", "is not smtp://HOST"), ("smtp://", "is not smtp://HOST"),
            ("smtp://mail example", "is not smtp://HOST"), ("smtp://mail.example.org:0", "is not smtp://HOST"),
            ("smtp://mail.example.org:0587", "is not smtp://HOST"), ("smtp://mail.example.org/x", "is not smtp://HOST"),
            ("smtp://mail.example.org:65536", "there is no port 65536"),
            ("smtp://anna@mail.example.org", "TRACKME_MAIL_PASSWORD_FILE has to be a file with the password"),
            ("smtp://mail.example.org\ntls_certcheck off", "is not smtp://HOST"),
        ])
    func wrongRelay(_ relay: String, _ complaint: String) async throws {
        let text = try await output(Self.mail + "TRACKME_MAIL_RELAY='\(relay)'; mail_files $files")
        #expect(text.hasPrefix("failed: error: TRACKME_MAIL_RELAY") && text.contains(complaint), "\(text)")
        let sender = try await output(
            Self.mail + "TRACKME_MAIL_FROM=; TRACKME_MAIL_RELAY=smtp://mail.example.org; mail_files $files")
        #expect(sender.contains("TRACKME_MAIL_RELAY needs TRACKME_MAIL_FROM, the sender of mail."))
        let written = try await output(
            Self.mail + "TRACKME_MAIL_RELAY='\(relay)'; (mail_files $files) 2>/dev/null || ls $files")
        #expect(written == "")
    }

    @Test("a program beside the suite that ends is started again five times; then the suite goes on without it")
    func simulation() async throws {
        let text = try await output(
            """
            mkdir -p $STATE/logs $STATE/processes
            printf '#!/bin/sh\\necho "$@" >>%s/calls; exit 3\\n' $STATE >$STATE/trackme-simulator
            chmod +x $STATE/trackme-simulator
            simulator_start $STATE simulator live --people 300 --population 5000
            for turn in 1 2 3 4 5 6 7 8; do
                process=${SIMULATOR_PROCESS[simulator]:-}
                while [[ -n $process ]] && kill -0 $process 2>/dev/null; do sleep 0.05; done
                simulators_revive $STATE
            done
            simulators_stop
            cat $STATE/calls; ls $STATE/processes
            """)
        let calls = text.split(separator: "\n").filter { $0.hasPrefix("live --people 300 --population 5000 ") }
        #expect(calls.count == 6, "\(text)")
        #expect(text.contains("with status 3; starting it again"))
        #expect(text.contains("has ended 6 times, the last time with status 3; going on without it"))
        #expect(!text.contains("failed: ") && !text.contains("\nsimulator"), "\(text)")
    }

    @Test("the sandbox is made once, and its file is one that a shell reads, with the addresses of this run")
    func sandbox() async throws {
        let text = try await output(
            """
            mkdir -p $STATE/services/simulator
            cat >$STATE/trackme-simulator <<'END'
            #!/bin/sh
            echo "made: $*" >&2
            printf 'CLIENT_ID=one\nFAST=fast@example.org  # CODE words\n' >"${3%/config}/services/simulator/sandbox"
            END
            chmod +x $STATE/trackme-simulator
            sandbox_ensure $STATE; PORT_SHIFT=500; sandbox_ensure $STATE
            source $STATE/sandbox.sh; echo $BASE $TOKEN_URL $HOOKS $CLIENT_ID $FAST
            """)
        let lines = text.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("made: sandbox --config-directory ") }.count == 1, "\(text)")
        #expect(
            lines.last == """
                http://127.0.0.1:8600 http://127.0.0.1:8600/accounts/v1/oauth/token http://127.0.0.1:8622 one \
                fast@example.org
                """, "\(text)")
    }

    @Test("ING-10: what a population takes on disk is said without the log, for each person")
    func size() async throws {
        let text = try await output(
            """
            CLUSTER_DATA=$STATE/data; mkdir -p $CLUSTER_DATA/base $CLUSTER_DATA/pg_wal
            head -c 6000000 /dev/urandom >$CLUSTER_DATA/base/1; head -c 9000000 /dev/urandom >$CLUSTER_DATA/pg_wal/1
            sync -f $CLUSTER_DATA; cluster_size 1000
            """)
        #expect(text.hasPrefix("15 MB on disk, of which 9 MB write-ahead log; without it "), "\(text)")
        let each = text.split(separator: " ").compactMap { Int($0) }.last ?? 0
        #expect((6000...6200).contains(each), "\(text)")
    }

    private func bind(_ descriptor: Int32, port: UInt16) -> Int32 {
        withAddress(port) { Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }

    private func connect(_ descriptor: Int32, port: UInt16) -> Int32 {
        withAddress(port) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }

    private func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
