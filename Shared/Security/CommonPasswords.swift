/// The passwords that appear most often in published leaks, lower-case, near or over the minimum length or as the stem
/// that digits and signs are appended to. Those of rows and repetitions are found by rule as well.
enum CommonPasswords {
    static let all: Set<String> = Set(
        """
        password passw0rd p@ssw0rd p@ssword pa$$word pa$$w0rd pass1word passwort password1 password12 password123 \
        password1234 password12345 mypassword thepassword newpassword oldpassword passwordpassword passpass \
        passpass1 password1! password123! passwords passcode passphrase secretpassword defaultpassword administrator \
        admin adminadmin admin123 admin1234 admin12345 administrador amministratore rootroot superuser superman \
        batman spiderman ironman pokemon pikachu starwars trustno1 letmein letmein123 letmeinplease welcome welcome1 \
        welcome123 welcome1234 welcomehome changeme changeme123 changeit pleasechangeme default defaultpass \
        temporary temppass temppassword qwerty qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyuiop qwertyui \
        qwertyqwerty qwerty1! 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc qazwsxedc qazwsxedcrfv zaq12wsx \
        zaq1zaq1 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 a1b2c3d4 a1b2c3d4e5 abc123 abc12345 abc123456 abcd1234 abcde12345 \
        abcdef123456 abcdefgh abcdefghij asdfghjkl asdfghjkl1 asdfasdf asdf1234 asdfqwer zxcvbnm zxcvbnm123 \
        zxcvbnm,./ aa123456 aa12345678 aa123456789 a123456789 a1234567890 q123456789 123456789a 123456789q 123456abc \
        12345qwert 1234qwer 1234567890a 0987654321 1234567890 12345678910 123456789123 123123123123 1111111111 \
        0000000000 9876543210 987654321 1122334455 1029384756 0123456789 147258369 1472583690 789456123 7894561230 \
        741852963 159753456852 iloveyou iloveyou1 iloveyou2 iloveyou123 iloveyousomuch iloveyouforever ilovegod \
        ilovemyself ilovejesus iloveme loveyou lovelove loveme lovely jesuschrist jesusislord godisgood blessed \
        princess princess1 princesa principessa sunshine sunshine1 sunshine123 shadow master masterkey monkey dragon \
        dragon123 football football1 football123 baseball basketball basketball1 soccer soccer123 volleyball hockey \
        chocolate chocolate1 cookie cookies strawberry butterfly butterfly1 flower flowers rainbow whatever \
        whatever1 freedom freedom1 charlie michael michelle jennifer jessica ashley nicole daniel anthony jordan23 \
        liverpool liverpool1 liverpoolfc manchester manchesterunited chelsea chelseafc arsenal barcelona barcelona1 \
        realmadrid juventus juventus1 forzajuve forzanapoli forzainter forzamilan forzaroma napoli inter milan \
        acmilan fcinter lazio sampdoria fiorentina ferrari lamborghini ducati valentino valentinorossi francesco \
        francesca alessandro alessandra alessia andrea antonio antonella giuseppe giovanni federico federica \
        stefania stefano matteo martina chiara lorenzo riccardo salvatore simone valentina domenico vincenzo roberto \
        raffaele gabriele amoremio tiamo tiamotanto tiamopersempre tiamoamore amore amoreamore vitamia stellina \
        tesoro tesoromio ciaociao ciao1234 buongiorno benvenuto benvenuti mammamia famiglia bellissima nascosto \
        segreto parola parolachiave milano italia italia123 italia2024 roma pizza computer computer1 computer123 \
        internet internet1 samsung samsung123 iphone google google123 facebook facebook1 instagram whatsapp youtube \
        windows microsoft linkedin dropbox android minecraft fortnite playstation nintendo xbox360 counterstrike \
        callofduty happybirthday happyday happy123 summer summer2023 summer2024 summer2025 winter winter2023 \
        winter2024 winter2025 spring2024 autumn2024 estate estate2024 inverno primavera january february september \
        october november december monday friday family family123 mother brother sister babygirl babygirl1 babyboy \
        sweetheart sweetie honey angel angels angelina blink182 slipknot metallica nirvana eminem beatles matrix \
        hellokitty mickeymouse tinkerbell garfield scooby snoopy tigger pepper ginger bailey buster hunter ranger \
        killer harley corvette mustang mercedes porsche yamaha secret secret123 topsecret access accessdenied login \
        login123 hello hello123 helloworld hellohello goodbye testtest test1234 test12345 testing testing123 \
        testpassword testuser guest guest123 user1234 demo1234 qwer1234 asdasdasd qweqweqwe qweasdzxc qweasdzxc123 \
        zxcasdqwe q1q1q1q1 1a2b3c4d 1a2b3c4d5e azerty azertyuiop azerty123 trackme data4help track4run automatedsos \
        correcthorsebatterystaple
        """.split(separator: " ").map(String.init))
}
