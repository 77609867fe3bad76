extension PlaceTable {
    /// A row for each place, as `PlaceTable` reads them. Made by make.py, where the sources are named; not to be changed by hand.
    static let rows: StaticString = """
        Z210||||39908|116397|Repubblica Popolare Cinese|China|Cina|Cinese, Repubblica Popolare
        Z222||||28621|77215|India|India
        Z404||||38895|-77036|Stati Uniti d'America|United States|USA
        Z223||||-6215|106845|Indonesia|Indonesia
        Z236||||33721|73043|Pakistan|Pakistan
        Z602||||-15780|-47930|Brasile|Brazil
        Z335||||9058|7495|Nigeria|Nigeria
        Z249||||23710|90407|Bangladesh|Bangladesh
        Z154||||55752|37618|Federazione Russa|Russia|Russian Federation|Russa, Federazione
        Z219||||35690|139692|Giappone|Japan
        Z514||||19428|-99128|Messico|Mexico
        Z315||||9025|38747|Etiopia|Ethiopia
        Z216||||14604|120982|Filippine|Philippines
        Z336||||30063|31250|Egitto|Egypt
        Z251||||21024|105841|Vietnam|Vietnam
        Z312||||-4328|15314|Repubblica Democratica del Congo|Democratic Republic of the Congo|Congo, The Democratic Republic Of The|Congo, Repubblica Democratica Del (Ex Zaire)
        Z112||||52524|13411|Germania|Germany
        Z243||||39920|32854|Turchia|Turkey
        Z224||||35694|51422|Iran|Iran|Iran, Islamic Republic Of|Iran, Repubblica Islamica Del
        Z241||||13754|100501|Thailandia|Thailand
        Z110||||48853|2349|Francia|France
        Z114||||51509|-126|Regno Unito|United Kingdom|Gran Bretagna|Inghilterra
        Z347||||-25745|28188|Sud Africa|South Africa
        Z357||||-6172|35739|Tanzania|Tanzania|Tanzania, United Republic Of
        Z206||||19745|96130|Myanmar|Myanmar|Birmania|Myanmar (Ex Birmania)
        Z213||||37566|126978|Repubblica di Corea|South Korea|Corea del Sud|Korea, Republic Of|Corea, Repubblica (Corea Del Sud)
        Z322||||-1283|36817|Kenya|Kenya
        Z604||||4610|-74082|Colombia|Colombia
        Z131||||40416|-3703|Spagna|Spain
        Z600||||-34613|-58377|Argentina|Argentina
        Z353||||316|32582|Uganda|Uganda
        Z301||||36732|3087|Algeria|Algeria
        Z348||||15552|32532|Sudan|Sudan
        Z138||||50455|30524|Ucraina|Ukraine
        Z225||||33341|44401|Iraq|Iraq
        Z127||||52230|21012|Polonia|Poland
        Z200||||34528|69172|Afghanistan|Afghanistan
        Z401||||45411|-75698|Canada|Canada
        Z330||||34013|-6833|Marocco|Morocco
        Z203||||24688|46722|Arabia Saudita|Saudi Arabia
        Z259||||41265|69216|Uzbekistan|Uzbekistan
        Z611||||-12043|-77028|Perù|Peru
        Z247||||3141|101687|Malaysia|Malaysia
        Z302||||-8837|13234|Angola|Angola
        Z318||||5556|-197|Ghana|Ghana
        Z333||||-25966|32583|Mozambico|Mozambique
        Z614||||10488|-66879|Venezuela|Venezuela|Venezuela, Bolivarian Republic Of
        Z246||||15355|44206|Yemen|Yemen
        Z234||||27702|85321|Nepal|Nepal
        Z327||||-18914|47536|Madagascar|Madagascar
        Z214||||39034|125754|Repubblica Popolare Democratica di Corea|North Korea|Corea del Nord|Korea, Democratic People'S Republic Of|Corea, Repubblica Popolare Democratica (Corea Del Nord)
        Z306||||3867|11517|Camerun|Cameroon
        Z313||||6821|-5277|Costa d'Avorio|Ivory Coast|Côte D'Ivoire
        Z700||||-35283|149128|Australia|Australia
        Z217||||25053|121526|Taiwan|Taiwan|Taiwan, Province Of China|Taiwan (Ex Formosa)
        Z334||||13514|2110|Niger|Niger
        Z209||||6935|79849|Sri Lanka|Sri Lanka|Sri Lanka (Ex Ceylon)
        Z354||||12366|-1534|Burkina Faso|Burkina Faso|Burkina Faso (Ex Alto Volta)
        Z129||||44432|26106|Romania|Romania
        Z329||||12609|-7975|Mali|Mali
        Z603||||-33457|-70648|Cile|Chile
        Z255||||51180|71446|Kazakhstan|Kazakhstan
        Z328||||-13967|33787|Malawi|Malawi
        Z355||||-15407|28287|Zambia|Zambia
        Z509||||14641|-90513|Guatemala|Guatemala
        Z126||||52374|4890|Paesi Bassi|The Netherlands|Olanda|Netherlands
        Z605||||-230|-78525|Ecuador|Ecuador
        Z240||||33510|36291|Siria|Syria|Syrian Arab Republic
        Z337||||-17828|31053|Zimbabwe|Zimbabwe|Zimbabwe (Ex Rhodesia)
        Z208||||11562|104916|Cambogia|Cambodia
        Z343||||14694|-17444|Senegal|Senegal
        Z309||||12107|15044|Ciad|Chad
        Z345||||2037|45344|Somalia|Somalia
        Z319||||9538|-13677|Guinea|Guinea
        Z338||||-1950|30059|Ruanda|Rwanda
        Z352||||36819|10166|Tunisia|Tunisia
        Z314||||6496|2604|Benin|Benin|Benin (Ex Dahomey)
        Z103||||50850|4349|Belgio|Belgium
        Z601||||-19033|-65263|Bolivia|Bolivia|Bolivia, Plurinational State Of
        Z504||||23133|-82383|Cuba|Cuba
        Z305||||-3427|29925|Burundi|Burundi
        Z510||||18543|-72339|Haiti|Haiti
        Z115||||37984|23728|Grecia|Greece
        Z505||||18472|-69892|Repubblica Dominicana|Dominican Republic|Dominicana, Repubblica
        Z156||||50088|14421|Repubblica Ceca|Czechia|Czech Republic|Ceca, Repubblica
        Z128||||38725|-9150|Portogallo|Portugal
        Z253||||40378|49892|Azerbaigian|Azerbaijan
        Z132||||59329|18069|Svezia|Sweden
        Z220||||31955|35945|Giordania|Jordan
        Z134||||47498|19040|Ungheria|Hungary
        Z215||||24451|54397|Emirati Arabi Uniti|United Arab Emirates
        Z511||||14082|-87207|Honduras|Honduras
        Z139||||53900|27567|Bielorussia|Belarus
        Z257||||38536|68779|Tagikistan|Tajikistan
        Z226||||31769|35216|Israele|Israel
        Z102||||48208|16372|Austria|Austria
        Z730||||-9477|147151|Papua Nuova Guinea|Papua New Guinea
        Z133||||46948|7447|Svizzera|Switzerland
        Z907||||4852|31582|Sud Sudan|South Sudan|South Sudan, Republic Of|Sud Sudan, Repubblica Del
        Z351||||6129|1222|Togo|Togo
        Z344||||8487|-13236|Sierra Leone|Sierra Leone
        Z221||||22278|114175|Hong Kong|Hong Kong
        Z228||||17967|102600|Laos|Laos|Lao People'S Democratic Republic
        Z104||||42698|23324|Bulgaria|Bulgaria
        Z158||||44804|20465|Serbia|Serbia|Serbia, Repubblica Di
        Z610||||-25286|-57647|Paraguay|Paraguay
        Z229||||33893|35502|Libano|Lebanon
        Z326||||32887|13187|Libia|Libya|Libyan Arab Jamahiriya
        Z515||||12133|-86250|Nicaragua|Nicaragua
        Z506||||13689|-89187|El Salvador|El Salvador
        Z256||||42870|74590|Kirghizistan|Kyrgyzstan
        Z368||||15338|38932|Eritrea|Eritrea
        Z258||||37950|58383|Turkmenistan|Turkmenistan
        Z107||||55676|12566|Danimarca|Denmark
        Z248||||1290|103850|Singapore|Singapore
        Z109||||60170|24935|Finlandia|Finland
        Z155||||48148|17107|Slovacchia|Slovakia
        Z125||||59913|10746|Norvegia|Norway
        Z311||||-4266|15283|Congo|Republic of the Congo|Congo (Repubblica Del)
        Z503||||9934|-84085|Costa Rica|Costa Rica
        Z719||||-41287|174776|Nuova Zelanda|New Zealand
        Z116||||53333|-6249|Irlanda|Ireland
        Z235||||23584|58408|Oman|Oman
        Z325||||6301|-10797|Liberia|Liberia
        Z308||||4361|18555|Repubblica Centrafricana|Central African Republic|Centrafricana, Repubblica
        Z161||||31783|35234|Territori dell'Autonomia Palestinese|Palestinian Territory|Palestinian Territory, Occupied
        Z331||||18086|-15978|Mauritania|Mauritania
        Z516||||8994|-79520|Panama|Panama
        Z227||||29367|47974|Kuwait|Kuwait
        Z149||||45814|15978|Croazia|Croatia
        Z254||||41691|44834|Georgia|Georgia
        Z140||||47009|28859|Moldova|Moldova|Moldova, Republic Of
        Z613||||-34903|-56188|Uruguay|Uruguay
        Z153||||43849|18356|Bosnia-Erzegovina|Bosnia and Herzegovina
        Z518||||18466|-66106|Porto Rico|Puerto Rico
        Z233||||47908|106883|Mongolia|Mongolia
        Z252||||40178|44513|Armenia|Armenia
        Z507||||17997|-76794|Giamaica|Jamaica
        Z100||||41327|19819|Albania|Albania
        Z146||||54689|25280|Lituania|Lithuania
        Z237||||25285|51531|Qatar|Qatar
        Z300||||-22559|17083|Namibia|Namibia
        H501|RM|1884||41892|12511|Roma
        Z317||||13453|-16578|Gambia|Gambia
        Z358||||-24655|25909|Botswana|Botswana
        Z316||||392|9454|Gabon|Gabon
        Z359||||-29317|27483|Lesotho|Lesotho
        Z148||||41996|21431|Macedonia del Nord|North Macedonia|Macedonia (Fyrom)|Macedonia, Repubblica Di
        Z150||||46051|14505|Slovenia|Slovenia
        Z145||||56946|24106|Lettonia|Latvia
        Z320||||11864|-15598|Guinea Bissau|Guinea-Bissau
        Z160||||42673|21167|Kosovo|Kosovo
        Z204||||26228|50586|Bahrein|Bahrain
        Z612||||10667|-61519|Trinidad e Tobago|Trinidad and Tobago
        F205|MI|1873||45464|9190|Milano
        Z144||||59437|24754|Estonia|Estonia
        Z321||||1592|10824|Guinea Equatoriale|Equatorial Guinea
        Z242||||-8559|125574|Timor Orientale|Timor Leste|East Timor
        Z332||||-20162|57499|Mauritius|Mauritius
        Z211||||35173|33354|Cipro|Cyprus
        Z349||||-26317|31133|Eswatini|Eswatini|Swaziland
        Z361||||11589|43145|Gibuti|Djibouti
        F839|NA|1865||40852|14268|Napoli
        Z704||||-18137|178425|Figi|Fiji
        L219|TO|1889||45070|7687|Torino
        Z310||||-11702|43255|Comore|Comoros
        Z606||||6804|-58155|Guyana|Guyana
        Z205||||27466|89642|Bhutan|Bhutan
        Z724||||-9433|159950|Isole Salomone|Solomon Islands|Salomone, Isole
        G273|PA|||38117|13364|Palermo
        Z159||||42441|19263|Montenegro|Montenegro
        Z120||||49610|6133|Lussemburgo|Luxembourg
        D969|GE|1873||44405|8944|Genova
        Z608||||5866|-55167|Suriname|Suriname
        Z307||||14932|-23513|Capo Verde|Cabo Verde|Cape Verde
        Z232||||4175|73509|Maldive|Maldives
        Z121||||35900|14515|Malta|Malta
        Z513||||14604|-61074|Martinica|Martinique
        Z207||||4890|114940|Brunei|Brunei|Brunei Darussalam
        A944|BO|||44494|11339|Bologna
        Z502||||25058|-77343|Bahamas|Bahamas
        Z512||||17254|-88764|Belize|Belize
        D612|FI|1869||43779|11246|Firenze
        Z117||||64135|-21895|Islanda|Iceland
        A662|BA|1863||41121|16870|Bari|Bari delle Puglie
        C351|CT|||37492|15070|Catania
        Z733||||-17736|168314|Vanuatu|Vanuatu
        Z522||||13107|-59620|Barbados|Barbados
        Z360||||-12782|45229|Mayotte|Mayotte
        Z723||1965||-17535|-149568|Polinesia Francese|French Polynesia|Polinesia Francese (Isole)
        L781|VR|1866||45439|10994|Verona
        F158|ME|1866||38194|15553|Messina
        L424|TS|1921||45650|13777|Trieste
        G224|PD|1866||45408|11886|Padova
        B157|BS|1880||45536|10215|Brescia
        L049|TA|||40464|17247|Taranto
        G337|PR|1866||44799|10326|Parma
        Z341||||338|6730|São Tomé e Príncipe|Sao Tome and Principe
        Z726||||-13833|-171767|Samoa|Samoa
        G999|PO|1863||43880|11097|Prato|Prato in Toscana
        F257|MO|||44648|10925|Modena
        H224|RC|1865||38110|15661|Reggio di Calabria
        Z527||||13996|-61006|Saint Lucia|Saint Lucia
        H223|RE|1862||44698|10631|Reggio nell'Emilia
        E625|LI|||43544|10326|Livorno
        B354|CA|||39231|9119|Cagliari
        H294|RN|||44058|12565|Rimini
        D643|FG|||41458|15552|Foggia
        D548|FE|||44838|11621|Ferrara
        H703|SA|||40675|14793|Salerno
        F704|MB|1867||45580|9272|Monza
        I754|SR|1868||37075|15287|Siracusa
        A794|BG|||45696|9667|Bergamo
        L378|TN|1920||46068|11121|Trento
        G478|PG|||43112|12389|Perugia
        G482|PE|1879||42458|14203|Pescara
        D704|FC|||44222|12041|Forlì
        Z731||||1328|172977|Kiribati|Kiribati
        Z735||||6925|158161|Stati Federati di Micronesia|Micronesia|Micronesia, Federated States Of|Micronesia, Stati Federati
        L840|VI|1866||45547|11548|Vicenza
        Z524||||12053|-61752|Grenada|Grenada
        L117|TR|||42563|12643|Terni
        Z528||||13155|-61227|Saint Vincent e Grenadine|Saint Vincent and the Grenadines
        G702|PI|1867||43709|10404|Pisa
        A952|BZ|1920||46491|11340|Bolzano|Bozen
        Z520||||18342|-64931|Isole Vergini Americane|U.S. Virgin Islands
        Z501||||12524|-70027|Aruba|Aruba
        G535|PC|||45052|9693|Piacenza
        Z728||||-21137|-175201|Tonga|Tonga
        F952|NO|||45447|8621|Novara
        A390|AR|||43463|11881|Arezzo
        L483|UD|1866||46069|13237|Udine
        A285|BT|||41231|16298|Andria
        C573|FC|||44139|12243|Cesena
        Z342||||-4620|55455|Seychelles|Seychelles
        Z532||||17121|-61843|Antigua e Barbuda|Antigua and Barbuda
        E463|SP|||44103|9824|La Spezia|Spezia
        A669|BT|||41314|16282|Barletta
        A182|AL|||44909|8610|Alessandria
        I452|SS|||40726|8556|Sassari
        A271|AN|||43607|13510|Ancona
        E263|RM|1937||41994|12722|Guidonia Montecelio
        B180|BR|||40632|17936|Brindisi
        L407|TV|1866||45667|12242|Treviso
        L259|NA|||40789|14368|Torre del Greco
        C933|CO|1884||45808|9083|Como
        B300|VA|||45611|8849|Busto Arsizio
        I690|MI|1869||45533|9226|Sesto San Giovanni
        E715|LU|1884||43844|10504|Lucca
        G964|NA|||40844|14095|Pozzuoli
        H199|RA|||44413|12201|Ravenna
        E506|LE|||40355|18172|Lecce
        L682|VA|||45821|8825|Varese
        E054|NA|1863||40928|14202|Giugliano in Campania
        C352|CZ|||38882|16601|Catanzaro
        E974|TP|||37799|12437|Marsala
        G479|PU|||43909|12916|Pesaro
        Z101||||42508|1521|Andorra|Andorra
        E472|LT|1932||41466|12904|Latina|Littoria
        C707|MI|1928||45558|9215|Cinisello Balsamo
        D960|CL|1862||37074|14240|Gela|Terranova di Sicilia
        A341|LT|1936||41595|12654|Aprilia
        A479|AT|1876||44902|8208|Asti
        H163|RG|1865||36926|14724|Ragusa
        B990|NA|||40908|14293|Casoria
        G713|PT|1877||43931|10924|Pistoia
        B963|CE|||41073|14332|Caserta
        Z526||||15302|-61388|Dominica|Dominica
        D150|CR|||45133|10021|Cremona|Cremona ed Uniti
        B819|MO|1868||44782|10878|Carpi
        A225|BA|||40827|16550|Altamura
        M208|CZ|1968||38963|16309|Lamezia Terme
        E289|BO|1865||44359|11713|Imola
        L331|TP|1868||38018|12536|Trapani
        H118|CA|1862||39229|9250|Quartu Sant'Elena
        C129|NA|1863||40702|14487|Castellammare di Stabia
        G388|PV|1883||45192|9159|Pavia
        F023|MS|1868||44035|10139|Massa
        D122|KR|||39081|17128|Crotone|Cotrone
        A064|NA|||40923|14309|Afragola
        Z530||||19287|-81374|Isole Cayman|Cayman Islands
        Z400||||32295|-64783|Bermuda|Bermuda
        D086|CS|1893||39299|16253|Cosenza
        B429|CL|||37490|14062|Caltanissetta
        L833|LU|1870||43867|10250|Viareggio
        I480|SV|||44309|8477|Savona
        D488|PU|||43841|13017|Fano
        E202|GR|||42763|11109|Grosseto
        F052|MT|||40666|16605|Matera
        G015|SS|1862||40923|9498|Olbia|Terranova Pausania
        A024|NA|||40945|14371|Acerra
        F284|BA|||41200|16599|Molfetta
        B832|MS|||44079|10098|Carrara
        A783|BN|||41131|14778|Benevento
        Z711||||7090|171380|Isole Marshall|Marshall Islands|Marshall, Isole
        L872|PV|||45314|8854|Vigevano
        E514|MI|||45598|8915|Legnano
        E885|FG|||41631|15919|Manfredonia
        D653|PG|||42955|12703|Foligno
        G942|PZ|||40642|15808|Potenza
        F335|TO|||44999|7682|Moncalieri
        D205|CN|1871||44391|7548|Cuneo
        A883|BT|||41243|16501|Bisceglie
        F258|RG|||36859|14760|Modica
        L103|TE|||42661|13699|Teramo
        C514|FG|||41265|15896|Cerignola
        L328|BT|||41277|16410|Trani
        I726|SI|1876||43318|11331|Siena
        G902|NA|||40816|14337|Portici
        H243|NA|||40808|14350|Ercolano|Resina
        F646|PE|||42511|14145|Montesilvano
        A546|PA|||38079|13512|Bagheria
        C361|SA|1862||40700|14708|Cava de' Tirreni
        A512|CE|||40973|14207|Aversa
        L719|RM|1871||41686|12778|Velletri
        Z533||||17296|-62725|Saint Kitts e Nevis|Saint Kitts and Nevis
        I158|FG|||41686|15381|San Severo
        A893|BA|||41110|16691|Bitonto
        F061|TP|1863||37655|12590|Mazara del Vallo
        L736|VE|1883||45437|12333|Venezia
        M088|RG|||36952|14528|Vittoria
        D869|VA|1869||45660|8792|Gallarate
        H620|RO|1866||45070|11790|Rovigo
        E906|NA|1863||40897|14188|Marano di Napoli
        G888|PN|1866||45957|12661|Pordenone
        F880|RM|1871||41458|12664|Nettuno
        A028|CT|||37609|15166|Acireale
        B519|CB|||41559|14667|Campobasso
        I483|SA|||40760|14537|Scafati
        H355|TO|1871||45071|7515|Rivoli
        Z108||||62010|-6772|Isole Faer Oer|Faroe Islands
        A509|AV|||40915|14791|Avellino
        F889|TO|1868||45000|7653|Nichelino
        C773|RM|1871||42093|11797|Civitavecchia
        I703|TO|||45139|7770|Settimo Torinese
        M082|VT|1871||42419|12106|Viterbo
        A717|SA|1929||40609|14982|Battipaglia
        H264|MI|||45532|9040|Rho
        I138|IM|||43817|7777|Sanremo
        C638|VE|1866||45219|12278|Chioggia
        G330|TO|||45080|7626|Parella
        E507|LC|||45856|9397|Lecco
        C860|TO|||45079|7567|Collegno
        C983|BA|||41152|16411|Corato
        G220|MI|1886||45569|9165|Paderno Dugnano
        G371|CT|||37567|14903|Paternò
        L750|VC|1865||45322|8420|Vercelli
        H769|AP|1862||42957|13877|San Benedetto del Tronto
        B905|NA|1863||40910|14342|Casalnuovo di Napoli
        C895|MI|1867||45530|9278|Cologno Monzese
        I684|FI|1869||43832|11199|Sesto Fiorentino
        F912|SA|||40745|14645|Nocera Inferiore
        F250|CT|||37518|15009|Misterbianco
        H892|NA|||40833|14342|San Giorgio a Cremano
        A323|RM|1871||41453|12622|Anzio
        B962|FI|1865||43754|11188|Scandicci|Casellina e Torri
        D810|FR|1871||41640|13341|Frosinone
        C632|CH|1880||42348|14165|Chieti
        A176|TP|||37978|12965|Alcamo
        E958|RM|1871||41770|12659|Marino
        L245|NA|1877||40753|14453|Torre Annunziata
        A859|BI|||45563|8058|Biella
        I625|MB|1869||45650|9205|Seregno
        E290|IM|1923||43889|8039|Imperia
        C770|MC|1864||43305|13721|Civitanova Marche
        E155|BA|1863||40817|16419|Gravina in Puglia
        D286|MB|||45618|9202|Desio
        H823|VE|1866||45630|12568|San Donà di Piave
        A462|AP|1867||42854|13574|Ascoli Piceno
        D458|RA|||44290|11879|Faenza
        E372|CH|||42112|14706|Vasto|Istonio
        B648|LU|1884||43842|10573|Capannori
        F132|BZ|1920||46668|11160|Merano|Meran
        E648|LO|1877||45310|9501|Lodi
        I533|AG|||37507|13084|Sciacca
        B950|PI|||43676|10555|Cascina
        E932|CE|||41031|14299|Marcianise
        B639|CO|||45741|9131|Cantù
        D662|LT|||41358|13427|Fondi
        H623|MI|1870||45382|9156|Rozzano
        E897|MN|1866||45160|10798|Mantova
        H282|RI|1875||42405|12857|Rieti
        G812|NA|||40910|14383|Pomigliano d'Arco
        Z123||||43737|7421|Monaco|Monaco
        M109|PV|||44992|9012|Voghera
        B428|CT|||37238|14516|Caltagirone
        M272|RM|1974||41801|12602|Ciampino
        A703|VI|1878||45767|11727|Bassano del Grappa|Bassano
        I441|VA|1869||45625|9035|Saronno
        Z119||||47142|9522|Liechtenstein|Liechtenstein
        A515|AQ|||42029|13426|Avezzano
        F376|BA|1895||40949|17297|Monopoli
        E986|TA|1864||40704|17338|Martina Franca
        H114|NA|1948||40878|14144|Quarto
        Z519||||21461|-71142|Isole Turks e Caicos|Turks and Caicos Islands
        E617|MB|1869||45612|9240|Lissone
        F611|RM|1871||42052|12620|Monterotondo
        C566|MB|1869||45629|9152|Cesano Maderno
        E388|AN|1865||43521|13244|Jesi
        F111|NA|1863||40919|14231|Melito di Napoli
        I462|MO|||44543|10785|Sassuolo
        C627|TO|1878||45011|7821|Chieri
        E216|TO|||45065|7580|Grugliasco
        E573|AG|||37103|13940|Licata
        F262|BA|||41084|16783|Modugno
        F979|NU|||40320|9326|Nuoro
        A326|AO|||45738|7317|Aosta|Aoste
        A940|MI|1869||45546|9121|Bollate
        B780|PA|||38132|13183|Carini
        A455|NA|||40910|14265|Arzano
        E435|CH|||42227|14390|Lanciano
        B371|NA|||40958|14306|Caivano
        A638|ME|||38148|15215|Barcellona Pozzo di Gotto
        M297|RM|1992||41771|12237|Fiumicino
        E791|CE|||41036|14382|Maddaloni
        A056|CT|||37664|14833|Adrano|Adernò
        E098|GO|1921||45941|13622|Gorizia|Gorica
        D403|FI|||43718|10948|Empoli
        D711|MO|||44573|10847|Formigine
        A192|SS|||40560|8320|Alghero
        F799|NA|1863||40909|14210|Mugnano di Napoli
        M212|RM|1970||41951|12075|Ladispoli
        G686|MI|1869||45501|9331|Pioltello
        H612|TN|1920||45890|11041|Rovereto
        G687|LI|||42926|10526|Piombino
        B880|BO|||44476|11275|Casalecchio di Reno
        Z130||||43937|12446|San Marino|San Marino
        I531|VI|1866||45713|11357|Schio
        A345|AQ|1863||42351|13400|L'Aquila|Aquila degli Abruzzi
        D045|MI|||45431|9111|Corsico
        I293|NA|||40942|14235|Sant'Antimo
        L727|TO|||45126|7631|Venaria Reale
        D761|BR|1864||40531|17585|Francavilla Fontana
        B885|AL|||45133|8452|Casale Monferrato
        B212|MB|1867||45553|9299|Brugherio
        B602|AG|||37358|13848|Canicattì
        F229|VE|1868||45435|12129|Mira
        B507|FI|1864||43824|11130|Campi Bisenzio
        G230|SA|||40742|14614|Pagani
        A010|MI|1869||45398|8917|Abbiategrasso
        H274|RN|1922||43999|12657|Riccione
        A089|AG|||37311|13577|Agrigento|Girgenti
        I820|NA|1863||40873|14439|Somma Vesuviana
        E716|FG|||41506|15339|Lucera
        F005|CT|||37575|15050|Mascalucia
        D514|AG|||37318|13662|Favara
        E591|MB|1869||45600|9125|Limbiate
        F206|ME|1879||38220|15240|Milazzo
        I234|CE|1862||41082|14253|Santa Maria Capua Vetere
        C286|TP|||37681|12792|Castelvetrano
        G113|OR|||39904|8593|Oristano
        A294|SA|||40738|14571|Angri
        D142|CR|1875||45363|9682|Crema
        E205|TA|||40537|17437|Grottaglie
        L746|VB|1939||45921|8552|Verbania
        H930|MI|1893||45394|9291|San Giuliano Milanese
        L113|CB|||42000|14994|Termoli
        L120|LT|1871||41292|13244|Terracina
        I608|AN|||43716|13209|Senigallia
        F027|TA|||40586|17116|Massafra
        G674|TO|||44885|7331|Pinerolo
        E783|MC|||43298|13453|Macerata
        C957|TV|1866||45888|12302|Conegliano
        A494|SR|||37241|15221|Augusta
        E955|NA|||40925|14456|Marigliano
        B619|BT|1863||41220|16068|Canosa di Puglia
        D789|NA|||40941|14276|Frattamaggiore
        Z525||||18427|-64621|Isole Vergini Britanniche|British Virgin Islands
        F842|LE|||40180|18032|Nardò
        E131|NA|||40689|14520|Gragnano
        C523|MI|1867||45525|9333|Cernusco sul Naviglio
        I438|SA|||40807|14622|Sarno
        G348|PA|||38047|13118|Partinico
        C553|RA|||44262|12348|Cervia
        F352|CE|||41114|13892|Mondragone
        A522|SR|||36908|15139|Avola
        D708|LT|1862||41256|13609|Formia
        H827|MI|1870||45410|9268|San Donato Milanese
        I577|MI|1869||45492|9298|Segrate
        E882|TA|||40399|17637|Manduria
        C740|LT|1873||41591|12828|Cisterna di Latina|Cisterna di Littoria|Cisterna di Roma
        H926|FG|||41706|15728|San Giovanni Rotondo
        H183|GE|||44350|9228|Rapallo
        F899|CL|||37146|14394|Niscemi
        H931|NA|1895||40836|14505|San Giuseppe Vesuviano
        B076|NA|1877||40773|14481|Boscoreale
        L425|BA|||41065|16925|Triggiano
        B455|LU|||43943|10298|Camaiore
        F356|GO|1921||45805|13533|Monfalcone
        A132|RM|1872||41727|12659|Albano Laziale
        F443|TV|1866||45775|12049|Montebelluna
        C621|GE|||44318|9322|Chiavari
        E156|CT|1862||37561|15063|Gravina di Catania
        F152|BR|||40559|17808|Mesagne
        G324|MI|||45560|8945|Parabiago
        C927|RG|||36949|14607|Comiso
        D390|SA|||40617|15057|Eboli
        D912|MI|1864||45574|9075|Garbagnate Milanese
        F965|AL|1863||44762|8787|Novi Ligure
        D472|AN|1863||43626|13400|Falconara Marittima
        E063|MB|1871||45700|9209|Giussano
        I496|RE|||44598|10696|Scandiano
        L109|BA|||41129|16545|Terlizzi
        B162|MI|1884||45538|9189|Bresso
        A535|NA|1919||40797|14073|Bacoli
        C111|TV|1867||45671|11928|Castelfranco Veneto
        A474|CA|||39291|8999|Assemini
        G309|NA|1871||40920|14193|Villaricca
        A757|BL|1866||46143|12216|Belluno
        E415|MI|1870||45572|9027|Lainate
        L400|BG|||45521|9591|Treviglio
        A124|CN|||44700|8035|Alba
        I330|BA|1863||40792|16759|Santeramo in Colle
        M089|TV|1867||45980|12301|Vittorio Veneto|Vittorio
        G130|CE|1862||40964|14269|Orta di Atella
        F280|BA|||41060|17090|Mola di Bari
        A027|CT|||37606|15142|Aci Catena
        E038|BA|1863||40800|16923|Gioia del Colle
        G187|BR|||40729|17577|Ostuni
        E017|CT|||37724|15182|Giarre
        L741|IM|||43790|7609|Ventimiglia
        E532|SR|||37286|14997|Lentini
        F924|NA|||40926|14528|Nola
        B111|CN|||44698|7851|Bra
        H645|BA|1863||41118|16484|Ruvo di Puglia
        G813|NA|1928||40746|14497|Pompei
        I838|FR|||41718|13614|Sora
        H101|NA|||40919|14154|Qualiano
        E738|BS|1928||45648|10265|Lumezzane
        I908|VE|1866||45491|12155|Spinea
        H096|BA|||40851|17122|Putignano
        E379|TO|||45467|7876|Ivrea
        I628|BG|||45685|9725|Seriate
        C978|LE|||40268|18054|Copertino
        F913|SA|||40742|14674|Nocera Superiore
        G190|NA|1893||40852|14478|Ottaviano|Ottaiano
        C565|MI|||45442|9094|Cesano Boscone
        I580|CA|||39258|9163|Selargius
        D451|AN|||43339|12903|Fabriano
        F797|MB|||45589|9228|Muggiò
        A841|CT|||37644|14867|Biancavilla
        C665|TO|||45191|7890|Chivasso
        B791|TO|||44850|7720|Carmagnola
        C342|EN|||37566|14274|Enna|Castrogiovanni
        L112|PA|1863||37982|13697|Termini Imerese
        M115|NA|1953||40874|14341|Volla
        D245|BG|1927||45649|9606|Dalmine
        L304|AL|||44898|8864|Tortona
        I709|MB|1869||45647|9143|Seveso
        M052|MB|||45615|9368|Vimercate
        D284|BS|1862||45471|10536|Desenzano del Garda|Desenzano sul Lago
        F078|MB|||45661|9153|Meda
        C975|BA|||40968|17113|Conversano
        E281|SU|||39309|8537|Iglesias
        G282|AG|1863||37191|13766|Palma di Montechiaro
        E951|CO|1862||45697|9182|Mariano Comense
        D508|BR|||40836|17360|Fasano
        E801|MI|||45465|8885|Magenta
        L551|VI|1866||45645|11299|Valdagno
        C745|PG|||43466|12238|Città di Castello
        F035|LU|1870||43866|10345|Massarosa
        L885|MO|||44484|11011|Vignola
        H945|BO|1862||44470|11409|San Lazzaro di Savena
        G811|RM|1938||41669|12501|Pomezia
        F944|MB|||45589|9198|Nova Milanese|Nova
        B759|NA|||40946|14300|Cardito
        G921|FM|1952||43253|13760|Porto Sant'Elpidio
        D636|SR|1868||37083|15153|Floridia
        H792|CL|||37484|13985|San Cataldo
        H922|CT|||37577|15094|San Giovanni la Punta
        C415|LI|1892||43306|10517|Cecina
        L182|RM|1871||41960|12802|Tivoli
        F269|TV|1868||45556|12243|Mogliano Veneto
        F923|BA|1863||41034|16990|Noicattaro
        F377|PA|||38081|13289|Monreale
        B034|PR|||44867|10060|Fidenza|Borgo San Donnino
        C291|CE|||41033|13944|Castel Volturno
        F351|CN|||44396|7818|Mondovì
        G087|TO|||45005|7538|Orbassano
        G752|SI|||43471|11148|Poggibonsi
        B745|SU|1938||39165|8521|Carbonia
        G924|SS|||40834|8405|Porto Torres
        E512|VR|1866||45194|11302|Legnago
        Z703||||-21208|-159775|Isole Cook|Cook Islands
        E730|RA|||44421|11911|Lugo
        A459|VI|1866||45520|11334|Arzignano
        C004|VA|||45672|8827|Cassano Magnago
        D656|GR|1920||42928|10765|Follonica
        I056|CE|1862||41052|14333|San Nicola la Strada
        L157|VI|1866||45709|11480|Thiene
        D763|CH|1879||42422|14282|Francavilla al Mare
        I804|AQ|||42049|13926|Sulmona|Solmona
        C034|FR|1863||41486|13828|Cassino
        F464|VI|1866||45504|11412|Montecchio Maggiore
        C858|RM|1935||41727|13005|Colleferro
        I262|NA|||40868|14402|Sant'Anastasia
        G291|BA|1863||41056|16703|Palo del Colle
        I602|MI|||45576|9126|Senago
        B872|CE|||41010|14130|Casal di Principe
        D972|RM|1873||41707|12689|Genzano di Roma
        A048|BA|1863||40897|16843|Acquaviva delle Fonti
        G211|SR|||36715|15090|Pachino
        E058|TE|||42754|13966|Giulianova
        I449|SP|||44112|9962|Sarzana
        B019|NO|||45699|8462|Borgomanero
        C349|CS|||39816|16202|Castrovillari
        F383|CA|||39256|9144|Monserrato|Pauli Monserrato|Pauli Pirri
        D018|MI|||45501|9027|Cornaredo
        H924|VR|1866||45382|11045|San Giovanni Lupatoto
        D773|RM|1871||41809|12679|Frascati
        D013|MI|1871||45549|9160|Cormano
        L826|MN|1868||44936|10519|Viadana
        L409|MI|1862||45422|9063|Trezzano sul Naviglio
        D843|LT|1897||41214|13571|Gaeta
        F955|MI|1862||45530|9140|Novate Milanese
        H574|SR|||36821|14951|Rosolini
        D862|LE|||40174|18170|Galatina
        G843|PI|||43661|10631|Pontedera
        G762|NA|||40801|14541|Poggiomarino
        L356|NO|||45434|8736|Trecate
        B936|LE|1885||40011|18162|Casarano
        H647|LT|1933||41300|13028|Sabaudia
        I921|PG|||42741|12739|Spoleto
        F537|VV|1863||38676|16101|Vibo Valentia|Monteleone di Calabria
        I829|SO|||46169|9871|Sondrio
        E047|BA|||41185|16671|Giovinazzo
        D883|LE|||40056|17991|Gallipoli
        F246|PA|||38032|13448|Misilmeri
        A389|MI|||45550|9077|Arese
        B202|CT|||37789|14834|Bronte
        L916|PA|||38078|13443|Villabate
        E094|MI|||45531|9405|Gorgonzola
        C574|FC|||44200|12399|Cesenatico
        D231|MI|1862||45552|9184|Cusano Milanino|Cusano sul Seveso
        G628|LU|||43960|10228|Pietrasanta
        I300|NA|1925||40722|14540|Sant'Antonio Abate
        D742|CN|||44551|7719|Fossano
        E041|RC|1863||38425|15898|Gioia Tauro
        F382|PD|1866||45239|11750|Monselice
        F656|AR|||43525|11572|Montevarchi
        B946|NA|1946||40899|14277|Casavatore
        E329|NA|||40738|13949|Ischia
        G288|RC|||38359|15852|Palmi
        C312|MN|1868||45390|10486|Castiglione delle Stiviere
        I030|TO|1863||45104|7768|San Mauro Torinese
        F943|SR|||36892|15070|Noto
        B923|BA|||40957|16921|Casamassima
        A001|PD|1866||45358|11787|Abano Terme|Abano
        C469|FE|||44731|11287|Cento
        I695|CA|||39298|9092|Sestu
        G953|RG|||36730|14847|Pozzallo
        E204|RM|1884||41787|12671|Grottaferrata
        D542|FM|1877||43163|13723|Fermo
        F119|MI|||45498|9420|Melzo
        G264|BS|1862||45597|9887|Palazzolo sull'Oglio
        A561|PT|1905||43882|10772|Montecatini-Terme|Bagni di Montecatini
        Z734||||7340|134473|Palau|Palau
        E224|NA|1864||40936|14260|Grumo Nevano
        A710|PG|||43064|12546|Bastia Umbra
        A052|AL|||44676|8469|Acqui Terme|Acqui
        C495|NA|1877||40860|14357|Cercola
        D332|VB|1884||46116|8293|Domodossola
        G580|EN|1862||37384|14369|Piazza Armerina
        H643|BA|||41010|17006|Rutigliano
        H269|AG|||37498|13267|Ribera
        A747|RN|1956||44143|12472|Bellaria-Igea Marina
        I396|BR|1864||40656|17708|San Vito dei Normanni
        A026|CT|||37556|15145|Aci Castello
        H509|BG|1863||45521|9754|Romano di Lombardia
        F572|PO|||43927|11037|Montemurlo
        A401|RM|1871||41721|12672|Ariccia
        G914|VE|1866||45781|12841|Portogruaro
        C722|TO|||45235|7601|Ciriè
        F240|MO|||44885|11069|Mirandola
        H919|CS|||39254|16697|San Giovanni in Fiore
        H783|VR|1866||45396|11274|San Bonifacio
        A091|SA|||40349|14991|Agropoli
        H330|TN|1920||45886|10841|Riva del Garda|Riva
        C107|MO|1862||44594|11050|Castelfranco Emilia|Castelfranco dell'Emilia
        L570|AL|||45012|8644|Valenza
        C003|MI|1869||45526|9515|Cassano d'Adda
        L319|VA|||45708|8908|Tradate
        L142|NA|1913||40804|14493|Terzigno
        I148|CH|||42044|14733|San Salvo
        A145|SV|||44050|8218|Albenga
        M213|RM|1970||41607|12542|Ardea
        M053|MI|||45515|9288|Vimodrone
        L379|CE|||40975|14175|Trentola Ducenta|Trentola
        F127|RM|1895||42035|12644|Mentana
        F874|MI|1869||45553|8979|Nerviano
        D442|PD|1866||45223|11664|Este
        I693|GE|||44273|9397|Sestri Levante
        L273|FG|||41689|15294|Torremaggiore
        E335|IS|||41596|14234|Isernia
        G691|TO|||44988|7460|Piossasco
        I046|PI|||43680|10850|San Miniato
        I470|CN|||44648|7657|Savigliano
        A055|BA|1927||41003|16872|Adelfia
        F100|MI|||45358|9324|Melegnano
        A376|MB|1869||45627|9325|Arcore
        G131|FG|1862||41329|15710|Orta Nova
        I548|CT|||37295|14841|Scordia
        H657|PN|1866||45954|12503|Sacile
        C847|SI|1862||43421|11127|Colle di Val d'Elsa
        G157|AN|||43485|13482|Osimo
        A222|TO|||45093|7524|Alpignano
        F299|AG|1863||37289|13525|Porto Empedocle
        H834|CE|1862||41017|14487|San Felice a Cancello
        L020|MN|1866||44992|10744|Suzzara
        A652|MI|||45479|8998|Bareggio
        B105|MB|||45610|9153|Bovisio-Masciago|Bovisio
        F585|TE|||42672|14015|Roseto degli Abruzzi|Montepagano
        H727|CN|||44647|7493|Saluzzo
        C424|BR|1864||40646|17517|Ceglie Messapica|Ceglie Messapico
        L191|MC|||43209|13285|Tolentino
        A161|PD|1866||45347|11868|Albignasego
        D416|CO|||45809|9226|Erba
        B805|VA|1869||45598|9046|Caronno Pertusella|Caronno Milanese
        D999|BS|||45402|10277|Ghedi
        A766|CT|||37592|14980|Belpasso
        D607|MO|1862||44539|10812|Fiorano Modenese
        F224|LT|1879||41263|13746|Minturno
        G253|CT|||37330|14745|Palagonia
        C357|RN|1895||43962|12736|Cattolica
        E036|TA|||40577|16757|Ginosa
        I535|RG|||36790|14703|Scicli
        L571|BA|||41044|16885|Valenzano
        I712|LT|1871||41500|13062|Sezze
        C204|BO|||44577|11361|Castel Maggiore
        Z729||||-13282|-176175|Isole Wallis e Futuna|Wallis and Futuna
        H901|AR|1863||43568|11530|San Giovanni Valdarno
        D702|NA|||40738|13860|Forio
        M185|BO|||44490|11218|Zola Predosa
        C991|PN|1866||45984|12700|Cordenons
        I467|TA|1870||40402|17553|Sava
        L949|VR|1867||45354|10845|Villafranca di Verona
        C552|RM|1871||41991|12091|Cerveteri
        B160|BZ|1920||46715|11656|Bressanone|Brixen
        I054|FG|||41838|15565|San Nicandro Garganico|San Nicandro
        I752|CA|||39303|9203|Sinnai
        G467|BO|||44638|11184|San Giovanni in Persiceto|Persiceto
        F999|TV|1866||45781|12494|Oderzo
        H720|PR|||44816|9986|Salsomaggiore Terme|Salsomaggiore
        D872|NO|||45479|8698|Galliate
        I725|RC|||38270|16296|Siderno
        D037|RE|||44767|10783|Correggio
        G920|FM|1877||43178|13794|Porto San Giorgio
        C618|BS|||45538|9927|Chiari
        D790|NA|1886||40956|14272|Frattaminore
        E863|VA|||45794|8881|Malnate
        B715|CE|||41105|14213|Capua
        B729|MB|1869||45676|9237|Carate Brianza
        G252|TA|||40578|17038|Palagiano
        F915|BA|||40794|17127|Noci
        B850|MI|||45550|9340|Carugate
        L188|PG|||42779|12412|Todi
        M048|TV|1866||45713|12257|Villorba
        B227|NA|||40922|14424|Brusciano
        B296|VR|1866||45469|10854|Bussolengo
        F241|VE|1866||45495|12108|Mirano
        A332|BZ|1920||46459|11257|Appiano sulla strada del vino|Eppan an der Weinstraße|Appiano|Eppan
        H404|RM|1871||41766|12702|Rocca di Papa
        F471|BS|1877||45413|10398|Montichiari
        I700|MI|1862||45478|9056|Settimo Milanese
        D251|BS|||45892|10189|Darfo Boario Terme|Darfo
        G274|RM|1871||41833|12882|Palestrina
        C952|MB|||45589|9334|Concorezzo
        B787|SR|||37281|15010|Carlentini
        C100|AN|||43459|13550|Castelfidardo
        G062|VB|||45880|8407|Omegna
        I819|VA|1862||45682|8708|Somma Lombardo
        C726|KR|1952||39369|17125|Cirò Marina
        C413|FR|1871||41572|13329|Ceccano
        I862|NA|||40627|14378|Sorrento
        G098|BR|||40500|17643|Oria
        I472|FC|1862||44090|12399|Savignano sul Rubicone|Savignano di Romagna
        E471|BR|||40551|17719|Latiano
        H882|TA|1862||40458|17380|San Giorgio Ionico|San Giorgio Sotto Taranto
        C816|LO|1869||45162|9702|Codogno
        E207|AP|||42982|13868|Grottammare
        A071|PT|1913||43902|11005|Agliana
        E271|BS|||45584|10157|Gussago
        A087|MB|1869||45574|9348|Agrate Brianza
        C134|BA|||40886|17165|Castellana Grotte|Castellana
        I930|LE|||40435|18041|Squinzano
        D815|FI|||43733|10797|Fucecchio
        C743|PD|1866||45645|11785|Cittadella
        E815|LE|||40121|18298|Maglie
        E256|PG|||43350|12573|Gubbio
        M122|TO|||45199|7775|Volpiano
        H211|MC|1893||43404|13554|Recanati
        C136|TA|||40628|16933|Castellaneta
        C139|VA|1869||45611|8896|Castellanza
        H240|MI|1869||45620|8949|Rescaldina
        H736|VA|1869||45624|8785|Samarate
        D863|LE|||40147|18069|Galatone
        L383|LE|||40405|18076|Trepuzzi
        B754|VA|1864||45649|8769|Cardano al Campo
        A297|RM|1872||42079|12284|Anguillara Sabazia
        E754|CE|1946||40970|14190|Lusciano
        I233|CE|||41026|14465|Santa Maria a Vico
        B809|BR|||40706|17658|Carovigno
        B107|VR|1866||45261|11118|Bovolone
        I255|RM|1949||42034|11854|Santa Marinella
        F754|PV|||45249|8733|Mortara
        L711|LE|||40335|17962|Veglie
        B716|BA|||41046|16922|Capurso
        D094|BI|||45570|8185|Cossato
        B915|BT|1863||41357|16089|Trinitapoli
        E469|TA|||40629|16799|Laterza
        M298|TA|1993||40529|17201|Statte
        C986|MI|1880||45467|8919|Corbetta
        L900|PD|1866||45435|11975|Vigonza
        B423|LC|1927||45795|9438|Calolziocorte
        E536|EN|||37642|14398|Leonforte
        M018|RC|1867||38220|15637|Villa San Giovanni
        H839|BT|1863||41303|16070|San Ferdinando di Puglia
        E366|RG|||36786|14905|Ispica|Spaccaforno
        L419|LE|1874||39930|18354|Tricase
        G822|PI|||43623|10627|Ponsacco
        I119|BR|||40489|17998|San Pietro Vernotico
        L369|CT|1874||37565|15079|Tremestieri Etneo
        B860|CE|1872||41071|14312|Casagiove
        E518|TO|||45183|7714|Leini|Leyni
        G926|RO|1929||45027|12218|Porto Viro|Taglio di Porto Viro
        D530|BL|1866||46021|11900|Feltre
        E563|LE|||40289|17996|Leverano
        C569|MI|||45596|9076|Cesate
        C615|AN|1865||43601|13325|Chiaravalle
        G170|BS|||45552|10076|Ospitaletto
        M017|MB|||45606|9308|Villasanta|Villa San Fiorano
        H798|CE|1862||40999|14132|San Cipriano d'Aversa
        A676|EN|||37378|14203|Barrafranca
        H985|FG|||41712|15638|San Marco in Lamis
        B301|MI|1869||45548|8883|Busto Garolfo
        G787|BA|1863||40992|17221|Polignano a Mare
        B731|BG|||45496|9642|Caravaggio
        G141|CH|||42351|14403|Ortona
        I433|BS|||45661|10197|Sarezzo
        M321|FI|2014||43620|11472|Figline e Incisa Valdarno
        G693|PD|1866||45297|12037|Piove di Sacco
        A163|BG|||45764|9799|Albino
        F604|LE|1864||40319|18092|Monteroni di Lecce
        G559|TO|||45104|7550|Pianezza
        E864|VI|1866||45659|11416|Malo
        D611|PC|1866||44924|9913|Fiorenzuola d'Arda
        A339|FG|||41786|15444|Apricena
        B925|NA|||40928|14247|Casandrino
        F784|TA|||40639|17034|Mottola
        I469|NA|1867||40905|14505|Saviano
        E493|PZ|||41048|15789|Lavello
        C130|TP|||38027|12882|Castellammare del Golfo
        F104|PZ|||40996|15656|Melfi
        F133|LC|||45689|9421|Merate
        L639|RM|1871||41773|12919|Valmontone
        G886|PN|1866||45963|12616|Porcia
        A059|RO|1866||45054|12056|Adria
        C540|FI|||43548|11039|Certaldo
        F488|NA|1907||40798|14050|Monte di Procida
        A429|NO|||45759|8557|Arona
        F384|PT|||43867|10813|Monsummano Terme|Monsummano
        M207|RM|1967||41718|12829|Lariano
        C498|VR|1866||45189|11217|Cerea
        E133|CT|||37213|14633|Grammichele
        H558|RC|||38487|15980|Rosarno
        L339|BS|1879||45524|10080|Travagliato
        L845|NA|||40660|14434|Vico Equense
        C817|UD|1866||45965|12980|Codroipo
        H256|BS|||45512|10317|Rezzato
        L924|SU|||39457|8741|Villacidro
        L024|IM|||43846|7852|Taggia
        A246|BG|1927||45737|9726|Alzano Lombardo
        L677|MB|||45598|9163|Varedo
        L093|SS|||40901|9105|Tempio Pausania
        Z713||||-551|166925|Nauru|Nauru
        H512|VI|1868||45779|11767|Romano d'Ezzelino
        G283|NA|1863||40866|14552|Palma Campania
        B910|LO|||45179|9648|Casalpusterlengo
        H307|PZ|1884||40923|15671|Rionero in Vulture
        C101|FI|1876||43610|10968|Castelfiorentino
        G019|NO|1870||45597|8642|Oleggio
        D379|VI|1866||45636|11551|Dueville
        G317|CS|||39363|16037|Paola
        C675|NA|||40964|14535|Cicciano
        D768|SR|||37225|14875|Francofonte
        B406|FI|||43854|11166|Calenzano
        E223|BA|1863||41011|16708|Grumo Appula
        I728|FI|||43794|11104|Signa
        I403|PN|1866||45917|12859|San Vito al Tagliamento
        E936|VE|1866||45564|12299|Marcon
        H978|CE|||40990|14176|San Marcellino
        I741|TE|||42550|14118|Silvi
        H556|VI|1866||45702|11761|Rosà
        D539|FR|1871||41691|13256|Ferentino
        F631|FG|||41705|15961|Monte Sant'Angelo
        B114|RM|1871||42103|12166|Bracciano
        D171|TA|1919||40604|17233|Crispiano
        A674|SA|||40748|14774|Baronissi
        I155|AR|||43573|12139|Sansepolcro
        B593|MI|||45568|8927|Canegrate
        B998|BA|1863||40891|16765|Cassano delle Murge
        A530|PN|1867||45909|12664|Azzano Decimo
        G568|NA|1865||40628|14417|Piano di Sorrento
        I951|BG|||45650|9652|Stezzano
        B220|BZ|1920||46799|11934|Brunico|Bruneck
        C556|UD|1921||45821|13339|Cervignano del Friuli|Cervignano
        D170|NA|||40953|14290|Crispano
        H598|BS|||45563|10002|Rovato
        E884|BS|||45354|10138|Manerbio
        G028|VA|||45637|8881|Olgiate Olona
        G855|PD|1866||45367|11923|Ponte San Nicolò
        L155|CE|||40996|14208|Teverola
        F437|GR|||42435|11120|Monte Argentario
        E734|VA|1889||46002|8745|Luino
        E682|VI|1866||45386|11384|Lonigo
        I786|MI|1919||45614|9083|Solaro
        G402|CT|||37624|15057|Pedara
        A372|TN|1920||45918|10887|Arco
        H194|AG|||37267|13968|Ravanusa
        B666|ME|1925||38143|14733|Capo d'Orlando
        M172|VR|1866||45372|11129|Zevio
        I306|CE|||40957|14251|Sant'Arpino
        C537|MI|1862||45594|8954|Cerro Maggiore
        H628|RE|||44652|10779|Rubiera
        H159|AG|1892||37402|13532|Raffadali
        B524|PD|1866||45498|11922|Campodarsego
        D024|VT|1872||42254|11757|Tarquinia|Corneto Tarquinia
        D467|VA|1893||45670|8860|Fagnano Olona
        H531|GO|1921||45827|13504|Ronchi dei Legionari|Ronchi di Monfalcone|Ronchi
        I805|AV|||40833|14837|Solofra
        G795|NA|1877||40851|14379|Pollena Trocchia
        F126|AG|||37604|12969|Menfi
        A569|BS|1862||45428|10186|Bagnolo Mella
        F065|CL|||37302|14210|Mazzarino
        I131|CE|||41086|14277|San Prisco
        I003|VR|1866||45421|11096|San Martino Buon Albergo
        B960|TO|1863||45175|7643|Caselle Torinese
        L472|BA|||40917|17020|Turi
        G786|MT|1959||40213|16678|Policoro
        I904|PN|1872||46113|12892|Spilimbergo
        L411|MI|1869||45605|9514|Trezzo sull'Adda
        C765|VT|1871||42293|12409|Civita Castellana
        G481|VR|1866||45485|10868|Pescantina
        H683|SA|1863||40401|15591|Sala Consilina
        M279|SR|1979||37155|15182|Priolo Gargallo
        H325|CT|||37732|15206|Riposto
        C708|PA|||38161|13101|Cinisi
        E270|SU|||39540|8635|Guspini
        I177|PI|1863||43717|10772|Santa Croce sull'Arno
        E253|RE|||44912|10662|Guastalla
        G634|MI|1862||45351|9203|Pieve Emanuele
        L063|RC|1928||38355|16013|Taurianova
        L065|UD|1866||46110|13223|Tavagnacco
        C421|PA|||38039|14023|Cefalù
        L634|LC|||45846|9358|Valmadrera
        B817|BS|||45362|10431|Carpenedolo
        G491|PT|1895||43887|10688|Pescia
        C002|CS|1863||39781|16327|Cassano all'Ionio
        L074|LE|1885||39982|18082|Taviano
        I197|BN|||41089|14497|Sant'Agata de' Goti
        E020|TO|||45044|7347|Giaveno
        G452|TN|1920||46064|11238|Pergine Valsugana|Pèrgine
        L675|SV|||44364|8596|Varazze
        I274|LO|1864||45235|9407|Sant'Angelo Lodigiano
        M141|RM|1871||41842|12815|Zagarolo
        Z732||||-8524|179194|Tuvalu|Tuvalu
        E466|FI|||43770|11113|Lastra a Signa
        H281|CL|||37281|14083|Riesi
        F522|FM|||43231|13630|Montegranaro
        E946|BT|1879||41372|16153|Margherita di Savoia
        G078|MI|||45374|9211|Opera
        F138|SA|1869||40785|14754|Mercato San Severino|Sanseverino Rota
        E488|GE|||44306|9354|Lavagna
        I863|SS|||40799|8576|Sorso
        D561|RM|1872||42155|12595|Fiano Romano
        A892|BA|||41041|16748|Bitetto
        L011|LE|||40394|18135|Surbo
        D567|PA|||38092|13464|Ficarazzi
        H119|CA|||39253|9178|Quartucciu
        L738|PZ|||40963|15813|Venosa
        C261|PC|||45060|9438|Castel San Giovanni
        A990|TO|||45151|7655|Borgaro Torinese
        C948|BS|||45605|10217|Concesio
        G856|BG|1879||45706|9590|Ponte San Pietro
        B675|CA|||39175|8972|Capoterra
        L814|VT|1871||42318|12073|Vetralla
        L858|FG|||41882|16171|Vieste
        A388|GE|||44405|8683|Arenzano
        G596|CE|1862||41351|14368|Piedimonte Matese|Piedimonte d'Alife
        M273|NA|1979||40716|14510|Santa Maria la Carità
        B452|NA|||40908|14186|Calvizzano
        A618|MI|2001||45527|9117|Baranzate
        G160|BG|||45616|9589|Osio Sotto
        F551|FI|1863||43730|11010|Montelupo Fiorentino
        A125|TE|1956||42832|13926|Alba Adriatica
        C894|BG|1863||45576|9709|Cologno al Serio
        D962|UD|1866||46274|13122|Gemona del Friuli|Gemona
        B033|CN|||44338|7493|Borgo San Dalmazzo
        C265|BO|1862||44399|11585|Castel San Pietro Terme|Castel San Pietro dell'Emilia
        E339|KR|1863||38958|17092|Isola di Capo Rizzuto
        C014|MI|1870||45516|9360|Cassina de' Pecchi
        D786|PG|1863||43303|12337|Umbertide
        E632|SV|1878||44128|8257|Loano
        I294|SU|||39070|8452|Sant'Antioco
        E027|SA|||40718|14942|Giffoni Valle Piana
        G333|CE|||40959|14162|Parete
        E530|MB|1869||45676|9118|Lentate sul Seveso
        H340|TO|1863||45328|7721|Rivarolo Canavese
        B041|VC|1867||45720|8275|Borgosesia
        F054|LE|||40031|18136|Matino
        E666|VA|1869||45592|8752|Lonate Pozzolo
        I304|RN|1864||44063|12447|Santarcangelo di Romagna
        I008|PD|1866||45651|11860|San Martino di Lupari
        F795|TS|1921||45604|13768|Muggia|Milje
        A849|MB|||45629|9271|Biassono
        G385|MI|||45418|9400|Paullo
        F930|MO|||44678|11038|Nonantola
        C605|VI|1866||45547|11283|Chiampo
        F851|BS|||45585|10279|Nave
        I566|MI|||45491|8972|Sedriano
        B554|VE|1866||45380|12086|Camponogara
        M294|SA|1990||40620|14947|Bellizzi
        A449|RM|1873||41741|12907|Artena
        E340|FR|1869||41687|13597|Isola del Liri
        L064|LE|||39957|18215|Taurisano
        I968|PV|||45074|9302|Stradella
        A894|BA|||41043|16827|Bitritto
        A801|MT|||40413|16689|Bernalda
        L445|TO|||44982|7747|Trofarello
        G025|CO|1862||45784|8968|Olgiate Comasco
        C208|BS|1864||45499|10146|Castel Mella
        E421|BZ|1920||46427|11338|Laives|Leifers
        L919|BS|1928||45633|10196|Villa Carcina
        H860|NA|||40862|14524|San Gennaro Vesuviano|San Gennaro
        G923|RO|1873||44950|12325|Porto Tolle
        F499|VT|1871||42543|12032|Montefiascone
        A122|SV|||44004|8167|Alassio
        B506|LE|1864||40397|18021|Campi Salentina
        H717|BS|||45607|10520|Salò
        E173|CE|1872||40980|14231|Gricignano di Aversa
        E784|CE|1862||41063|14278|Macerata Campania|Macerata di Marcianise
        M295|RM|1990||41821|12804|San Cesareo
        F636|BN|1867||41062|14641|Montesarchio
        F904|VE|1866||45546|12064|Noale
        D976|RC|1905||38239|16260|Locri|Gerace Marina
        C052|MI|1864||45552|8776|Castano Primo
        F712|SO|||46137|9574|Morbegno
        B898|CR|||44990|10421|Casalmaggiore
        I327|TO|1878||44946|7773|Santena
        H335|TO|1890||45033|7520|Rivalta di Torino
        E889|PN|1866||46166|12706|Maniago
        F960|RE|1866||44845|10727|Novellara
        I259|VR|1867||45521|10836|Sant'Ambrogio di Valpolicella
        E788|NU|||40262|8767|Macomer
        A029|CT|||37605|15123|Aci Sant'Antonio
        A413|MI|||45503|8942|Arluno
        B403|VI|1866||45608|11503|Caldogno
        B077|NA|1877||40773|14462|Boscotrecase
        B473|NO|||45502|8662|Cameri
        E989|TE|1963||42880|13913|Martinsicuro
        A123|FR|1871||41732|13341|Alatri
        G919|MC|1893||43433|13662|Porto Recanati
        E425|SS|||41214|9408|La Maddalena
        D009|PA|||37813|13302|Corleone
        I927|TV|1866||45779|12256|Spresiano
        F529|PD|1919||45331|11786|Montegrotto Terme|San Pietro Montagnon
        E299|VA|1863||45846|8841|Induno Olona
        E879|LC|1863||45922|9320|Mandello del Lario
        G875|TV|1868||45715|12204|Ponzano Veneto
        H072|NA|||40756|14015|Procida
        A764|PA|1864||38047|13392|Belmonte Mezzagno
        G347|TP|||37727|12889|Partanna
        F030|NA|||40609|14372|Massa Lubrense
        I066|BR|1862||40418|17834|San Pancrazio Salentino
        F892|EN|||37747|14392|Nicosia
        M060|TO|1868||44947|7633|Vinovo
        E526|BS|||45369|10217|Leno
        C557|AV|||41020|14614|Cervinara
        H168|CT|||37386|14692|Ramacca
        L355|CT|||37615|15078|Trecastagni
        A231|VI|1867||45513|11469|Altavilla Vicentina
        D136|VI|1866||45532|11478|Creazzo
        E630|TA|1870||40393|17446|Lizzano
        D918|BS|||45691|10186|Gardone Val Trompia
        C074|PA|||38051|13530|Casteldaccia
        B520|AG|||37258|13918|Campobello di Licata
        C219|RE|1871||44436|10403|Castelnovo ne' Monti
        D899|FC|||44117|12337|Gambettola
        L844|CE|||41009|14076|Villa Literno|Vico di Pantano
        F679|MS|||44024|10173|Montignoso
        G698|LT|1871||41470|13179|Priverno|Piperno
        G149|BS|||45402|9923|Orzinuovi
        L131|PA|||38146|13083|Terrasini
        B916|CE|||40998|14197|Casaluce
        C426|AQ|||42081|13517|Celano
        H175|CT|||37877|14950|Randazzo
        I199|ME|||38068|14636|Sant'Agata di Militello
        G825|FI|||43775|11431|Pontassieve
        B521|TP|||37635|12749|Campobello di Mazara
        C118|MN|1873||45294|10473|Castel Goffredo
        A053|CS|||39496|16386|Acri
        I720|SA|||40802|14693|Siano
        A191|RA|||44508|12037|Alfonsine
        B091|BS|1928||45530|10311|Botticino
        D981|VA|||45640|9001|Gerenzano
        I202|CT|||37557|15080|Sant'Agata li Battiati
        F830|CL|||37581|13752|Mussomeli
        L280|BR|||40468|17739|Torre Santa Susanna
        H109|PT|||43848|10979|Quarrata|Tizzana
        A399|AV|1868||41160|15106|Ariano Irpino|Ariano di Puglia
        B645|PA|||38171|13239|Capaci
        E753|CO|||45767|8999|Lurate Caccivio|Lurate Abbate
        L480|VA|||45615|9004|Uboldo
        E230|PG|||43229|12779|Gualdo Tadino
        B036|FI|||43955|11386|Borgo San Lorenzo
        H212|GE|||44362|9144|Recco
        G791|RC|||38405|16073|Polistena
        F112|RC|1864||37926|15750|Melito di Porto Salvo
        B667|CE|||41043|14306|Capodrise
        A166|SV|||44339|8510|Albisola Superiore
        E975|PG|||42921|12351|Marsciano
        C013|MI|1895||45510|9087|Pero
        F864|BG|||45744|9761|Nembro
        L122|OR|||39721|8635|Terralba
        A350|LE|||40129|18130|Aradeo
        G197|AL|||44637|8642|Ovada
        H147|LE|||39961|18092|Racale
        G645|TV|1866||45898|12171|Pieve di Soligo
        D600|SV|1927||44170|8344|Finale Ligure
        D623|CT|1862||37791|15209|Fiumefreddo di Sicilia
        B792|LE|||40344|18042|Carmiano
        C079|BG|1927||45613|9885|Castelli Calepio
        I019|SA|1862||40778|14580|San Marzano sul Sarno
        A241|LU|1881||43816|10677|Altopascio
        G229|TV|1866||45674|12164|Paese
        D705|FC|||44191|12129|Forlimpopoli
        A149|BA|1895||40784|17236|Alberobello
        L725|IS|||41483|14048|Venafro
        F004|CT|||37758|15197|Mascali
        F288|BO|||44618|11667|Molinella
        C747|RC|||38354|16079|Cittanova
        I188|PA|1880||38104|13533|Santa Flavia
        G208|TP|||37980|12558|Paceco
        I489|CS|||39806|15796|Scalea
        A310|FR|1872||41798|13224|Fiuggi|Anticoli di Campagna
        G377|ME|||38147|14964|Patti
        A729|BS|||45510|10423|Bedizzole
        E979|LE|||40202|18302|Martano
        D621|PN|1866||45929|12738|Fiume Veneto|Fiume
        I377|SA|1863||40791|14603|San Valentino Torio
        C758|UD|1866||46090|13429|Cividale del Friuli
        L317|PA|||38004|13634|Trabia
        L404|BG|||45674|9612|Treviolo
        E970|VI|1866||45745|11662|Marostica
        I053|BA|||41000|16797|Sannicandro di Bari|San Nicandro
        F029|RA|||44447|11821|Massa Lombarda
        C141|RE|||44518|10737|Castellarano
        E434|BZ|1920||46612|11157|Lana|Lana
        F220|BT|1863||41083|16079|Minervino Murge
        E904|MO|||44531|10869|Maranello
        M139|CT|||37679|15104|Zafferana Etnea
        C166|NO|||45720|8634|Castelletto sopra Ticino
        A269|FR|1871||41744|13155|Anagni
        D946|VA|||45837|8726|Gavirate
        F637|MT|||40550|16665|Montescaglioso
        H090|TA|||40381|17356|Pulsano
        F506|AV|1863||40902|14744|Monteforte Irpino
        I151|NA|1877||40843|14364|San Sebastiano al Vesuvio
        H150|CN|||44766|7679|Racconigi
        A518|TO|||45080|7396|Avigliana
        H632|LE|||39982|18250|Ruffano
        E912|VI|1867||45696|11432|Marano Vicentino
        L448|EN|||37784|14596|Troina
        G393|MO|1863||44334|10835|Pavullo nel Frignano
        A802|MB|1869||45648|9405|Bernareggio
        L511|MB|1869||45648|9362|Usmate Velate|Velate Milanese
        A617|NA|1873||40715|13925|Barano d'Ischia
        D599|MO|1863||44834|11294|Finale Emilia|Finale nell'Emilia
        H432|RM|1871||41766|12766|Rocca Priora
        F781|CT|||37512|14966|Motta Sant'Anastasia
        L744|MB|||45689|9225|Verano Brianza|Verano
        D166|BO|||44720|11148|Crevalcore
        A984|IM|||43781|7665|Bordighera
        E639|MI|1862||45357|9225|Locate di Triulzi
        C732|VA|||45659|8973|Cislago
        C516|CO|||45702|9084|Cermenate
        A752|NO|1863||45569|8643|Bellinzago Novarese
        C383|VE|1866||45135|12085|Cavarzere
        A489|AV|1869||40919|14827|Atripalda
        C292|BO|||44514|11468|Castenaso
        B249|BO|1869||44537|11534|Budrio
        A324|BO|1864||44542|11205|Anzola dell'Emilia
        B369|SV|1880||44398|8278|Cairo Montenotte
        E987|BG|||45572|9768|Martinengo
        A253|CS|||39127|16075|Amantea
        I018|TA|1864||40455|17504|San Marzano di San Giuseppe
        C405|RE|||44695|10526|Cavriago
        D019|MB|||45628|9474|Cornate d'Adda|Cornate
        C980|FE|||44893|11823|Copparo
        E473|UD|1866||45769|13006|Latisana
        H525|BS|||45527|10154|Roncadelle
        F051|MC|||43258|13008|Matelica
        A826|VA|||45849|8665|Besozzo
        L484|LE|||39927|18158|Ugento
        G205|BO|1862||44444|11476|Ozzano dell'Emilia
        B711|BS|||45633|9932|Capriolo
        B594|AT|||44721|8293|Canelli
        L883|MI|1869||45499|9377|Vignate
        E542|SP|||44076|9911|Lerici
        F083|BO|||44479|11638|Medicina
        E377|SS|||40592|8570|Ittiri
        A351|AG|1892||37399|13620|Aragona
        D323|SU|1905||39378|9177|Dolianova
        I382|TV|1866||45887|12352|San Vendemiano
        I903|MO|||44533|11017|Spilamberto
        C964|PD|1866||45232|11875|Conselve
        G325|LE|||40051|18127|Parabita
        E819|MI|1869||45579|8802|Magnago
        B563|PD|1866||45564|11935|Camposampiero
        D547|MT|||40501|16453|Ferrandina
        D117|BG|1884||45828|10101|Costa Volpino
        G636|PT|1905||43881|10800|Pieve a Nievole
        I849|CR|1868||45288|9859|Soresina
        I551|VE|1866||45574|12112|Scorzè
        C950|VE|1868||45761|12824|Concordia Sagittaria|Concordia Sagitaria
        I024|TO|1863||45217|7631|San Maurizio Canavese|San Morizio Canavese
        I156|MC|1863||43230|13180|San Severino Marche
        H856|SU|1863||39550|8791|San Gavino Monreale
        L567|VR|1872||45353|10736|Valeggio sul Mincio
        F902|AT|||44774|8358|Nizza Monferrato
        D042|MC|||43247|13507|Corridonia|Pausula
        I858|BG|||45731|9637|Sorisole
        I647|SU|||39423|8922|Serramanna
        D925|PV|||45195|8923|Garlasco
        E089|MN|1876||44952|10819|Gonzaga
        D208|TO|||45393|7650|Cuorgnè
        I221|TV|1867||45862|12294|Santa Lucia di Piave
        L470|CO|||45657|9004|Turate
        H894|BN|||41068|14853|San Giorgio del Sannio|San Giorgio La Montagna
        A547|RA|||44414|11978|Bagnacavallo
        I864|SR|||37159|15030|Sortino
        B292|MI|||45534|9372|Bussero
        G502|MI|1870||45549|9381|Pessano con Bornago
        L297|VI|1866||45519|11625|Torri di Quartesolo
        A552|RC|1864||38288|15806|Bagnara Calabra
        H708|LE|1864||40385|17961|Salice Salentino
        C561|CE|||40963|14231|Cesa
        A818|MB|1869||45702|9295|Besana in Brianza
        D799|CE|1929||40998|14179|Frignano
        F463|RE|||44699|10452|Montecchio Emilia
        L388|BG|1867||45694|9842|Trescore Balneario
        G605|SV|1863||44149|8282|Pietra Ligure
        E309|CO|||45738|9218|Inverigo
        L220|BA|||40998|16679|Toritto
        B394|BS|||45457|10409|Calcinato
        D422|BR|||40436|17736|Erchie
        L353|CS|||39871|16534|Trebisacce
        B040|BS|||45477|10240|Borgosatollo
        C820|MB|1919||45646|9079|Cogliate
        M280|NA|1980||40769|14438|Trecase
        I688|VA|1869||45726|8634|Sesto Calende
        E423|TO|||44955|7669|La Loggia
        I225|GE|1864||44335|9212|Santa Margherita Ligure
        B988|PV|1863||45311|9017|Casorate Primo
        B201|PV|1869||45064|9260|Broni
        D325|VE|1866||45425|12084|Dolo
        C912|FE|||44695|12182|Comacchio
        D995|MI|||45548|9438|Gessate
        D605|CO|1863||45743|9050|Fino Mornasco
        B121|TO|||45177|7836|Brandizzo
        I027|FC|1863||44109|12420|San Mauro Pascoli|San Mauro di Romagna
        E375|LT|||41290|13530|Itri
        G267|SR|1863||37063|14906|Palazzolo Acreide
        E349|VR|1866||45269|11008|Isola della Scala
        L175|SO|1875||46215|10163|Tirano
        E102|VA|1870||45641|8903|Gorla Minore
        D940|BS|||45589|10443|Gavardo
        B940|PN|1867||45951|12842|Casarsa della Delizia
        C319|AR|||43343|11920|Castiglion Fiorentino
        G912|LI|||42812|10313|Portoferraio
        C113|PI|||43704|10746|Castelfranco di Sotto
        C293|BS|||45474|10291|Castenedolo
        G570|BO|1866||44389|11343|Pianoro
        B774|CS|||39496|16955|Cariati
        I802|MO|||44734|10922|Soliera
        H933|PA|1864||37973|13189|San Giuseppe Jato
        B485|VI|1867||45522|11708|Camisano Vicentino
        L537|PO|1949||43968|11124|Vaiano
        D373|TO|||45133|7575|Druento|Druent
        A516|PN|1866||46071|12595|Aviano
        I409|MI|1864||45586|8941|San Vittore Olona
        D933|TO|||45129|7829|Gassino Torinese|Gassino
        C390|RM|1890||41817|12941|Cave
        F788|CO|||45675|8956|Mozzate
        C153|CR|1868||45296|9761|Castelleone
        M312|BS|2007||45461|10477|Lonato del Garda
        G009|LC|||45791|9348|Oggiono
        B434|BG|1883||45688|9471|Calusco d'Adda
        I363|SP|1863||44149|9922|Santo Stefano di Magra
        I993|CE|||40968|14256|Succivo
        M091|MI|||45488|8951|Vittuone
        I342|RE|1862||44759|10447|Sant'Ilario d'Enza
        E538|LE|||40306|18140|Lequile
        C806|BS|||45564|9972|Coccaglio
        E496|VA|1928||45909|8620|Laveno-Mombello
        L950|ME|1929||38240|15439|Villafranca Tirrena
        I751|NU|||40573|9697|Siniscola
        B935|CE|||41077|14289|Casapulla
        L251|BG|||45717|9708|Torre Boldone
        I337|VC|||45368|8170|Santhià
        L195|UD|1866||46400|13021|Tolmezzo
        F914|PR|||44810|10177|Noceto
        B216|TO|||45015|7478|Bruino
        G694|VI|1866||45756|11433|Piovene Rocchette|Piovene
        C242|MO|||44549|10934|Castelnuovo Rangone
        G772|MI|||45538|8994|Pogliano Milanese|Pogliano
        D237|LE|||40126|18203|Cutrofiano
        C800|BG|||45887|9946|Clusone
        D399|CA|||39269|9050|Elmas
        I110|BO|1872||44701|11405|San Pietro in Casale
        B924|NA|||40747|13912|Casamicciola Terme|Casamicciola
        D938|VC|||45613|8365|Gattinara
        F394|PD|1866||45232|11465|Montagnana
        D198|MI|||45507|8816|Cuggiono
        G838|FR|||41459|13666|Pontecorvo
        L528|SV|||44269|8434|Vado Ligure|Vado
        C852|PR|1893||44752|10215|Collecchio
        D236|KR|||39035|16987|Cutro
        I311|ME|1864||37946|15367|Santa Teresa di Riva
        E317|MI|||45540|9483|Inzago
        F481|SA|||40692|14979|Montecorvino Rovella
        I595|PD|1866||45388|11792|Selvazzano Dentro
        C377|LE|||40310|18202|Cavallino
        E550|MB|1871||45649|9307|Lesmo
        B879|TV|1868||45596|12327|Casale sul Sile
        D901|PV|||45262|8858|Gambolò
        A014|RG|||37023|14493|Acate|Biscari
        G722|VV|||38753|16187|Pizzo
        A473|MI|||45409|9126|Assago
        L502|BG|||45599|9695|Urgnano
        B662|BL|1867||46181|12283|Ponte nelle Alpi
        L349|PD|1866||45593|12044|Trebaseleghe
        L667|MI|1862||45576|9524|Vaprio d'Adda
        F970|LE|||40377|18048|Novoli
        L880|BI|1863||45563|8105|Vigliano Biellese
        D505|TV|1867||45905|12124|Farra di Soligo
        I640|GE|1877||44511|8938|Serra Riccò
        C388|VE|1866||45533|12645|Jesolo|Cavazuccherina
        B068|OR|||40299|8498|Bosa
        G754|PO|1962||43814|11052|Poggio a Caiano
        A355|NU|1928||39926|9656|Tortolì|Arbatax di Tortolì
        F845|AG|||37292|13793|Naro
        F480|SA|||40679|14945|Montecorvino Pugliano
        F209|CT|1862||37276|14793|Militello in Val di Catania
        H700|TP|||37822|12805|Salemi
        L199|PD|1866||45639|11824|Tombolo
        H914|AG|1879||37628|13644|San Giovanni Gemini
        E659|CO|||45697|9034|Lomazzo
        G203|SS|||40586|9003|Ozieri
        I318|TE|1863||42817|13722|Sant'Egidio alla Vibrata
        B586|BI|||45541|8107|Candelo
        H974|SU|||39562|8900|Sanluri
        G489|VR|1867||45439|10686|Peschiera del Garda|Peschiera sul Lago di Garda
        B703|BG|1928||45613|9530|Capriate San Gervasio
        B314|OR|||39929|8532|Cabras
        A129|BG|1863||45688|9767|Albano Sant'Alessandro
        I208|NA|1865||40629|14400|Sant'Agnello
        I178|RG|1863||36828|14525|Santa Croce Camerina
        C055|BS|1879||45561|10114|Castegnato
        A573|RE|1862||44764|10674|Bagnolo in Piano
        F728|TN|1920||45852|10981|Mori
        D730|LU|1913||43964|10175|Forte dei Marmi
        D020|VI|1866||45616|11332|Cornedo Vicentino|Cornedo
        F826|VE|1866||45621|12542|Musile di Piave|Musile
        A371|VA|||45856|8868|Arcisate
        L752|BG|||45601|9608|Verdellino
        I978|NA|||40815|14575|Striano
        A070|EN|||37656|14520|Agira
        B138|BG|||45717|9579|Brembate di Sopra
        I878|MB|||45646|9263|Sovico
        F783|MI|||45288|8993|Motta Visconti
        B188|RA|||44222|11774|Brisighella
        F162|NA|||40641|14416|Meta
        L118|BG|1892||45685|9531|Terno d'Isola
        F161|PD|1866||45441|11759|Mestrino
        F964|VI|1866||45294|11548|Noventa Vicentina
        D221|BG|1890||45689|9609|Curno
        H580|VI|1867||45703|11804|Rossano Veneto
        I317|SA|1863||40739|14595|Sant'Egidio del Monte Albino
        E504|MB|1905||45672|9084|Lazzate
        H210|CE|||41057|14303|Recale
        H601|CO|1882||45667|9049|Rovellasca|Rovi Porro
        C065|RA|||44320|11799|Castel Bolognese
        A965|FE|||44889|11415|Bondeno
        B098|RC|||38154|16172|Bovalino
        B642|VE|1866||45597|12876|Caorle
        F931|TO|||44936|7540|None
        H477|BS|1927||45600|10107|Rodengo Saiano
        E395|MI|1869||45323|9138|Lacchiarella
        L956|CO|1928||45775|9023|Villa Guardia
        E522|RO|1868||45083|11603|Lendinara
        E645|BA|||40757|17324|Locorotondo
        B102|BS|||45590|10242|Bovezzo
        Z340||||-15925|-5718|Sant'Elena|Saint Helena
        C067|PA|||37925|14087|Castelbuono
        L583|EN|||37495|14390|Valguarnera Caropepe
        B893|RE|||44585|10736|Casalgrande
        H735|VE|1866||45522|12102|Salzano
        F791|BG|||45699|9609|Mozzo
        G916|FE|||44698|11808|Portomaggiore
        M045|BG|1927||45669|9931|Villongo
        F399|MT|1871||40286|16570|Montalbano Jonico
        L704|MB|1862||45609|9268|Vedano al Lambro
        L753|BG|||45604|9629|Verdello
        C218|RE|||44813|10567|Castelnovo di Sotto
        G103|VA|||45597|9016|Origgio
        B313|CO|||45674|9174|Cabiate
        F141|AV|||40922|14745|Mercogliano
        A699|MI|||45359|9159|Basiglio
        D634|BS|||45483|10177|Flero
        G903|CE|1862||41056|14280|Portico di Caserta
        A508|AV|||40960|14601|Avella
        E940|TV|1867||45846|12337|Mareno di Piave
        F675|VI|1866||45598|11572|Monticello Conte Otto
        C275|AG|||37539|13646|Casteltermini
        A068|NA|||40638|14539|Agerola
        E313|MI|1870||45514|8850|Inveruno
        L271|ME|1923||38203|15350|Torregrotta
        B777|TO|||44906|7673|Carignano
        B357|FG|1862||41828|15772|Cagnano Varano
        D541|PU|||43693|12654|Fermignano
        A110|BN|||41059|14559|Airola
        B251|PT|1883||43875|10735|Buggiano
        M316|TO|2017||45148|7708|Mappano
        L842|FG|1862||41897|15957|Vico del Gargano
        L471|MI|||45531|8737|Turbigo
        G031|NU|||40276|9402|Oliena
        L665|MI|||45526|8991|Vanzago
        I821|VR|1866||45405|10844|Sommacampagna
        G306|CR|1868||45406|9552|Pandino
        E965|VA|1866||45629|8909|Marnate
        F770|TV|1868||45776|12604|Motta di Livenza
        M147|BG|||45641|9686|Zanica
        B315|PA|||37934|13668|Caccamo
        C623|SO|||46321|9398|Chiavenna
        L310|VT|1871||42419|11868|Tuscania|Toscanella
        E980|VE|1866||45544|12164|Martellago
        I785|SR|||37101|15120|Solarino
        C093|AP|1862||42864|13719|Castel di Lama
        C133|TO|||45383|7709|Castellamonte
        E690|AN|||43436|13612|Loreto
        H534|VT|1871||42289|12215|Ronciglione
        B413|LE|||40249|18280|Calimera
        C839|LC|||46132|9377|Colico
        F546|AV|||40844|15018|Montella
        G251|TA|1907||40609|16978|Palagianello
        C188|NA|1862||40916|14411|Castello di Cisterna
        B496|RM|1872||42136|12374|Campagnano di Roma
        I885|CE|||41188|14096|Sparanise
        E651|LO|||45304|9418|Lodi Vecchio
        F109|LE|1921||39973|18121|Melissano
        D259|CA|||39310|8970|Decimomannu
        B798|MB|1909||45648|9378|Carnate
        I166|SU|||39358|9008|San Sperate
        H835|MO|1862||44837|11138|San Felice sul Panaro
        H357|CR|1863||45470|9513|Rivolta d'Adda
        A528|BG|1863||45658|9673|Azzano San Paolo
        I939|GO|1921||45802|13502|Staranzano
        C300|VA|1863||45753|8873|Castiglione Olona
        B349|TV|1872||45782|11999|Caerano di San Marco
        C904|PR|||44926|10374|Colorno
        A872|MI|||45331|9094|Binasco
        E350|PA|||38191|13247|Isola delle Femmine
        B101|CN|||44330|7547|Boves
        A239|PA|||38043|13294|Altofonte|Parco
        C697|NA|||40942|14526|Cimitile
        H148|AG|||37405|13730|Racalmuto
        I373|VE|1866||45726|12690|San Stino di Livenza
        E153|VB|1913||45929|8432|Gravellona Toce
        D228|CE|||41076|14280|Curti
        A393|FE|||44614|11835|Argenta
        F890|CT|||37621|15028|Nicolosi
        A963|BG|1890||45682|9560|Bonate Sopra
        H007|AQ|1863||42097|13875|Pratola Peligna
        I630|AV|||40855|14872|Serino
        C259|SA|1863||40782|14701|Castel San Giorgio
        H793|LE|1863||40302|18161|San Cesario di Lecce
        C893|BS|||45579|9942|Cologne
        L312|BS|1928||45640|10608|Toscolano-Maderno
        Z403||||46779|-56177|Saint Pierre e Miquelon|Saint Pierre and Miquelon
        F097|FC|||44128|12063|Meldola
        H893|PD|1866||45541|11894|San Giorgio delle Pertiche
        F918|VR|1866||45181|11060|Nogara
        E786|MB|||45640|9274|Macherio
        H236|BZ|1920||46542|11457|Renon|Ritten
        I872|CZ|||38685|16550|Soverato
        L920|BR|1926||40583|17475|Villa Castelli
        G030|LC|||45791|9419|Olginate
        A470|MN|1868||45220|10412|Asola
        L429|VC|1870||45195|8296|Trino
        A539|RO|1867||45095|11494|Badia Polesine
        I824|CL|||37335|13997|Sommatino
        G859|BS|||45273|10092|Pontevico
        G678|TO|||45040|7777|Pino Torinese
        A333|CO|1867||45735|8981|Appiano Gentile|Appiano
        L869|VR|1866||45318|10944|Vigasio
        L628|SA|1862||40228|15266|Vallo della Lucania
        H803|MI|1863||45183|9490|San Colombano al Lambro
        B603|SR|||37032|15064|Canicattini Bagni
        I098|CT|||37569|15023|San Pietro Clarenza
        L828|CT|||37610|15098|Viagrande
        B779|CE|||40983|14220|Carinaro
        M126|PI|1869||43403|10862|Volterra
        C395|MB|1863||45583|9413|Cavenago di Brianza
        I614|SS|||40788|8593|Sennori
        D845|MI|1869||45405|9035|Gaggiano
        L026|RO|1866||45002|12214|Taglio di Po
        H822|BR|||40449|17923|San Donaci
        L521|CA|||39292|8952|Uta
        G319|TP|1955||38040|12615|Valderice|Paparella San Marco
        A668|MB|1901||45656|9129|Barlassina
        H288|RM|1873||42206|12481|Rignano Flaminio
        F590|RM|1873||41816|12714|Monte Porzio Catone
        H433|NA|||40972|14543|Roccarainola
        L703|VA|1863||45776|8888|Vedano Olona
        I633|BS|||45497|10605|Sirmione|Sermione
        A759|MB|||45620|9419|Bellusco
        E515|PD|1866||45342|11965|Legnaro
        H221|EN|||37652|14639|Regalbuto
        I240|CT|||37617|14893|Santa Maria di Licodia
        D749|PU|||43690|12812|Fossombrone
        E014|ME|||37828|15267|Giardini-Naxos|Giardini
        G624|EN|||37419|14137|Pietraperzia
        A514|TA|||40351|17733|Avetrana
        H131|TV|1868||45644|12165|Quinto di Treviso
        I799|PD|1866||45179|11746|Solesino
        C520|CO|||45843|9072|Cernobbio
        H267|RM|1871||42093|12515|Riano
        B696|NA|||40551|14243|Capri
        A278|SV|||43955|8141|Andora
        E125|GO|1921||45678|13403|Grado
        M281|TP|1980||37713|12500|Petrosino
        F187|TN|1920||46208|11096|Mezzolombardo
        H225|RE|||44918|10810|Reggiolo
        C814|FE|||44831|12111|Codigoro
        B808|TA|||40465|17399|Carosino
        H026|MI|||45516|9007|Pregnana Milanese|Pregnana
        G882|LU|1913||43842|10616|Porcari
        D879|PD|1867||45668|11822|Galliera Veneta
        H884|MI|1862||45574|8914|San Giorgio su Legnano
        I422|SA|||40075|15632|Sapri
        L777|BS|||45328|10079|Verolanuova
        I573|RM|1871||41689|13019|Segni
        H816|UD|1867||46157|13007|San Daniele del Friuli
        H642|RA|||44376|12033|Russi
        C448|BR|1862||40471|17964|Cellino San Marco
        E541|PA|||37747|13604|Lercara Friddi
        G777|TO|||44920|7845|Poirino
        H022|TV|1866||45601|12237|Preganziol
        C038|PV|||45361|8812|Cassolnovo
        B943|LC|1874||45695|9313|Casatenovo
        F080|PV|||45097|8737|Mede
        L906|VB|1862||46071|8267|Villadossola
        L447|FG|||41364|15317|Troia
        I907|BT|||40964|16091|Spinazzola
        M145|VI|1866||45722|11449|Zanè
        M025|SU|||39381|8943|Villasor
        F107|SR|||37178|15130|Melilli
        B006|TN|1920||46051|11458|Borgo Valsugana
        H523|TV|1877||45622|12376|Roncade
        I914|CR|1868||45401|9487|Spino d'Adda
        H749|BA|1863||40887|16949|Sammichele di Bari
        D490|BG|1871||45557|9537|Fara Gera d'Adda|Fara d'Adda
        A468|SI|1864||43215|11745|Sinalunga
        M092|CE|1882||41163|14213|Vitulazio
        F653|FM|||43190|13662|Monte Urano
        I224|AG|1863||37693|13016|Santa Margherita di Belice
        I895|CS|||39669|16309|Spezzano Albanese
        B724|FG|1958||41364|15694|Carapelle
        E954|NA|||40930|14437|Mariglianella
        I417|TV|1867||45780|11837|San Zenone degli Ezzelini
        B137|BG|1928||45605|9555|Brembate
        C483|NO|||45409|8784|Cerano
        D345|NU|||40292|9587|Dorgali
        H836|LT|1872||41237|13094|San Felice Circeo
        L452|VV|||38674|15895|Tropea
        E903|CA|||39286|9229|Maracalagonis
        C332|BS|||45511|9981|Castrezzato
        L050|UD|1866||46213|13215|Tarcento
        H055|BS|1928||45551|10422|Prevalle
        I549|LE|||40090|18300|Scorrano
        A375|MI|1869||45541|8849|Arconate
        G975|CS|1928||39894|15784|Praia a Mare
        A734|TO|||45025|7586|Beinasco
        C767|RM|1871||41673|12694|Lanuvio|Civita Lavinia
        F861|VR|1866||45529|10939|Negrar di Valpolicella|Negrar
        G853|BG|||45732|9652|Ponteranica
        E103|BG|||45701|9714|Gorle
        I232|PI|1869||43708|10692|Santa Maria a Monte
        E124|GO|1921||45892|13502|Gradisca d'Isonzo|Gradisca
        D907|PA|||37796|14204|Gangi
        F734|RM|1871||42150|12503|Morlupo
        E085|SU|||39494|8662|Gonnosfanadiga
        F101|LE|||40273|18338|Melendugno
        B289|MB|||45616|9464|Busnago
        G865|LT|1935||41411|13043|Pontinia
        E924|RM|1910||42024|12804|Marcellina
        E500|TN|1920||46141|11109|Lavis
        L936|BG|||45723|9735|Villa di Serio
        A268|NA|||40552|14212|Anacapri
        G023|SA|1863||40657|15023|Olevano sul Tusciano
        A851|AR|||43699|11815|Bibbiena
        L734|VA|||45752|8897|Venegono Superiore
        D003|LT|1871||41644|12911|Cori
        A006|SI|1867||42881|11672|Abbadia San Salvatore
        E805|PG|||43142|12212|Magione
        H431|SA|||40760|14691|Roccapiemonte
        I699|CA|1862||39291|9186|Settimo San Pietro
        C053|PV|||45014|9125|Casteggio
        H829|VI|1866||45661|11589|Sandrigo
        F715|RN|1869||43914|12651|Morciano di Romagna
        F410|PT|||43935|11017|Montale
        G026|LC|1863||45730|9403|Olgiate Molgora
        L565|TV|1866||45897|11982|Valdobbiadene
        E957|PA|||37952|13418|Marineo
        F043|CE|1862||41037|14340|San Marco Evangelista
        B795|PD|1867||45626|11706|Carmignano di Brenta
        M260|CE|1973||40992|14136|Casapesenna
        B399|BO|1862||44563|11271|Calderara di Reno
        D058|BS|1928||45630|9988|Corte Franca
        L892|PD|1880||45458|11886|Vigodarzere
        A991|PA|||38047|13141|Borgetto
        L433|VI|1866||45560|11377|Trissino
        G643|BO|||44713|11309|Pieve di Cento
        I610|PZ|||40146|16289|Senise
        A962|BG|||45668|9559|Bonate Sotto
        B539|MO|||44689|10847|Campogalliano
        E219|BG|||45635|9875|Grumello del Monte
        B598|PN|1866||45971|12453|Caneva
        C072|BS|||45502|9946|Castelcovati
        H895|UD|1866||45827|13211|San Giorgio di Nogaro
        H791|FI|1865||43660|11185|San Casciano in Val di Pesa
        D649|AR|1862||43253|11816|Foiano della Chiana
        F621|MC|1863||43236|13593|Monte San Giusto
        A741|PV|1872||45159|9313|Belgioioso
        A215|BG|1885||45748|9617|Villa d'Almè
        I506|BG|1927||45711|9735|Scanzorosciate
        I639|VV|1863||38575|16326|Serra San Bruno
        I965|VE|1866||45411|12014|Stra
        A453|SS|1920||41076|9391|Arzachena
        F868|VT|1871||42242|12344|Nepi
        B397|BZ|1920||46413|11246|Caldaro sulla strada del vino|Kaltern an der Weinstraße|Caldaro|Kaltern
        A773|CS|1863||39619|15862|Belvedere Marittimo
        C865|LE|1907||40071|18162|Collepasso
        D334|SU|||39324|8649|Domusnovas
        D829|RA|||44467|11956|Fusignano
        I390|LI|1949||43091|10542|San Vincenzo
        I437|BG|||45671|9962|Sarnico
        L210|BS|1872||45513|10117|Torbole Casaglia
        E565|TN|1920||46012|11304|Levico Terme|Levico
        G565|VE|1866||45457|12008|Pianiga
        B328|RE|1866||44766|10599|Cadelbosco di Sopra
        C608|SI|||43042|11812|Chianciano Terme|Chianciano
        A159|MB|||45655|9250|Albiate
        F157|KR|||39079|16788|Mesoraca
        G869|BS|||45569|9853|Pontoglio
        D450|RE|||44872|10809|Fabbrico
        L928|MI|1966||45567|8887|Villa Cortese
        L334|AQ|||41957|13533|Trasacco
        M158|LO|1869||45412|9432|Zelo Buon Persico
        I275|PD|1867||45317|12009|Sant'Angelo di Piove di Sacco
        E900|RM|1871||42130|12125|Manziana
        I109|VR|1866||45518|10886|San Pietro in Cariano
        E629|LE|||40305|18223|Lizzanello
        G972|BO|||44401|11252|Sasso Marconi|Sasso Bolognese|Praduro e Sasso
        G945|VR|1866||45347|10881|Povegliano Veronese
        I011|RE|||44734|10785|San Martino in Rio
        D679|PD|1866||45635|11754|Fontaniva
        F116|TV|1866||45654|12297|Silea|Melma
        I391|NA|||40924|14475|San Vitaliano
        L733|VA|||45736|8895|Venegono Inferiore
        H140|BS|1862||45314|10008|Quinzano d'Oglio
        G293|RM|1895||42069|12767|Palombara Sabina
        G315|TP|||36828|11946|Pantelleria
        C203|RM|1871||41974|12868|Castel Madama
        B031|PD|1869||45535|11941|Borgoricco
        H602|CO|1877||45652|9039|Rovello Porro|Rovello
        I992|RM|1871||41926|13089|Subiaco
        L599|IM|||43787|7639|Vallecrosia
        G712|MT|||40390|16559|Pisticci
        A930|CB|||41485|14471|Bojano
        D543|VA|||45615|8757|Ferno
        H456|RC|1863||38321|16397|Roccella Ionica
        D154|VC|||45199|8086|Crescentino
        H369|PV|||45289|8593|Robbio
        C272|SS|||40913|8715|Castelsardo
        C710|RC|||38416|16084|Cinquefrondi
        G438|PE|||42455|13928|Penne
        L123|AR|1868||43551|11581|Terranuova Bracciolini
        G223|LC|||45688|9437|Robbiate|Paderno Robbiate|Robbiate Paderno
        M100|CT|||37162|14757|Vizzini
        E489|VR|1866||45439|11134|Lavagno
        C823|GE|||44390|8647|Cogoleto
        E549|FG|||41861|15353|Lesina
        A373|SP|1870||44118|9912|Arcola
        A143|CO|1928||45800|9185|Albavilla
        E148|BG|||45657|9726|Grassobbio
        B178|BG|1863||45543|9644|Brignano Gera d'Adda
        B684|FI|1863||43745|10983|Capraia e Limite
        H176|BG|||45723|9713|Ranica
        I045|BR|1928||40632|17633|San Michele Salentino
        A592|PA|||38051|13007|Balestrate
        B532|PA|||37993|13876|Campofelice di Roccella|Campofelice
        C794|TN|1920||46363|11033|Cles
        H743|AG|1864||37653|13115|Sambuca di Sicilia|Sambuca Zabut
        G747|PC|||44955|9683|Podenzano
        I072|FG|1862||41739|15261|San Paolo di Civitate
        E438|PR|||44619|10267|Langhirano
        A359|SU|||39526|8600|Arbus
        C096|AQ|||41784|14107|Castel di Sangro
        H078|BS|||45635|10045|Provaglio d'Iseo
        G670|NA|||40674|14510|Pimonte
        H117|VE|1866||45579|12373|Quarto d'Altino|San Michele del Quarto
        E050|CZ|||38826|16427|Girifalco
        G751|LE|||40053|18378|Poggiardo
        L500|PU|||43726|12636|Urbino
        A488|TE|||42576|13989|Atri
        H896|BO|||44647|11374|San Giorgio di Piano
        E044|RC|1863||38327|16304|Gioiosa Ionica
        M171|TV|1866||45600|12164|Zero Branco
        E584|UD|1959||45676|13117|Lignano Sabbiadoro
        D801|CE|||41000|14161|Villa di Briano|Frignano Piccolo
        F477|RM|1871||41809|12738|Monte Compatri
        M437|BL|2024||45921|11931|Setteville
        G316|MI|||45435|9352|Pantigliate
        L765|VA|1871||45722|8695|Vergiate
        G119|NU|||40378|9692|Orosei
        G412|BG|||45696|9735|Pedrengo
        D014|GO|1921||45955|13467|Cormons
        L042|ME|||37854|15289|Taormina
        E006|BG|||45594|9758|Ghisalba
        B462|TO|||44971|7774|Cambiano
        G661|CE|1862||41190|14170|Pignataro Maggiore
        F248|LC|1882||45707|9335|Missaglia
        D578|VE|1867||45421|12029|Fiesso d'Artico
        G088|GR|||42442|11221|Orbetello
        B025|PC|||45014|9443|Borgonovo Val Tidone
        A519|PZ|1882||40733|15720|Avigliano
        G753|MN|1867||44967|11104|Poggio Rusco
        M262|CE|1973||41203|13853|Cellole
        G004|CR|||45379|9742|Offanengo
        E956|RC|1948||38302|16331|Marina di Gioiosa Ionica
        G276|FR|1871||41780|13077|Paliano
        C741|BR|||40743|17426|Cisternino
        B402|VR|1866||45414|11177|Caldiero
        C479|FR|1871||41546|13515|Ceprano
        D971|PZ|||40846|16031|Genzano di Lucania|Genzano
        F059|FG|1955||41711|16051|Mattinata
        G178|SS|||40675|8593|Ossi
        C670|TV|1902||45837|12034|Crocetta del Montello|Crocetta Trevigiana
        F032|GR|||43048|10893|Massa Marittima
        G508|KR|1863||39113|16782|Petilia Policastro
        D030|TV|1866||45832|12006|Cornuda
        B987|VA|1902||45671|8745|Casorate Sempione
        M184|BG|||45794|9660|Zogno
        H488|CS|1864||39618|16162|Roggiano Gravina
        E833|UD|1866||46188|13062|Majano
        I822|CN|1871||44773|7782|Sommariva del Bosco
        A632|FI|||43999|11237|Barberino di Mugello
        F966|MO|1866||44890|10900|Novi di Modena
        E723|AQ|||41959|13473|Luco dei Marsi
        I657|AL|1863||44723|8856|Serravalle Scrivia|Serravalle Libarna
        A217|BG|1885||45750|9597|Almenno San Salvatore
        C730|BG|||45588|9601|Ciserano
        A214|BG|||45739|9616|Almè
        M133|TO|||44955|7511|Volvera
        L003|VA|1869||45737|8784|Sumirago
        G543|PA|||37994|13285|Piana degli Albanesi|Piana dei Greci
        G186|MN|1866||45070|11135|Ostiglia
        B486|AG|||37634|13627|Cammarata
        I644|CL|||37454|13880|Serradifalco
        C382|VA|1892||45692|8803|Cavaria con Premezzo|Cavaria ed Uniti
        D597|AN|||43436|13351|Filottrano
        G022|RM|1872||41859|13036|Olevano Romano
        E557|NA|||40705|14545|Lettere
        D935|FC|||44112|12391|Gatteo
        L013|TO|||45137|7058|Susa
        L850|PI|1884||43693|10584|Vicopisano
        E209|AG|||37403|13699|Grotte
        I191|BO|1862||44660|11133|Sant'Agata Bolognese
        L421|UD|1866||46161|13216|Tricesimo
        B285|CN|||44516|7477|Busca
        B215|PN|1871||45899|12542|Brugnera
        C686|PV|||45311|8745|Cilavegna
        H706|TV|1866||45705|12488|Salgareda
        M289|NA|1988||40846|14375|Massa di Somma
        A850|RE|||44663|10474|Bibbiano
        L071|CO|||45801|9141|Tavernerio
        A950|BG|||45601|9578|Boltiere
        B789|SU|||39141|8304|Carloforte
        C339|FC|1871||44187|11961|Castrocaro Terme e Terra del Sole|Castrocaro e Terra del Sole|Terra del Sole e Castrocaro
        I855|VT|1871||42418|12234|Soriano nel Cimino
        I919|BG|||45581|9669|Spirano
        E235|CO|||45728|9020|Guanzate
        B649|RM|1871||42142|12545|Capena|Leprignano
        D905|BG|||45811|9898|Gandino
        E078|MN|1872||45251|10661|Goito
        A262|TR|1876||42552|12421|Amelia
        B748|SV|||44355|8290|Carcare
        A060|BS|||45621|9962|Adro
        L775|PO|||44048|11151|Vernio
        D044|LE|||39889|18367|Corsano
        D244|MI|1958||45566|8863|Dairago
        A463|FG|1862||41204|15566|Ascoli Satriano
        E607|CO|||45793|9120|Lipomo
        F576|CB|||41964|14781|Montenero di Bisaccia
        I169|CL|1862||37590|14036|Santa Caterina Villarmosa
        B445|CE|1862||41216|14131|Calvi Risorta
        L498|PU|||43668|12521|Urbania
        D202|TO|||44976|7378|Cumiana
        G361|BS|1867||45597|10070|Passirano
        G167|PD|1867||45218|11603|Ospedaletto Euganeo
        C422|VE|1866||45687|12642|Ceggia
        I563|BL|1866||46106|12093|Sedico
        B132|VI|1866||45705|11561|Breganze
        B042|PR|1884||44489|9769|Borgo Val di Taro|Borgo Taro
        B851|CO|||45708|9197|Carugo
        C398|MO|||44835|11029|Cavezzo
        D372|CN|||44465|7362|Dronero
        B592|TO|||44959|7598|Candiolo
        E592|PD|1866||45469|11846|Limena
        G352|UD|1866||46047|13188|Pasian di Prato
        H630|BS|||45490|9886|Rudiano
        A937|BG|||45632|9814|Bolgare
        G148|TR|||42719|12112|Orvieto
        B939|GE|1878||44272|9447|Casarza Ligure
        C649|BG|||45651|9849|Chiuduno
        L669|VC|||45814|8258|Varallo
        A266|BL|1920||46537|12139|Cortina d'Ampezzo|Ampezzo
        I827|CR|||45400|9868|Soncino
        H921|RN|1895||43940|12712|San Giovanni in Marignano
        L346|PR|||44642|10380|Traversetolo
        A185|LE|1873||40062|18057|Alezio
        B297|TO|||45140|7144|Bussoleno
        M104|BS|||45642|10499|Vobarno
        G878|PE|||42169|13830|Popoli Terme|Popoli
        G852|PC|||44998|9791|Pontenure
        F011|PD|1868||45318|11865|Maserà di Padova
        I794|VA|1893||45650|8882|Solbiate Olona
        E158|CE|||41090|14099|Grazzanise
        B115|SA|||40819|14708|Bracigliano
        B468|AN|||43528|13553|Camerano
        I324|FM|||43230|13688|Sant'Elpidio a Mare
        E147|MT|||40635|16278|Grassano
        M067|BZ|1920||46893|11430|Vipiteno|Sterzing
        E206|AV|||41070|15059|Grottaminarda
        B796|VA|||45722|8834|Carnago
        F531|TA|||40500|17383|Monteiasi
        L303|SI|||43172|11784|Torrita di Siena|Torrita
        C309|PG|1875||43125|12040|Castiglione del Lago
        C225|VR|1867||45439|10760|Castelnuovo del Garda|Castelnuovo di Verona
        A403|CE|||41027|14498|Arienzo
        A116|TN|1920||45761|11005|Ala
        H609|PN|1867||46008|12619|Roveredo in Piano
        H738|SU|||39482|8905|Samassi
        A165|SV|||44331|8510|Albissola Marina
        D006|LE|1862||40159|18256|Corigliano d'Otranto
        F798|AV|1863||40942|14636|Mugnano del Cardinale
        H771|MN|1867||45046|10934|San Benedetto Po
        E333|BS|||45659|10050|Iseo
        B565|NA|||40952|14530|Camposano
        G768|FE|||44766|11487|Poggio Renatico
        L664|MI|1968||45580|8782|Vanzaghello
        F925|TO|||45242|7570|Nole
        B461|MI|||45580|9435|Cambiago
        L700|TV|1866||45835|12409|Vazzola
        F844|TR|1875||42520|12528|Narni
        E962|MN|1872||45219|10756|Marmirolo
        A825|VA|1907||45699|8767|Besnate
        B688|VT|1871||42258|12173|Capranica
        I676|CE|1864||41240|13930|Sessa Aurunca
        E494|VA|||45967|8857|Lavena Ponte Tresa|Lavena
        E839|SA|||40648|14641|Maiori
        E704|BG|||45814|10070|Lovere
        A167|VA|1869||45727|8803|Albizzate
        G710|BS|||45808|10110|Pisogne
        F422|TO|||45233|7855|Montanaro
        E265|PV|1871||45316|9204|Siziano
        L270|PD|1866||45336|11736|Torreglia
        I353|VI|1866||45734|11388|Santorso
        F508|VR|1867||45420|11284|Monteforte d'Alpone
        E602|CT|||37842|15138|Linguaglossa
        H518|NO|||45463|8718|Romentino
        G295|BG|||45589|9836|Palosco
        I048|PV|1863||45102|8906|Sannazzaro de' Burgondi
        B282|GE|||44571|8945|Busalla
        H775|TO|||45226|7784|San Benigno Canavese
        C436|BA|||41020|16927|Cellamare
        G870|MS|||44375|9879|Pontremoli
        B435|TO|||45305|7891|Caluso
        L380|BS|||45477|10011|Trenzano
        H573|RO|1866||45077|12230|Rosolina
        B223|BG|||45671|9760|Brusaporto
        F881|LE|||40106|18115|Neviano
        G793|SA|||40514|15497|Polla
        B989|MI|1869||45523|8902|Casorezzo
        E432|PT|1897||43807|10877|Lamporecchio
        E899|UD|1866||45988|13377|Manzano
        H298|RE|1864||44811|10804|Rio Saliceto
        E456|CB|||41804|14918|Larino
        M326|FI|2014||43994|11354|Scarperia e San Piero
        H560|MI|||45350|9017|Rosate
        F963|VE|1867||45660|12533|Noventa di Piave
        L083|CE|||41251|14067|Teano
        B393|BG|||45620|9798|Calcinate
        C510|SV|||44091|8229|Ceriale
        A229|PA|1862||38038|13549|Altavilla Milicia
        C512|MB|1869||45629|9080|Ceriano Laghetto
        I962|FG|1905||41287|15770|Stornara
        D707|RM|1871||42062|12394|Formello
        H797|PA|1864||37961|13177|San Cipirello
        L213|BR|||40483|18051|Torchiarolo
        D088|SO|1863||46135|9552|Cosio Valtellino
        C307|TO|1863||45119|7807|Castiglione Torinese
        D297|IM|1871||43911|8080|Diano Marina
        C496|PA|||37906|13815|Cerda
        A564|FI|1869||43751|11323|Bagno a Ripoli
        A864|PI|||43708|10621|Bientina
        B088|BG|||45639|9509|Bottanuco
        D123|KR|||39159|16777|Cotronei
        A686|LC|||45733|9314|Barzanò
        L086|BN|1934||41218|14527|Telese Terme|Telese
        B134|CO|||45698|9059|Bregnano
        B641|CO|||45849|9271|Canzo
        D452|VT|1873||42334|12299|Fabrica di Roma
        F690|TE|1894||42581|13637|Montorio al Vomano
        A988|RE|||44902|10551|Boretto
        H940|CT|1862||37568|15111|San Gregorio di Catania
        L462|LE|||40073|18099|Tuglie
        D754|TA|||40430|17476|Fragagnano
        I800|LE|||40188|18206|Soleto
        F442|VI|1867||45459|11383|Montebello Vicentino
        F831|TE|||42609|14066|Pineto|Mutignano
        B352|PU|||43548|12652|Cagli
        L939|RO|1866||45072|11899|Villadose
        F231|CT|1862||37327|14446|Mirabella Imbaccari
        A184|LE|||39894|18332|Alessano
        L995|BS|1862||45599|10453|Villanuova sul Clisi
        E409|PZ|||40128|15762|Lagonegro
        A887|CS|||39507|16281|Bisignano
        E982|UD|1866||46093|13140|Martignacco
        G965|MI|1869||45514|9456|Pozzuolo Martesana
        E101|VA|1916||45664|8895|Gorla Maggiore
        D851|LE|1862||39843|18370|Gagliano del Capo
        I775|VR|1866||45420|11246|Soave
        B865|CH|||42154|14599|Casalbordino
        B671|MB|||45566|9376|Caponago
        D748|VE|1866||45386|12046|Fossò
        A218|TO|||45119|7401|Almese
        I314|CT|1934||37691|15139|Santa Venerina
        E437|PV|1872||45312|9260|Landriano
        L248|VI|1866||45716|11319|Torrebelvicino
        A436|AL|1863||44688|8887|Arquata Scrivia
        I963|FG|||41256|15730|Stornarella
        C759|BG|1863||45555|9830|Cividate al Piano
        C236|LU|||44113|10405|Castelnuovo di Garfagnana
        F251|ME|||37928|14358|Mistretta
        F183|TN|1920||46212|11123|Mezzocorona
        C992|TV|1866||45949|12416|Cordignano
        A430|CO|||45719|9208|Arosio
        B198|ME|||38156|14828|Brolo
        B886|VR|1866||45168|11194|Casaleone
        D461|UD|1866||46107|13094|Fagagna
        L804|CN|||44593|7482|Verzuolo
        E441|NU|||39879|9540|Lanusei
        B490|GE|||44349|9155|Camogli
        A251|SA|||40635|14602|Amalfi
        A098|EN|||37415|14445|Aidone
        G159|BG|||45629|9585|Osio Sopra
        I261|CE|||41076|14231|San Tammaro
        H046|BG|1879||45692|9570|Presezzo
        G261|PZ|1863||40932|15981|Palazzo San Gervasio
        G188|LE|||40148|18487|Otranto
        L658|CT|1951||37577|15124|Valverde
        C471|EN|1875||37623|14740|Centuripe
        E386|VA|1907||45705|8796|Jerago con Orago
        L397|PG|||42878|12749|Trevi
        A999|SV|||44112|8241|Borghetto Santo Spirito
        F219|BO|1869||44618|11473|Minerbio
        E445|TO|1863||45277|7482|Lanzo Torinese
        E100|BG|||45674|9823|Gorlago
        F680|BS|||45446|10229|Montirone
        I059|LE|1908||40092|18068|Sannicola
        A700|UD|1866||46014|13070|Basiliano|Pasian Schiavonesco
        E749|CO|1883||45751|9218|Lurago d'Erba
        B604|VT|1871||42466|11753|Canino
        I103|TV|1866||45914|12251|San Pietro di Feletto
        E326|MT|1895||40750|16238|Irsina
        L124|CS|1864||39655|16340|Terranova da Sibari
        F816|LE|1862||40103|18337|Muro Leccese
        H088|CA|||39007|9002|Pula
        E227|LE|||40401|17949|Guagnano
        F605|SI|1862||43230|11422|Monteroni d'Arbia
        G688|PD|1867||45610|11994|Piombino Dese
        E901|BG|||45713|9554|Mapello
        A650|VR|1866||45541|10733|Bardolino
        B807|VA|||45736|8832|Caronno Varesino|Caronno Ghiringhello
        H935|PG|||43547|12175|San Giustino
        I291|TP|||37770|12877|Santa Ninfa
        E479|RC|1863||38492|16084|Laureana di Borrello|Laureana di Borello
        F087|MO|||44847|11068|Medolla
        G833|PT|1883||43846|10748|Ponte Buggianese
        E605|AV|||40881|15183|Lioni
        B085|CZ|1957||38930|16858|Botricello
        E259|CB|||41921|14916|Guglionesi
        I873|BG|||45812|10034|Sovere
        C951|MO|1866||44913|10988|Concordia sulla Secchia
        F893|VV|||38549|15936|Nicotera
        I667|SU|||39493|8977|Serrenti
        F544|PA|||38090|13175|Montelepre
        H635|FI|1915||43824|11487|Rufina
        C890|VR|1867||45308|11380|Cologna Veneta
        C728|BG|1863||45742|9471|Cisano Bergamasco
        B812|PC|||44914|9787|Carpaneto Piacentino|Carpaneto
        B656|AQ|||41972|13396|Capistrello
        E243|CH|||42194|14219|Guardiagrele
        E171|VR|1866||45523|11017|Grezzana
        E261|MN|1868||45321|10578|Guidizzolo
        G818|BS|||45461|10180|Poncarale
        B395|BG|||45508|9849|Calcio
        L418|MT|||40615|16143|Tricarico
        C243|AL|1891||44979|8882|Castelnuovo Scrivia
        L035|SO|||46138|9613|Talamona
        B310|BG|1887||45688|9802|San Paolo d'Argon
        E995|TA|||40321|17571|Maruggio
        L854|PV|1872||45292|9235|Vidigulfo
        A755|CE|||41161|14233|Bellona
        A580|AV|||40951|14616|Baiano
        G947|RE|||44842|10539|Poviglio
        H206|UD|1867||46143|13247|Reana del Rojale
        A290|VA|||45776|8579|Angera
        L087|BG|||45628|9849|Telgate
        L795|BG|||45810|9849|Vertova
        B293|PR|||44979|10043|Busseto
        I826|VR|1866||45433|10840|Sona
        L762|BO|||44282|11110|Vergato
        I258|TO|1863||45096|7366|Sant'Ambrogio di Torino
        B302|CL|||37191|14182|Butera
        I181|CB|||41712|14987|Santa Croce di Magliano
        C612|RG|1881||37030|14703|Chiaramonte Gulfi
        G417|MN|1876||44995|10860|Pegognaga
        I970|TO|||45380|7890|Strambino
        E249|BN|||41256|14599|Guardia Sanframondi
        H336|PV|||44929|9014|Rivanazzano Terme|Rivanazzano
        G549|BS|1963||45920|10225|Piancogno
        B551|GE|1871||44510|8885|Campomorone
        A441|VA|1872||45688|8735|Arsago Seprio|Arsago
        I361|MI|1862||45486|8916|Santo Stefano Ticino
        M211|ME|1969||38057|14586|Acquedolci
        B877|PD|1867||45192|11474|Casale di Scodosia
        E483|PZ|||40047|15838|Lauria
        B286|MI|||45544|8813|Buscate
        I663|VC|1863||45685|8308|Serravalle Sesia
        E921|MI|1870||45483|8872|Marcallo con Casone
        H490|CS|||39178|16317|Rogliano
        L025|AQ|||42069|13255|Tagliacozzo
        H371|MI|1870||45528|8771|Robecchetto con Induno
        L408|MI|1862||45582|9486|Trezzano Rosa
        B194|LC|||45737|9442|Brivio
        D520|TO|||45331|7688|Favria
        M027|TO|||44922|7744|Villastellone
        F419|VT|1872||42350|11608|Montalto di Castro
        H403|KR|1863||39183|17008|Rocca di Neto
        B854|BG|||45702|9486|Carvico
        D579|CO|1862||45710|9131|Figino Serenza
        G994|PN|1871||45894|12588|Prata di Pordenone
        D964|RM|1871||41828|12972|Genazzano
        F106|RC|1936||38433|16057|Melicucco
        F957|VI|1866||45722|11678|Nove
        C304|LO|1863||45217|9693|Castiglione d'Adda
        E120|NO|||45743|8437|Gozzano
        A570|CR|1862||45361|9613|Bagnolo Cremasco
        I206|BL|1866||46081|12038|Santa Giustina
        B977|CO|1937||45756|9073|Casnate con Bernate
        E291|FI|1928||43685|11254|Impruneta
        B385|TP|||37914|12864|Calatafimi-Segesta|Calatafimi
        F217|CT|||37265|14694|Mineo
        A882|PA|||37704|13261|Bisacquino
        A365|BG|||45577|9615|Arcene
        A870|CO|||45782|8922|Binago
        M072|NA|||40924|14582|Visciano
        G968|BG|||45746|9782|Pradalunga
        I881|ME|1929||38223|15382|Spadafora
        A208|LE|||39948|18090|Alliste
        A162|RE|||44629|10610|Albinea
        B550|CB|||41957|15035|Campomarino
        G238|UD|1866||46115|13184|Pagnacco
        L670|NO|||45668|8628|Varallo Pombia
        L929|BG|||45714|9462|Villa d'Adda
        B390|PI|1884||43726|10518|Calci
        I954|MT|||40402|16230|Stigliano
        H682|PR|1869||44716|10226|Sala Baganza
        I729|BZ|1920||46628|10768|Silandro|Schlanders
        G740|SS|||40671|8750|Ploaghe
        H070|PA|||37721|13434|Prizzi
        D865|LC|||45816|9379|Galbiate
        C443|SV|1863||44345|8547|Celle Ligure
        I723|AG|||37335|13424|Siculiana
        E367|VA|||45815|8613|Ispra
        E656|LC|||45666|9377|Lomagna
        M125|MN|1872||45322|10659|Volta Mantovana
        I412|BS|1879||45493|10218|San Zeno Naviglio
        C963|RA|||44512|11828|Conselice
        B499|RE|1862||44839|10765|Campagnola Emilia
        B828|RM|1873||41605|13084|Carpineto Romano
        G161|LC|||45675|9392|Osnago
        L009|FR|1871||41621|13235|Supino
        D348|PV|1866||45154|8951|Dorno
        B450|BS|||45345|10343|Calvisano
        E509|BG|||45798|9884|Leffe
        F786|BG|||45477|9688|Mozzanica
        E004|OR|||40121|8836|Ghilarza
        G116|MB|||45600|9421|Ornago
        H764|BN|||41416|15017|San Bartolomeo in Galdo
        G359|PG|||43190|12135|Passignano sul Trasimeno|Passignano
        H826|LE|1863||40267|18183|San Donato di Lecce
        E116|BS|||45293|10269|Gottolengo
        I205|OR|||39881|8609|Santa Giusta
        C353|EN|||37569|14691|Catenanuova
        B474|MC|||43139|13068|Camerino
        A531|VA|||45778|8794|Azzate
        G922|SU|||39207|8381|Portoscuso
        E621|SO|||46536|10133|Livigno
        D951|VA|1927||45780|8833|Gazzada Schianno
        E200|SO|||46300|10276|Grosio
        B615|VB|||46062|8696|Cannobio
        G867|BG|1863||45569|9569|Pontirolo Nuovo
        B573|CN|||44795|7994|Canale
        F808|SU|||39420|9575|Muravera
        I671|CZ|||39010|16730|Sersale
        L192|RM|1871||42150|11932|Tolfa
        A216|BG|||45739|9581|Almenno San Bartolomeo
        D836|PU|||43965|12756|Gabicce Mare|Gabicce
        A485|CH|||42070|14450|Atessa
        B061|TV|1866||45810|11774|Borso del Grappa|Borso
        I888|PG|||42992|12666|Spello
        E392|RM|1880||41793|12871|Labico
        E665|VA|||45709|8879|Lonate Ceppino
        F789|VR|1866||45308|10816|Mozzecane
        I370|ME|||38013|14351|Santo Stefano di Camastra
        H583|TO|||45068|7465|Rosta
        M032|VI|1866||45649|11492|Villaverla
        C408|BS|1863||45584|10023|Cazzago San Martino
        E772|RE|||44959|10690|Luzzara
        C589|CN|||44385|8028|Ceva
        L477|MT|1871||40247|16471|Tursi
        G587|PD|1882||45538|11784|Piazzola sul Brenta
        E195|PV|1888||45177|8994|Gropello Cairoli
        G327|BS|||45659|9958|Paratico
        H152|BZ|1920||46867|11300|Racines|Ratschings|Racignes
        H847|TO|1863||45227|7655|San Francesco al Campo
        L539|CR|||45462|9603|Vailate
        H887|PC|1862||44952|9738|San Giorgio Piacentino
        F872|TV|1866||45812|12198|Nervesa della Battaglia|Nervesa
        H811|AT|1863||44833|8064|San Damiano d'Asti
        B415|AV|||40926|15404|Calitri
        I887|LE|1874||39939|18298|Specchia
        G097|NU|||40205|9354|Orgosolo
        E354|VI|1866||45629|11446|Isola Vicentina|Isola di Malo
        B647|PI|||43589|10673|Capannoli
        C294|AO|||45750|7617|Châtillon|Castiglion Dora
        B493|VE|1867||45354|12097|Campagna Lupia
        H302|RA|||44276|11727|Riolo Terme|Riolo dei Bagni|Riolo
        F632|MC|1863||43366|13622|Potenza Picena
        L882|VT|1871||42379|12278|Vignanello
        F244|RN|1870||43977|12698|Misano Adriatico|Misano in Villa Vittoria
        A496|MS|1881||44206|9979|Aulla
        F764|TE|1863||42747|13889|Mosciano Sant'Angelo
        L709|MB|1866||45734|9270|Veduggio con Colzano
        B996|LC|1927||45738|9293|Cassago Brianza
        G140|BZ|1920||46576|11672|Ortisei|St. Ulrich
        C850|BS|||45581|10210|Collebeato
        F427|CO|1928||45784|9042|Montano Lucino
        B559|IM|||43813|7628|Camporosso
        C288|PC|1862||45102|9990|Castelvetro Piacentino
        H990|CB|1863||41878|15018|San Martino in Pensilis
        H195|MO|||44725|11096|Ravarino
        G008|VA|1864||45704|8817|Oggiona con Santo Stefano
        B744|TV|1866||45692|12283|Carbonera
        B698|BS|1862||45475|10132|Capriano del Colle
        L812|BS|||45708|10396|Vestone
        G889|CO|||46037|9129|Porlezza
        G847|CO|1928||45825|9225|Ponte Lambro|Pontelezza
        B719|CN|||44417|7433|Caraglio
        A664|BG|||45513|9704|Bariano
        E606|ME|1867||38467|14954|Lipari
        E023|TP|||37807|12870|Gibellina
        M263|LE|1975||40262|17899|Porto Cesareo
        H018|TN|1920||46311|11600|Predazzo
        F247|MB|1882||45661|9081|Misinto
        F333|SU|||39384|9044|Monastir
        I153|PR|1862||44922|10230|San Secondo Parmense
        L181|PZ|||40584|15676|Tito
        D526|PR|||44699|10238|Felino
        L434|MB|1871||45661|9267|Triuggio
        B272|MB|1862||45596|9382|Burago di Molgora
        I321|FR|1862||41533|13863|Sant'Elia Fiumerapido
        D168|VB|1862||46149|8297|Crevoladossola
        E858|LC|||45849|9376|Malgrate
        L512|SU|||39394|9075|Ussana
        I540|NA|||40907|14475|Scisciano
        G721|CR|||45187|9788|Pizzighettone
        B304|VR|1866||45341|10999|Buttapietra
        F648|FI|||43643|11073|Montespertoli
        H971|CS|||39310|16053|San Lucido
        D267|CL|||37358|13929|Delia
        F272|OR|||39684|8777|Mogoro
        L509|SS|||40664|8539|Usini
        F674|LC|1882||45709|9316|Monticello Brianza
        F012|TV|1866||45752|12318|Maserada sul Piave|Maserada
        H233|MB|||45724|9280|Renate
        H484|BS|||45612|10489|Roè Volciano|Volciano
        H373|MI|1870||45437|8886|Robecco sul Naviglio
        H840|CO|||45809|9047|San Fermo della Battaglia|Vergosa
        E692|TV|1887||45730|11865|Loria
        C119|VI|1866||45583|11390|Castelgomberto
        F711|VA|||45764|8828|Morazzone
        M011|EN|||37588|14171|Villarosa
        D279|PG|||42985|12418|Deruta
        L017|VT|1871||42246|12217|Sutri
        A040|VT|1871||42743|11868|Acquapendente
        I123|RE|1862||44627|10427|San Polo d'Enza|San Polo d'Enza in Caviano
        I296|TO|1863||45108|7273|Sant'Antonino di Susa
        L008|LE|||40017|18242|Supersano
        B553|LI|1894||42748|10233|Campo nell'Elba
        E086|SU|||39265|8470|Gonnesa
        M256|MT|1974||40251|16698|Scanzano Jonico
        B678|TV|1867||45972|12359|Cappella Maggiore
        C545|FR|||41483|13902|Cervaro
        G453|PU|||43555|12836|Pergola
        E560|SP|||44174|9617|Levanto
        G181|MI|1909||45507|8893|Ossona
        A153|CO|1928||45795|9164|Albese con Cassano
        L323|SA|||40692|14645|Tramonti
        E422|BG|||45663|9629|Lallio
        C376|CN|||44706|7687|Cavallermaggiore
        B002|CZ|||38826|16508|Borgia
        A461|SI|||43232|11567|Asciano
        E638|CO|1863||45690|8930|Locate Varesino
        E972|OR|||39751|8638|Marrubiu
        F151|CO|||45787|9244|Merone
        I615|SU|||39533|9132|Senorbì
        F218|VR|1866||45232|11352|Minerbe
        G961|AL|||44799|8784|Pozzolo Formigaro
        H359|RC|||38410|15960|Rizziconi
        D210|AP|1862||43019|13862|Cupra Marittima
        F165|MB|||45629|9445|Mezzago
        D415|VE|1866||45578|12673|Eraclea|Grisolera
        B384|CT|||37820|15231|Calatabiano
        L974|CN|1862||44348|7768|Villanova Mondovì
        D891|BS|||45254|10294|Gambara
        B618|BG|1889||45576|9542|Canonica d'Adda
        B378|SS|||40920|9193|Calangianus
        C937|BG|||45623|9662|Comun Nuovo
        I220|ME|1863||38144|15281|Santa Lucia del Mela
        B691|VT|1871||42323|12238|Caprarola
        E396|NA|1863||40749|13887|Lacco Ameno
        I428|SU|||39615|8821|Sardara
        L039|UD|1866||45928|13122|Talmassons
        C148|AL|1863||44844|8579|Castellazzo Bormida
        I014|PV|||45163|9141|San Martino Siccomario
        I356|AG|1863||37626|13490|Santo Stefano Quisquina
        C335|LE|||40173|18296|Castrignano de' Greci
        I207|PD|1866||45575|11900|Santa Giustina in Colle
        H906|UD|1866||45971|13402|San Giovanni al Natisone|San Giovanni di Manzano
        E431|AG|1875||35501|12610|Lampedusa e Linosa
        C955|TO|||45116|7309|Condove
        A891|VA|||45871|8868|Bisuschio
        B110|MN|1868||45103|10480|Bozzolo
        A127|MI|||45420|8937|Albairate
        C251|MC|||43209|13055|Castelraimondo
        L277|TO|1878||44821|7217|Torre Pellice
        L156|VI|1866||45690|11707|Tezze sul Brenta|Tezze
        B430|PA|||37820|13892|Caltavuturo
        I443|CA|||39066|9009|Sarroch
        D672|BG|||45469|9802|Fontanella
        E410|FE|||44763|12140|Lagosanto
        I445|SI|||42992|11865|Sarteano
        F849|BZ|1920||46648|11001|Naturno|Naturns
        F369|BI|1870||45528|8007|Mongrando
        I998|MB|1909||45640|9428|Sulbiate
        F686|PI|1863||43674|10750|Montopoli in Val d'Arno
        I093|CZ|||38847|16341|San Pietro a Maida
        F563|TA|||40568|17337|Montemesola
        D223|LE|||40148|18316|Cursi
        E684|PD|1866||45597|11948|Loreggia
        B516|RC|1864||38216|15659|Campo Calabro|Campo di Calabria
        C752|LC|||45828|9343|Civate
        D665|NU|||40119|9253|Fonni
        B043|NO|||45689|8604|Borgo Ticino
        A920|MI|1862||45467|8831|Boffalora sopra Ticino
        B612|MN|1868||45152|10383|Canneto sull'Oglio
        B947|BG|||45749|9906|Casazza|Mologno
        H186|PZ|||40975|15672|Rapolla
        C211|CE|1862||41121|14355|Castel Morrone
        G981|VE|1866||45815|12739|Pramaggiore
        I976|VB|||45882|8538|Stresa|Stresa Borromeo
        G842|PC|||44868|9644|Ponte dell'Olio
        G249|BG|||45731|9606|Paladina
        A080|IS|||41810|14375|Agnone
        F130|VE|1866||45620|12452|Meolo
        E092|TV|1886||45791|12550|Gorgo al Monticano
        C343|VA|||45748|8814|Castronno
        D121|RA|||44386|11939|Cotignola
        H676|AO|||45751|7648|Saint-Vincent|San Vincenzo della Fonte
        E177|NO|||45680|8344|Grignasco
        A478|EN|||37622|14418|Assoro
        F259|FC|||44160|11793|Modigliana
        F870|TE|||42815|13820|Nereto
        A660|CN|||44728|7323|Barge
        B309|UD|1870||46011|13334|Buttrio
        H850|ME|||38016|14598|San Fratello
        C466|CN|||44502|7588|Centallo
        L706|TV|1871||45687|12019|Vedelago
        E083|UD|1866||45897|13244|Gonars
        A594|LC|1927||45896|9423|Ballabio
        C076|MN|1867||45188|10974|Castel d'Ario
        E691|PE|1863||42431|13981|Loreto Aprutino
        G806|MT|||40528|16527|Pomarico
        M014|TO|||44918|7248|Villar Perosa
        B246|SS|||40577|9258|Buddusò
        D391|BS|||46178|10333|Edolo
        B912|PD|1866||45315|11912|Casalserugo
        E626|VC|1863||45283|8078|Livorno Ferraris|Livorno Piemonte
        E794|BG|||45650|9550|Madone
        A725|VB|||45908|8500|Baveno
        F267|MN|1876||44936|10915|Moglia
        B442|BG|||45496|9600|Calvenzano
        D234|TP|1948||38079|12686|Custonaci
        L868|FE|1902||44841|11494|Vigarano Mainarda
        C356|AG|1874||37441|13393|Cattolica Eraclea
        F723|CN|||44761|7536|Moretta
        M277|RC|1977||38484|15919|San Ferdinando
        L898|TO|||44842|7498|Vigone
        F137|RN|1907||43895|12289|Novafeltria|Mercatino Marecchia
        B099|RC|1908||37935|15917|Bova Marina
        D673|PR|||44882|10176|Fontanellato
        L792|CO|1929||45725|9073|Vertemate con Minoprio
        H772|AQ|1945||42008|13624|San Benedetto dei Marsi
        B049|SO|||46467|10370|Bormio
        G620|CE|||41271|14187|Pietramelara
        F992|BI|||45550|8021|Occhieppo Inferiore
        M118|TV|1866||45778|12119|Volpago del Montello|Volpago
        M271|CT|1976||37088|14561|Mazzarrone
        C810|VA|1927||45863|8688|Cocquio-Trevisago
        B118|RC|||37966|16103|Brancaleone
        C680|VC|||45308|8023|Cigliano
        A701|VT|1871||42415|12348|Vasanello|Bassanello
        E854|CT|||37829|14864|Maletto
        I635|TV|1866||45871|12133|Sernaglia della Battaglia|Sernaglia
        I590|CZ|1957||38886|16749|Sellia Marina
        D765|ME|1863||37902|15138|Francavilla di Sicilia
        G135|VT|1871||42461|12386|Orte
        H604|MN|1866||45267|10770|Roverbella
        A083|BL|1866||46282|12036|Agordo
        C751|VA|||45896|8666|Cittiglio
        C310|GR|||42769|10877|Castiglione della Pescaia
        I982|KR|||39266|17054|Strongoli
        M286|ME|1984||38092|14679|Torrenova
        A471|TV|1866||45789|11917|Asolo
        L860|SA|1862||40670|14727|Vietri sul Mare
        C459|BG|||45781|9827|Cene
        D740|VE|1867||45645|12509|Fossalta di Piave
        H529|MB|||45602|9455|Roncello
        I926|SV|||44226|8416|Spotorno
        D260|SU|||39335|8914|Decimoputzu
        G839|AL|||44959|8933|Pontecurone
        I997|BG|||45657|9502|Suisio
        G854|AO|||45595|7795|Pont-Saint-Martin|Ponte San Martino
        I079|BG|||45834|9668|San Pellegrino Terme|San Pellegrino
        C037|VI|1866||45734|11799|Cassola
        E547|PR|||44643|10300|Lesignano de' Bagni
        F545|RM|1871||42136|12739|Montelibretti
        I780|LE|1862||40148|18197|Sogliano Cavour
        B949|VA|||45832|8783|Casciago
        B938|MI|||45317|9104|Casarile
        I461|AN|||43431|12857|Sassoferrato
        E610|MI|||45483|9410|Liscate
        B829|FG|||41844|15857|Carpino
        G213|BS|||45508|10519|Padenghe sul Garda|Padenghe
        L535|CR|1862||45371|9588|Vaiano Cremasco
        L984|AT|1863||44943|7937|Villanova d'Asti|Villanuova d'Asti
        C616|CZ|1863||38679|16409|Chiaravalle Centrale
        B262|CO|||45747|9006|Bulgarograsso
        E169|FI|||43585|11317|Greve in Chianti|Greve
        F155|MI|||45502|8855|Mesero
        G218|LC|1863||45679|9445|Paderno d'Adda
        C521|LC|||45691|9399|Cernusco Lombardone
        D952|BG|||45793|9830|Gazzaniga
        H273|CB|||41483|14832|Riccia
        A665|BO|||44648|11538|Baricella
        C185|BO|||44678|11297|Castello d'Argile
        H729|LE|1894||39861|18295|Salve
        D875|RM|1872||41864|12835|Gallicano nel Lazio
        D112|LC|1870||45770|9276|Costa Masnaga
        C481|GE|1889||44506|8893|Ceranesi
        H350|PC|||44915|9604|Rivergaro
        E883|BS|||45550|10552|Manerba del Garda|Manerba
        C237|RM|1871||42123|12510|Castelnuovo di Porto
        A714|PD|1866||45285|11784|Battaglia Terme|Battaglia
        L806|CR|||45174|10165|Vescovato
        L603|PA|||37747|13828|Valledolmo
        L838|FI|||43934|11460|Vicchio
        A954|VI|1867||45602|11622|Bolzano Vicentino
        B035|BS|1863||45348|9968|Borgo San Giacomo
        L998|SU|||39441|9576|Villaputzu
        A348|FR|||41494|13705|Aquino
        I040|VE|1867||45764|12995|San Michele al Tagliamento
        A475|PG|||43067|12621|Assisi
        H222|FI|||43680|11530|Reggello
        A704|VT|1871||42222|12188|Bassano Romano|Bassano di Sutri
        A751|MI|1862||45542|9446|Bellinzago Lombardo
        H143|MN|1866||45008|10984|Quistello
        L604|SS|1961||40929|8823|Valledoria
        B634|VA|1895||45822|8896|Cantello
        L032|VA|||45762|8617|Taino
        A603|AQ|||41810|13560|Balsorano
        M176|MI|1870||45360|9111|Zibido San Giacomo
        B564|PD|1866||45549|11828|Campo San Martino
        B980|NA|1863||40698|14530|Casola di Napoli
        H970|RC|||38147|16066|San Luca
        D987|VA|||45991|8724|Germignaga
        H944|VR|1866||45186|11144|Sanguinetto
        H418|ME|1880||37976|15394|Roccalumera
        C116|RM|1871||41749|12650|Castel Gandolfo
        E187|BO|1882||44258|11153|Grizzana Morandi|Grizzana
        I922|PE|||42455|14140|Spoltore
        A249|CO|1864||45770|9182|Alzate Brianza|Alzate con Verzago
        M436|VI|2024||45527|11446|Sovizzo
        B143|VI|1866||45478|11439|Brendola
        A465|VI|1866||45876|11512|Asiago
        D126|BG|||45499|9771|Covo
        D209|CH|||42069|14671|Cupello
        E373|TV|1866||45677|12101|Istrana
        A896|AG|||37618|13439|Bivona
        D269|FG|||41223|15384|Deliceto
        D061|PC|||44992|9928|Cortemaggiore
        D358|CR|1868||45364|9544|Dovera
        A922|GE|||44381|9069|Bogliasco
        A374|VR|1866||45361|11288|Arcole
        F053|TO|||45255|7542|Mathi|Mati
        I641|FG|||41809|15161|Serracapriola
        B869|CR|1867||45252|9962|Casalbuttano ed Uniti
        H500|RE|||44885|10860|Rolo
        C287|MO|1862||44504|10947|Castelvetro di Modena
        C327|UD|1866||45912|13182|Castions di Strada
        D738|CH|1863||42242|14483|Fossacesia
        G046|SS|||40652|8380|Olmedo
        D471|CE|1964||41163|13948|Falciano del Massico
        A697|MI|||45582|9463|Basiano
        I287|PU|||43665|12418|Sant'Angelo in Vado
        I425|VI|1866||45701|11530|Sarcedo
        H785|VV|||38574|16019|San Calogero
        B709|VR|1867||45605|10795|Caprino Veronese
        G081|PZ|1863||40762|15988|Oppido Lucano|Palmira
        G820|BI|||45538|8056|Ponderano
        C900|RM|1871||41835|12755|Colonna
        I991|AR|||43578|11871|Subbiano
        I734|SU|||39301|8806|Siliqua
        B149|BS|||45959|10306|Breno
        B842|AQ|||42099|13089|Carsoli
        D211|AN|1862||43450|13113|Cupramontana
        L851|RM|1871||42019|12900|Vicovaro
        F901|ME|1863||37991|15410|Nizza di Sicilia
        D915|VR|1866||45579|10718|Garda
        A978|SS|1875||40418|8768|Bonorva
        F672|BS|||45635|10100|Monticelli Brusati
        A713|MO|||44727|10999|Bastiglia
        A076|CR|||45445|9554|Agnadello
        A977|SS|||40414|9032|Bono
        A210|RM|1871||42158|11904|Allumiere
        L364|VR|1866||45514|11164|Tregnago
        I115|LE|||40307|18128|San Pietro in Lama
        G663|PZ|1863||40574|15783|Pignola|Pignola di Basilicata
        I632|MN|1866||45003|11293|Sermide e Felonica|Sermide
        I893|AV|||40953|14605|Sperone
        F817|PZ|1863||40754|15488|Muro Lucano
        H502|NO|1863||45633|8387|Romagnano Sesia
        F194|LE|||39962|18311|Miggiano
        G407|BS|||45372|10024|San Paolo|Pedergnaga Oriano|Pedergnaga
        D577|RO|1867||44961|11606|Fiesso Umbertiano
        A109|TO|1893||44917|7483|Airasca
        A557|BG|||45661|9781|Bagnatica
        E364|BS|||45309|10323|Isorella
        H108|VC|||45760|8267|Quarona
        E067|TO|||45162|7496|Givoletto
        F553|PA|1863||37848|13762|Montemaggiore Belsito
        F332|TV|1868||45658|12418|Monastier di Treviso
        I333|RC|||38263|15857|Sant'Eufemia d'Aspromonte
        H061|MO|1862||44438|10692|Prignano sulla Secchia
        D848|BI|||45537|8078|Gaglianico
        A843|RC|||38092|16152|Bianco
        B971|BG|1863||45495|9569|Casirate d'Adda
        M283|CT|1981||37883|14798|Maniace
        E114|PC|||45002|9618|Gossolengo
        F596|PN|1867||46151|12648|Montereale Valcellina|Montereale Cellina
        G546|BS|1863||45842|10142|Pian Camuno
        A959|MO|1867||44734|11037|Bomporto
        L899|VE|1866||45387|12006|Vigonovo
        G123|TV|1866||45930|12427|Orsago
        E332|FG|||41904|15899|Ischitella
        C869|LI|||43591|10475|Collesalvetti
        G846|TV|1866||45719|12462|Ponte di Piave
        L555|TO|||45155|7445|Val della Torre
        C360|PV|1872||45140|9108|Cava Manara
        G082|RC|1863||38293|15984|Oppido Mamertina
        F086|MN|1868||45326|10514|Medole
        C439|BS|||45582|10180|Cellatica
        L401|RM|1884||42160|12238|Trevignano Romano
        F385|CN|||44815|7955|Montà
        E314|NO|1928||45757|8487|Invorio
        L856|TV|1866||45867|12045|Vidor
        B965|TV|1866||45642|12293|Casier
        L609|CL|1865||37682|13832|Vallelunga Pratameno
        C085|GR|||42892|11539|Castel del Piano
        D463|TA|||40416|17389|Faggiano
        E071|TV|1867||45929|12397|Godega di Sant'Urbano
        L494|BS|||45516|9870|Urago d'Oglio
        A195|PA|||37779|13714|Alia
        C370|VR|1867||45540|10770|Cavaion Veronese
        E001|NO|||45599|8420|Ghemme
        G128|CH|||42223|14281|Orsogna
        D299|FI|1893||43893|11522|Dicomano
        G492|AQ|||42024|13651|Pescina
        C524|AN|1863||43317|12988|Cerreto d'Esi
        F989|BS|||45546|10388|Nuvolento
        L778|BS|||45329|10055|Verolavecchia
        F756|UD|1892||45946|13173|Mortegliano
        G006|BS|||45385|10117|Offlaga
        F616|LT|1863||41354|13352|Monte San Biagio
        A200|CE|||41326|14334|Alife
        I251|AN|||43492|13324|Santa Maria Nuova
        D392|BZ|1920||46318|11273|Egna|Neumarkt
        E914|CS|||39313|16174|Marano Marchesato
        F937|LT|1871||41586|12971|Norma
        I423|CS|||39779|16159|Saracena
        A949|VT|1871||42643|11985|Bolsena
        I627|CR|1868||45428|9701|Sergnano
        A092|AN|||43544|13386|Agugliano
        E021|TV|1960||45794|12167|Giavera del Montello
        E232|RE|||44897|10629|Gualtieri
        H855|TO|||45025|7450|Sangano
        F082|PR|1873||44758|10138|Medesano
        D482|CO|1928||45810|8964|Faloppio
        G792|PA|1863||37812|14003|Polizzi Generosa
        L947|PD|1867||45492|11794|Villafranca Padovana
        F592|SI|||43100|11787|Montepulciano
        B305|TO|1863||45068|7433|Buttigliera Alta
        F671|PC|1876||45089|9934|Monticelli d'Ongina
        G782|RO|1866||44965|11749|Polesella
        H205|AG|||37308|13464|Realmonte
        L294|TA|1954||40355|17498|Torricella
        D464|CS|1863||39572|16063|Fagnano Castello
        D725|TO|1896||45343|7590|Forno Canavese|Forno di Rivara
        D268|RC|1878||38236|15917|Delianuova
        E145|PD|1866||45603|11732|Grantorto
        H625|PD|1866||45425|11791|Rubano
        A861|BS|||45935|10292|Bienno
        D314|CN|||44533|7945|Dogliani
        A360|TV|1866||45784|12220|Arcade
        C704|MC|||43376|13208|Cingoli
        D849|EN|1862||37710|14535|Gagliano Castelferrato
        G217|BS|1862||45587|10080|Paderno Franciacorta
        I073|NA|1862||40914|14549|San Paolo Bel Sito
        C207|RO|1928||45018|11315|Castelmassa
        I896|CS|1928||39300|16339|Spezzano della Sila
        D377|SO|||46167|9430|Dubino
        L014|TV|1889||45856|12257|Susegana
        G726|AQ|||42436|13299|Pizzoli
        F295|PZ|||40244|15865|Moliterno
        M257|SR|1975||36682|15134|Portopalo di Capo Passero
        C871|PA|||37918|13937|Collesano
        D341|CO|||46130|9282|Dongo
        B681|PE|1904||42477|14107|Cappelle sul Tavo|Cappelle
        C599|CN|||44643|7858|Cherasco
        I537|RC|||38252|15718|Scilla
        D701|AV|||40858|14733|Forino
        G659|FR|1871||41830|13133|Piglio
        H229|UD|1866||46085|13324|Remanzacco
        C733|MI|1870||45444|8987|Cisliano
        G487|FG|||41945|16016|Peschici
        I402|SU|||39441|9541|San Vito
        D196|CO|||45739|9093|Cucciago
        L449|PV|||45209|8871|Tromello
        F420|TO|1863||45490|7863|Montalto Dora
        H280|TV|1866||45729|11918|Riese Pio X|Riese
        E012|PG|1863||42834|12578|Giano dell'Umbria
        H943|SA|1863||40660|15399|San Gregorio Magno
        B556|PA|||37886|13101|Camporeale
        G597|CT|1862||37807|15175|Piedimonte Etneo
        H936|TO|1863||45315|7810|San Giusto Canavese
        G209|ME|1921||38180|15306|Pace del Mela
        C668|AG|||37519|13433|Cianciana
        H857|TR|||42614|12545|San Gemini
        A663|NU|1862||39841|9646|Bari Sardo
        E894|CN|||44616|7487|Manta
        H778|AG|1864||37509|13528|San Biagio Platani
        B643|PC|1876||45049|9875|Caorso
        H537|MB|1909||45666|9405|Ronco Briantino
        F990|BS|||45532|10369|Nuvolera
        G392|TO|1863||45442|7853|Pavone Canavese
        L197|PZ|||40694|16016|Tolve
        C744|PG|||42959|12007|Città della Pieve
        H540|VR|1867||45336|11237|Ronco all'Adige
        I012|LO|1869||45275|9526|San Martino in Strada
        A787|SO|1864||46166|9747|Berbenno di Valtellina
        B368|VA|1869||45688|8868|Cairate
        B820|MI|||45340|9274|Carpiano
        C336|LE|||39833|18351|Castrignano del Capo
        I832|LT|1871||41417|13246|Sonnino
        A476|CO|1880||45861|9267|Asso
        A501|BL|1866||46559|12425|Auronzo di Cadore|Auronzo
        F628|AR|||43332|11727|Monte San Savino
        G763|RI|||42268|12688|Poggio Mirteto
        H286|FI|1863||43721|11452|Rignano sull'Arno
        E929|VA|||45948|8833|Marchirolo
        G642|BL|1866||46425|12364|Pieve di Cadore
        C696|PA|||37898|13560|Ciminna
        A281|LE|||39985|18382|Andrano
        I400|RM|1872||41880|12978|San Vito Romano
        B104|FG|||41249|15339|Bovino
        I923|LE|||40018|18366|Spongano
        E654|BS|1884||45485|10057|Lograto
        H492|BG|||45857|10132|Rogno
        G590|PZ|||40640|15642|Picerno
        G153|SS|||40720|9101|Oschiri
        C195|MN|1872||45150|10649|Castellucchio
        H655|PD|1866||45402|11749|Saccolongo
        C541|PV|1929||45254|9133|Certosa di Pavia
        B801|BG|1928||45665|9829|Carobbio degli Angeli
        A995|LO|1863||45213|9499|Borghetto Lodigiano
        F020|GE|||44502|8719|Masone
        H383|KR|||39133|16861|Roccabernarda
        C190|TV|1887||45693|11880|Castello di Godego
        I035|CT|1862||37280|14426|San Michele di Ganzaria
        F708|CS|1863||39841|16138|Morano Calabro
        I840|PR|||44927|10120|Soragna
        G815|BS|||45431|9989|Pompiano
        L308|ME|||38030|14822|Tortorici
        F017|CO|||45843|9048|Maslianico
        I869|BG|||45706|9503|Sotto il Monte Giovanni XXIII|Sotto Il Monte
        A228|AV|1862||41006|14781|Altavilla Irpina
        M287|CT|1985||37635|14947|Ragalna
        E905|MO|1862||44459|10969|Marano sul Panaro
        F003|MI|||45567|9464|Masate
        L485|LE|||40101|18449|Uggiano la Chiesa
        D434|BS|||45925|10251|Esine
        L154|SU|||38967|8771|Teulada
        I312|SS|1862||41239|9189|Santa Teresa Gallura
        L174|TN|1920||46036|10727|Tione di Trento|Tione
        G850|PD|1866||45246|12026|Pontelongo
        A607|TO|||45454|7856|Banchette
        C324|BG|1863||45915|10055|Castione della Presolana
        H337|TO|||44983|7873|Riva presso Chieri
        A845|VA|||45813|8709|Biandronno
        B427|AG|||37575|13216|Caltabellotta
        I144|AL|1863||44995|8566|San Salvatore Monferrato
        G826|TO|||45421|7600|Pont Canavese
        H875|SI|||43474|11030|San Gimignano
        D270|BS|||45419|10076|Dello
        H214|VI|1866||45704|11222|Recoaro Terme|Recoaro
        F207|VV|||38608|16068|Mileto
        A657|LU|||44073|10478|Barga
        E562|BG|||45625|9624|Levate
        E978|VT|1871||42533|11924|Marta
        D266|SO|||46136|9462|Delebio
        L948|TO|1863||44788|7508|Villafranca Piemonte|Villafranca Sabauda
        L414|PD|1866||45209|11836|Tribano
        G684|TO|1863||44933|7610|Piobesi Torinese
        H410|BS|||45464|9913|Roccafranca
        E043|ME|1862||38174|14899|Gioiosa Marea
        F357|MO|||44427|10791|Serramazzoni|Monfestino in Serramazzoni
        H650|BS|1864||45656|10422|Sabbio Chiese
        B081|LC|||45801|9290|Bosisio Parini|Bosisio
        L342|VA|1927||45804|8671|Travedona-Monate
        G404|BL|1866||46040|11883|Pedavena
        L912|VR|1866||45155|11354|Villa Bartolomea
        C114|CH|1864||42199|14356|Castel Frentano
        B844|VI|1866||45713|11696|Cartigliano
        I401|VI|1867||45685|11389|San Vito di Leguzzano
        D107|VI|1866||45583|11485|Costabissara
        L563|SO|||46434|10357|Valdisotto
        M199|VI|1866||45730|11524|Zugliano
        M267|FG|1975||41457|15956|Zapponeta
        I415|MI|1870||45327|9356|San Zenone al Lambro
        G083|BZ|1920||46347|11297|Ora|Auer
        G287|SU|1862||39110|8520|San Giovanni Suergiu|Palmas Suergiu
        H794|MO|1862||44564|11035|San Cesario sul Panaro
        H154|CT|||37475|14535|Raddusa
        A831|PC|1885||44778|9609|Bettola
        M333|BG|2014||45808|9536|Sant'Omobono Terme
        H756|OR|||39949|8942|Samugheo
        B660|ME|||37848|14480|Capizzi
        C135|PA|1936||37787|14039|Castellana Sicula
        F120|CO|||46021|9239|Menaggio
        L263|PE|||42243|13933|Torre de' Passeri
        B381|EN|||37590|14272|Calascibetta
        F829|VI|1866||45779|11806|Mussolente
        A045|TR|||42689|12543|Acquasparta
        G547|SI|||42851|11690|Piancastagnaio
        B392|PI|||43684|10617|Calcinaia
        F547|BG|1863||45672|9806|Montello|Monticelli di Borgogna
        I848|LO|||45342|9364|Sordio
        F801|LO|1869||45372|9398|Mulazzano
        E811|AQ|1869||42092|13364|Magliano de' Marsi
        A025|CT|||37596|15107|Aci Bonaccorsi
        L267|VE|1866||45686|12700|Torre di Mosto
        H699|BS|||45706|10112|Sale Marasino
        M130|AV|1862||40883|14918|Volturara Irpina
        B841|CN|||44480|7872|Carrù
        F213|SV|||44367|8204|Millesimo
        C474|PE|||42365|14074|Cepagatti
        I128|MO|||44874|10981|San Possidonio
        E588|BL|1866||46100|12186|Limana
        L968|SU|||39275|8641|Villamassargia
        M102|MI|1863||45356|9348|Vizzolo Predabissi
        G969|UD|1866||46034|13302|Pradamano
        D531|CO|||45702|9000|Fenegrò
        G406|VI|1920||45503|10919|Pedemonte
        B835|VI|1866||45749|11458|Carrè
        E928|BS|||45706|10214|Marcheno
        H514|GO|1928||45888|13442|Romans d'Isonzo
        G111|VT|1872||42163|12139|Oriolo Romano
        C372|TN|1920||46290|11459|Cavalese
        E875|GR|||42589|11518|Manciano
        H110|AO|||45741|7415|Quart|Quarto Praetoria
        L581|LC|||45779|9413|Valgreghentino
        D289|CS|1876||39681|15822|Diamante
        E107|FE|1962||44852|12297|Goro
        G376|SS|1876||40581|9111|Pattada
        C824|VI|1866||45784|11425|Cogollo del Cengio|Cogollo
        L415|MI|||45413|9377|Tribiano
        I865|CR|1868||45108|10159|Sospiro
        D844|ME|||37860|15221|Gaggi|Kaggi
        L194|CH|||42345|14324|Tollo
        B258|VA|||45782|8811|Buguggiate
        L876|VA|||45871|8909|Viggiù|Viggiù ed Uniti
        A560|LU|1898||44005|10553|Bagni di Lucca
        E680|LI|1873||42768|10397|Porto Azzurro|Porto Longone
        E998|CE|1863||41318|14045|Marzano Appio
        H838|BS|1928||45583|10554|San Felice del Benaco
        H694|AL|||44979|8810|Sale
        L951|PA|||37906|13485|Villafrati
        L946|MS|1894||44298|9953|Villafranca in Lunigiana
        F348|PU|||43745|13102|Mondolfo
        M113|TN|1920||45917|11064|Volano
        A243|CE|||41244|14337|Alvignano
        G804|PI|1870||43296|10872|Pomarance
        B126|VA|||45830|8650|Brebbia
        D606|BG|1863||45800|9843|Fiorano al Serio
        G117|VB|||45968|8416|Ornavasso
        H480|FG|||41927|15882|Rodi Garganico
        A382|SO|||46167|9647|Ardenno
        A745|LC|||46044|9307|Bellano
        E502|VR|1866||45505|10739|Lazise
        B978|BG|||45813|9869|Casnigo
        B345|PD|1880||45443|11927|Cadoneghe
        I787|RA|||44359|11847|Solarolo
        L140|NU|||39695|9579|Tertenia
        G943|VI|1866||45798|11730|Pove del Grappa|Pove
        L227|AQ|||42290|13301|Tornimparte
        D238|VA|1956||45906|8733|Cuveglio
        G716|GR|||42636|11675|Pitigliano
        I310|FC|||43947|11909|Santa Sofia
        H238|TV|1866||45635|11955|Resana
        D728|PR|1893||44695|10102|Fornovo di Taro
        E284|VR|1866||45467|11182|Illasi
        B396|LC|||45724|9413|Calco
        A280|BI|1929||45611|8056|Andorno Micca
        E510|VA|||45876|8621|Leggiuno
        E558|PE|||42243|14038|Lettomanoppello
        I793|VA|1905||45720|8814|Solbiate Arno|Solbiate Arno e Monte
        A895|NU|1874||40480|9384|Bitti
        H789|TO|1863||45245|7606|San Carlo Canavese|San Carlo di Ciriè
        B176|NO|||45729|8456|Briga Novarese
        H592|AV|||41033|14595|Rotondi
        I892|LT|||41259|13433|Sperlonga
        H230|BS|1928||45278|10372|Remedello
        L490|BZ|1920||46548|11004|Ultimo|Ulten
        D027|UD|1866||45991|13444|Corno di Rosazzo
        H859|PV|1871||45234|9180|San Genesio ed Uniti|San Genesio
        B738|SU|1862||39145|9518|Villasimius
        B922|NA|||40932|14553|Casamarciano
        L451|VC|1862||45342|8174|Tronzano Vercellese
        L503|SS|||40638|8489|Uri
        E726|PC|1870||44823|9828|Lugagnano Val d'Arda
        F655|AG|||37702|12986|Montevago
        I809|BN|||41195|14548|Solopaca
        D256|VA|||45778|8773|Daverio
        H185|SI|||43295|11603|Rapolano Terme|Rapolano
        H725|VC|||45237|8015|Saluggia
        E184|VI|1867||45487|11708|Grisignano di Zocco
        A334|MC|||43363|13348|Appignano
        D110|BG|||45663|9796|Costa di Mezzate|Costa di Monticelli
        E693|AR|1863||43588|11629|Loro Ciuffenna
        F705|MN|1872||45385|10693|Monzambano
        F610|RG|1863||37089|14765|Monterosso Almo
        H669|AO|||45754|7347|Saint-Christophe
        A181|AG|1863||37568|13453|Alessandria della Rocca
        E412|BZ|1920||46681|11126|Lagundo|Algund
        L158|SS|||40524|8720|Thiesi
        F900|EN|||37654|14448|Nissoria
        D367|MI|||45373|9358|Dresano
        A178|TN|1920||45978|11093|Aldeno
        A694|TN|1920||46132|11246|Baselga di Pinè
        F935|PG|||42791|13096|Norcia
        C404|TO|||44793|7374|Cavour
        L540|CE|1862||41337|14131|Vairano Patenora
        A651|TO|||45075|6699|Bardonecchia
        D824|ME|1919||37962|15378|Furci Siculo
        A451|BS|||45854|10166|Artogne
        A566|AV|1862||40831|15072|Bagnoli Irpino
        D043|TE|||42827|13835|Corropoli
        D727|BG|1863||45497|9677|Fornovo San Giovanni|Fornovo di San Giovanni
        F401|AN|1881||43616|13158|Ostra
        B404|TN|1920||45994|11264|Caldonazzo
        G555|PE|||42399|14048|Pianella
        I124|TV|1867||45790|12393|San Polo di Piave
        C635|BG|1864||45668|9528|Chignolo d'Isola
        G084|NU|||40252|9181|Orani
        E967|BS|||45737|10096|Marone
        L747|CS|||39761|15907|Verbicaro
        A346|UD|1921||45768|13368|Aquileia
        A296|PD|1883||45142|11885|Anguillara Veneta
        H889|RC|1864||38392|16088|San Giorgio Morgeto
        E893|TV|1866||45821|12535|Mansuè
        C725|KR|||39383|17064|Cirò
        E016|RG|||37047|14795|Giarratana
        G463|TO|1863||44959|7192|Perosa Argentina
        L994|PV|1872||45218|9361|Villanterio
        E848|VR|1866||45761|10809|Malcesine
        G803|AN|||43529|13383|Polverigi
        G963|PD|1866||45196|11792|Pozzonovo
        I107|PD|1884||45609|11674|San Pietro in Gu
        L218|CH|1863||42191|14543|Torino di Sangro
        E578|CT|1873||37157|14706|Licodia Eubea
        H508|CR|||45378|9788|Romanengo
        B015|TO|1894||45516|7859|Borgofranco d'Ivrea
        G906|VA|1863||45913|8897|Porto Ceresio
        B597|VT|1871||42383|12232|Canepina
        B824|PV|1872||45212|9256|Cura Carpignano
        L332|PA|1954||38069|13038|Trappeto
        A304|BG|||45486|9791|Antegnate
        A075|PD|1866||45171|11956|Agna
        B187|MB|1869||45710|9241|Briosco
        B129|CR|1868||45188|9997|Castelverde
        I867|VI|1866||45358|11508|Sossano
        C334|LE|1892||40274|18262|Castri di Lecce
        I367|CN|||44710|8233|Santo Stefano Belbo
        H843|TV|1866||45922|12361|San Fior
        A482|PZ|1882||40879|15652|Atella
        C341|AG|||37350|13750|Castrofilippo
        L904|AL|||44906|8920|Viguzzolo
        B609|PG|1869||42995|12582|Cannara
        I852|GE|||44373|9105|Sori
        G258|SS|1959||41179|9382|Palau
        I140|LO|||45082|9697|San Rocco al Porto
        B274|SU|||39344|9360|Burcei
        I756|AV|||40950|14629|Sirignano
        L737|CO|||45716|8985|Veniano
        B955|TO|1871||45110|7486|Caselette
        I133|MO|1868||44790|11022|San Prospero
        D199|VA|1955||45946|8819|Cugliate-Fabiasco
        A023|SA|||40738|15057|Acerno
        B785|CO|1928||46042|9165|Carlazzo
        F958|CO|||45698|9121|Novedrate
        H658|RM|1871||42105|12448|Sacrofano|Scrofano
        H723|VA|||45873|8924|Saltrio
        A587|TO|||45270|7519|Balangero
        E852|LO|||45166|9762|Maleo
        E165|AO|||45720|7293|Gressan
        I494|KR|||39123|16962|Scandale
        C988|VT|1871||42345|12357|Corchiano
        D421|BS|||45599|9972|Erbusco
        G506|CB|1924||42008|14860|Petacciato
        E459|PA|||38001|13941|Lascari
        C263|AR|1868||43744|11709|Castel San Niccolò
        E527|LT|||41405|13459|Lenola
        A529|BS|1862||45455|10117|Azzano Mella
        H541|MN|1866||45138|10942|Roncoferraro
        H536|GE|1863||44614|8950|Ronco Scrivia
        L111|BZ|1920||46342|11242|Termeno sulla strada del vino|Tramin an der Weinstraße|Termeno|Tramin
        E387|NU|||39793|9518|Jerzu
        D697|BG|1863||45691|9920|Foresto Sparso
        B261|LC|||45751|9285|Bulciago
        H910|BG|||45873|9654|San Giovanni Bianco
        C815|TV|1869||45860|12413|Codognè
        E618|CL|1924||37471|13736|Milena|Littoria Nissena|Milocca
        B156|RE|||44895|10513|Brescello
        B561|CT|1863||37566|15003|Camporotondo Etneo
        E487|AV|1871||40880|14630|Lauro
        H674|AO|||45712|7227|Saint-Pierre
        I352|RM|1871||42233|12515|Sant'Oreste
        M300|PD|1995||45292|11824|Due Carrare
        H752|SO|||46242|9394|Samolaco
        F977|SS|||40784|8744|Nulvi
        L389|CR|||45403|9623|Trescore Cremasco|Trescore
        C255|BG|||45552|9620|Castel Rozzone
        M335|CO|2014||45988|9262|Bellagio
        B742|CO|||45685|8938|Carbonate
        F223|SA|||40650|14627|Minori
        L166|LE|||39903|18365|Tiggiano
        B994|UD|1866||46173|13192|Cassacco
        H542|FC|||44042|12301|Roncofreddo
        L216|PG|||43028|12440|Torgiano
        I137|TO|||45147|7849|San Raffaele Cimena
        L776|LE|||40288|18302|Vernole
        D639|SU|||39439|8498|Fluminimaggiore
        G955|MI|1862||45573|9503|Pozzo d'Adda
        F268|MC|||43188|13491|Mogliano
        L569|VT|1871||42564|11827|Valentano
        C344|PA|1862||37679|13603|Castronovo di Sicilia
        G185|CR|1868||45223|10254|Ostiano
        I042|TN|1920||46190|11132|San Michele all'Adige
        I683|CR|1868||45176|9914|Sesto ed Uniti
        F243|BG|1863||45469|9621|Misano di Gera d'Adda
        G207|SU|||39592|8721|Pabillonis
        E170|MI|||45591|9497|Grezzago
        H126|SV|||44292|8414|Quiliano
        H122|RE|1872||44635|10474|Quattro Castella
        L751|LC|||45809|9422|Vercurago
        G005|AP|||42935|13698|Offida
        H486|LC|||45782|9274|Rogeno
        G977|BS|||45267|10218|Pralboino
        D012|AO|||45797|6969|Courmayeur|Cormaiore
        H511|TO|1863||45399|7869|Romano Canavese
        E272|CR|||45012|10349|Gussola
        L966|SU|||39619|8959|Villamar
        L496|OR|||39698|8701|Uras
        C803|TO|||45052|7301|Coazze
        E336|SU|||39740|9111|Isili
        A291|AR|||43541|12058|Anghiari
        B075|TO|||45266|7766|Bosconero
        A137|VR|1867||45319|11278|Albaredo d'Adige
        B538|GE|1884||44537|8699|Campo Ligure
        D655|SP|||44164|9862|Follo
        H719|BZ|1920||46241|11212|Salorno sulla strada del vino|Salurn an der Weinstraße|Salorno|Salurn
        B492|SA|||40667|15106|Campagna
        D889|PD|1866||45308|11731|Galzignano Terme|Galzignano
        M269|PZ|1973||40375|15735|Paterno
        D741|VE|1867||45793|12910|Fossalta di Portogruaro
        F735|CS|||39893|15992|Mormanno
        I815|LO|1882||45149|9633|Somaglia
        F398|FI|1876||43551|10914|Montaione
        A946|PA|1883||37971|13456|Bolognetta
        E834|CZ|||38859|16363|Maida
        C041|VR|1866||45118|11409|Castagnaro
        B670|AR|||43567|11864|Capolona
        A112|LC|||45754|9428|Airuno
        A948|NU|||40324|8961|Bolotana
        C296|BO|1863||44143|11160|Castiglione dei Pepoli
        G061|BS|||45627|10121|Ome
        G164|IM|1924||43802|7718|Ospedaletti
        H017|FC|||44103|11984|Predappio|Predappio Nuova
        G237|CH|||42161|14503|Paglieta
        E933|AR|||43305|11786|Marciano della Chiana
        E593|CO|||45689|8980|Limido Comasco|Limido
        B537|CL|||37512|13712|Campofranco
        A789|SS|||40785|9165|Berchidda
        F416|CS|1864||39403|16155|Montalto Uffugo
        G761|FG|||41825|15367|Poggio Imperiale
        L474|GO|1921||45821|13444|Turriaco
        E208|FM|||43119|13607|Grottazzolina
        A007|OR|||40128|8818|Abbasanta
        B086|LE|1958||40064|18323|Botrugno
        C363|BI|||45406|8092|Cavaglià
        G156|SS|||40743|8671|Osilo
        L238|TO|1919||45215|7977|Torrazza Piemonte
        F738|BG|1863||45591|9809|Mornico al Serio
        D949|MN|1879||45200|10578|Gazoldo degli Ippoliti
        G511|PA|||37809|14093|Petralia Sottana
        D947|NU|||40161|9195|Gavoi
        B173|PZ|||40478|15629|Brienza
        I307|SA|||40471|15484|Sant'Arsenio
        A302|VE|1867||45790|12686|Annone Veneto
        I407|TP|1952||38174|12736|San Vito Lo Capo
        E590|VV|||38559|15964|Limbadi
        G993|SO|1863||46307|9395|Prata Camportaccio
        H166|AQ|||42102|13814|Raiano
        D575|FI|1865||43805|11295|Fiesole
        A444|VI|1866||45804|11356|Arsiero
        B159|PV|1928||45078|9131|Bressana Bottarone
        E919|PZ|||39999|15715|Maratea
        G395|PI|||43550|10717|Peccioli
        G962|SS|||40398|8659|Pozzomaggiore
        G705|TO|1893||44919|7425|Piscina
        A835|PG|||42937|12615|Bevagna
        E139|CO|||45767|9053|Grandate
        A571|CN|1862||44760|7314|Bagnolo Piemonte
        F238|PV|1872||45171|9444|Miradolo Terme|Miradolo
        H189|BZ|1955||46779|12047|Rasun-Anterselva|Rasen-Antholz
        E555|ME|1952||37880|15307|Letojanni
        B275|AG|||37601|13288|Burgio
        B171|TO|||44823|7303|Bricherasio
        C760|BS|1887||45941|10266|Cividate Camuno
        D766|PZ|1863||40081|16204|Francavilla in Sinni
        E215|VE|1866||45835|12841|Gruaro
        H805|CT|||37290|14367|San Cono
        B269|SI|||43133|11484|Buonconvento
        G226|SA|||40339|15656|Padula
        C783|AQ|||41913|13424|Civitella Roveto
        E252|SU|||39560|9044|Guasila
        B242|SA|||40637|15381|Buccino
        H394|SA|||40423|15191|Roccadaspide
        G391|BS|1862||45301|10210|Pavone del Mella
        D120|CN|||44565|7485|Costigliole Saluzzo
        D280|LC|||46077|9307|Dervio
        F835|TN|1920||45876|10891|Nago-Torbole
        L144|UD|1921||45800|13342|Terzo d'Aquileia
        E735|CO|||45763|9035|Luisago
        C104|LT|||41294|13831|Castelforte
        C384|TV|1866||45861|11898|Cavaso del Tomba|Cavaso
        B362|CE|||41184|14359|Caiazzo
        E589|BN|||41140|14394|Limatola
        I434|PC|||45057|9497|Sarmato
        A666|PZ|||40943|15672|Barile
        I025|NO|||45773|8396|San Maurizio d'Opaglio
        B956|GE|1893||44535|9001|Casella
        D963|VA|||45879|8675|Gemonio
        A735|CN|||44364|7645|Beinette
        I473|MO|1862||44480|11035|Savignano sul Panaro
        G469|CR|1928||45186|10105|Persico Dosimo
        C654|PA|1863||37677|13271|Chiusa Sclafani
        F942|TE|||42657|13895|Notaresco
        M266|FG|1975||41315|15628|Ordona
        G080|VR|1866||45303|11180|Oppeano
        D204|VA|||45934|8808|Cunardo
        G346|BG|||45875|9891|Parre
        I938|PD|1866||45135|11757|Stanghella
        I016|AV|||41028|14664|San Martino Valle Caudina
        D587|VV|1867||38785|16292|Filadelfia
        F301|RC|||38308|16031|Molochio
        I828|SO|||46330|10327|Sondalo
        H996|RO|1867||45125|11870|San Martino di Venezze
        H004|BZ|1929||46619|10591|Prato allo Stelvio|Prad am Stilfserjoch|Prato Venosta|Prad
        D897|VI|1866||45460|11340|Gambellara
        E915|CS|||39298|16174|Marano Principato
        H873|TO|||45140|7533|San Gillio
        A392|BO|||44640|11344|Argelato
        I823|CN|1871||44746|7901|Sommariva Perno
        F184|PA|||37865|13465|Mezzojuso
        I534|PA|||37915|13762|Sciara
        H763|IM|||43923|8105|San Bartolomeo al Mare|San Bartolomeo del Cervo
        E865|BS|||46122|10318|Malonno
        A261|SP|||44071|9966|Ameglia
        F520|FM|1898||43130|13539|Montegiorgio
        G604|FG|1862||41542|15129|Pietramontecorvino
        D007|AN|||43641|13060|Corinaldo
        A440|BG|||45481|9564|Arzago d'Adda|Arsago
        D347|NO|1902||45736|8567|Dormelletto
        D920|CN|||44207|8018|Garessio
        A005|LC|1928||45899|9335|Abbadia Lariana
        I520|CH|||42104|14574|Scerni
        C993|PN|1866||45844|12885|Cordovado
        H701|LO|1863||45297|9385|Salerano sul Lambro
        G526|CN|||44321|7619|Peveragno
        H916|VR|1866||45519|11237|San Giovanni Ilarione
        C529|FI|||43759|10882|Cerreto Guidi
        D926|LC|||45812|9400|Garlate
        E537|TA|||40382|17334|Leporano
        H687|MT|||40527|16320|Salandra
        D038|MB|||45667|9308|Correzzana
        D218|CZ|||38828|16313|Curinga
        A448|UD|1866||46239|13154|Artegna
        G364|CE|||41181|14198|Pastorano
        H781|TV|1877||45684|12377|San Biagio di Callalta
        A368|OR|1863||39684|8644|San Nicolò d'Arcidano
        L953|NU|||39959|9509|Villagrande Strisaili
        I492|ME|1863||38048|15468|Scaletta Zanclea|Scaletta Zanglea
        D588|BG|||45638|9556|Filago|Marne
        L779|TO|||45190|7971|Verolengo
        B288|TP|1950||38003|12709|Buseto Palizzolo
        D644|BN|||41161|14671|Foglianise
        E793|CR|1868||45345|9723|Madignano
        B243|AR|||43477|11614|Bucine
        B690|LE|||40261|18244|Caprarica di Lecce
        E671|VI|1866||45477|11607|Longare
        C020|CO|||45752|9025|Cassina Rizzardi
        L505|CB|||41815|15016|Ururi
        L837|PA|||37824|13569|Vicari
        B196|VI|1866||45589|11365|Brogliano
        B823|NO|1863||45533|8417|Carpignano Sesia
        F256|GE|||44421|9210|Moconesi
        E210|VT|1871||42676|11869|Grotte di Castro
        D818|VR|1866||45542|10885|Fumane
        D874|LU|||44058|10442|Gallicano
        H581|GE|||44564|8670|Rossiglione
        F606|VT|1871||42197|12308|Monterosi
        A425|LE|||40337|18091|Arnesano
        E031|CZ|||38973|16532|Gimigliano
        A857|VT|1871||42273|12030|Blera|Bieda
        G864|BG|1882||45731|9511|Pontida
        G910|CB|||41914|15008|Portocannone
        D330|BL|1866||46457|12407|Domegge di Cadore|Domegge
        F063|BS|||45520|10354|Mazzano
        G558|CR|||45402|9695|Pianengo
        L644|TO|||45370|7661|Valperga
        L739|AV|1948||41047|14912|Venticano
        A035|PU|||43626|12676|Acqualagna
        A458|PD|1866||45273|12048|Arzergrande
        I758|AN|||43522|13615|Sirolo
        E874|NU|||40215|9282|Mamoiada
        G268|UD|1867||45798|13088|Palazzolo dello Stella
        G646|GE|||44375|9094|Pieve Ligure|Pieve di Sori
        F681|CR|||45284|9709|Montodine
        A743|PZ|||40761|15541|Bella
        H851|CN|||44752|7803|Sanfrè
        G575|CN|||44561|7444|Piasco
        I482|PE|1948||42266|13997|Scafa
        D371|TN|1920||45961|10912|Dro
        H615|BG|||45892|9982|Rovetta
        E752|SS|||40936|9175|Luras
        F688|CO|||45786|9144|Montorfano
        B732|VA|||45879|8654|Caravate
        L612|VT|1871||42383|12261|Vallerano
        B502|RE|||44781|10528|Campegine
        G125|FG|1884||41282|15268|Orsara di Puglia
        C121|BO|1876||44432|11676|Castel Guelfo di Bologna
        F304|LC|||45778|9304|Molteno
        A315|RI|||42415|13077|Antrodoco
        H981|CS|1862||39557|16125|San Marco Argentano
        G284|UD|1866||45905|13310|Palmanova
        L460|NA|||40956|14566|Tufino
        C059|MN|1866||45212|10892|Castelbelforte
        G598|FR|1862||41498|13750|Piedimonte San Germano
        I316|CN|1862||44699|7937|Santa Vittoria d'Alba
        L057|UD|1921||46506|13587|Tarvisio|Trbiz
        A164|CO|||45806|8939|Albiolo
        D474|ME|||38117|15080|Falcone
        I185|AG|1955||37432|13554|Santa Elisabetta
        C650|VI|1911||45763|11458|Chiuppano
        B566|MO|1867||44790|11140|Camposanto
        E678|CS|||39448|16610|Longobucco
        A377|VI|1866||45496|11548|Arcugnano
        E655|BO|1866||44268|11328|Loiano
        C652|BZ|1920||46640|11566|Chiusa|Klausen|Chiusa all'Isarco
        E689|RO|1866||45062|12188|Loreo
        H328|IM|1862||43839|7879|Riva Ligure
        L177|CZ|||38941|16510|Tiriolo
        F566|AV|||41012|14900|Montemiletto
        H516|VV|||38595|16002|Rombiolo
        C515|CS|||39277|16177|Cerisano
        F064|RM|1872||42206|12396|Mazzano Romano
        F560|AN|||43638|13308|Montemarciano
        G163|UD|1866||46255|13085|Osoppo
        F623|LE|1864||39975|18323|Montesano Salentino
        F720|BG|||45531|9706|Morengo
        I350|VV|||38698|16148|Sant'Onofrio
        D540|SR|||37120|14939|Ferla
        C282|AO|||45667|7689|Verrès|Castel Verrès
        E751|BG|||45566|9640|Lurano
        A989|PV|||45241|9141|Borgarello
        G959|BS|||45405|10630|Pozzolengo
        H413|LT|1871||41525|13155|Roccagorga
        H800|SA|1862||40720|14872|San Cipriano Picentino
        E745|CS|||39738|16126|Lungro
        B128|TV|1868||45722|12331|Breda di Piave
        B857|KR|||39250|16954|Casabona
        A047|AP|1862||42940|13822|Acquaviva Picena
        E398|BZ|1920||46616|10857|Laces|Latsch
        B054|BS|||45947|10202|Borno
        I135|SI|1862||43058|11605|San Quirico d'Orcia
        L193|BI|||45591|8051|Tollegno
        L640|CO|1928||45815|8931|Valmorea
        B985|CH|||42114|14290|Casoli
        I624|SU|||39375|9159|Serdiana
        I945|VV|||38678|16124|Stefanaconi
        A454|NU|||39917|9528|Arzana
        B720|CN|1862||44782|7739|Caramagna Piemonte
        D812|TO|||44922|7371|Frossasco
        H365|VC|||45605|8285|Roasio
        D287|NU|||40015|9231|Desulo
        D010|PZ|1863||40382|16039|Corleto Perticara
        F916|LE|||40038|18328|Nociglia
        E428|CO|||45759|9240|Lambrugo
        H453|CN|||44314|7478|Roccavione
        L287|VR|1867||45610|10687|Torri del Benaco
        C935|AP|||42957|13413|Comunanza|Comunanza del Littorio
        D261|CZ|||39046|16358|Decollatura
        C750|PE|||42513|14062|Città Sant'Angelo
        L547|CO|||45877|9299|Valbrona
        F993|BI|||45564|8006|Occhieppo Superiore
        B247|PN|1866||46045|12534|Budoia
        B203|BZ|1920||46403|11321|Bronzolo|Branzoll
        C714|VE|1867||45828|12781|Cinto Caomaggiore
        G518|CZ|||39044|16758|Petronà
        L070|CZ|||39022|16581|Taverna
        A854|FG|||41397|15196|Biccari
        L330|SO|||46147|9533|Traona
        A201|ME|1910||38005|15423|Alì Terme|Alì Marina
        G616|PZ|||40746|15874|Pietragalla
        D518|TP|||37930|12330|Favignana
        E750|CO|||45705|8983|Lurago Marinone
        D764|CS|1863||39816|16395|Francavilla Marittima
        B294|PE|1889||42213|13825|Bussi sul Tirino
        I305|PZ|||40249|16270|Sant'Arcangelo
        F856|BZ|1929||46769|11666|Naz-Sciaves|Natz-Schabs
        L190|SV|||44127|8207|Toirano
        C653|CN|1862||44326|7674|Chiusa di Pesio
        I854|VV|1877||38600|16222|Soriano Calabro
        B433|VI|1866||45773|11456|Caltrano
        L780|FR|1871||41694|13417|Veroli
        A817|BS|||45930|10277|Berzo Inferiore
        E773|CS|||39448|16287|Luzzi
        L671|VA|||45774|8704|Varano Borghi|Varano
        C746|RI|||42387|12955|Cittaducale
        C049|AT|||44750|8150|Castagnole delle Lanze
        I242|VE|1866||45507|12036|Santa Maria di Sala
        E079|VA|||45698|8661|Golasecca
        I196|RA|1863||44444|11861|Sant'Agata sul Santerno
        E127|LO|||45206|9454|Graffignana
        H621|CS|||39306|16317|Rovito
        E731|VI|1868||45746|11529|Lugo di Vicenza
        I247|CE|1907||41092|14128|Santa Maria la Fossa
        L874|PZ|||40342|15900|Viggiano
        A562|PI|||43764|10439|San Giuliano Terme|Bagni San Giuliano
        I374|OR|||40141|8655|Santu Lussurgiu
        C145|PC|||44855|9873|Castell'Arquato
        E048|TN|1920||46156|11153|Giovo
        E238|LO|||45107|9685|Guardamiglio
        G122|SU|||39692|9250|Orroli
        B536|UD|1866||46020|13158|Campoformido
        I964|TN|1920||45849|10580|Storo
        L326|PZ|||40319|15788|Tramutola
        E358|VR|1872||45292|11199|Isola Rizza
        F274|BN|1867||41080|14544|Moiano
        H962|CS|||39667|16299|San Lorenzo del Vallo
        I696|MI|1869||45454|9387|Settala
        F730|RM|1871||42117|12772|Moricone
        F832|UD|1867||45818|13128|Muzzana del Turgnano
        D229|MI|||45450|9037|Cusago
        F230|AV|1862||41045|15000|Mirabella Eclano
        C536|MI|1878||45330|9339|Cerro al Lambro
        D311|BZ|1920||46729|12222|Dobbiaco|Toblach
        B387|PV|1895||45042|9078|Lungavilla
        L820|RE|1872||44602|10545|Vezzano sul Crostolo
        B141|LO|||45212|9572|Brembio
        L989|SS|||40503|8471|Villanova Monteleone
        C406|MN|1868||45348|10596|Cavriana
        A853|TO|||44799|7288|Bibiana
        D004|RN|||43969|12601|Coriano
        B154|VR|1870||45700|10761|Brenzone sul Garda|Brenzone|Castelletto di Brenzone
        G150|BS|||45421|9963|Orzivecchi
        F373|BS|||45527|10537|Moniga del Garda|Moniga
        A821|TN|1920||45944|11109|Besenello
        F434|CR|1862||45372|9573|Monte Cremasco
        L598|FR|1871||41444|13406|Vallecorsa
        A819|VA|||45889|8891|Besano
        L723|VI|1867||45788|11368|Velo d'Astico
        C669|RE|1873||44600|10410|Canossa|Ciano d'Enza
        G147|NU|||40408|9370|Orune
        G907|VA|1863||45961|8681|Porto Valtravaglia
        C568|ME|||37845|14713|Cesarò
        C922|VA|||45842|8742|Comerio
        F201|MT|||40568|16500|Miglionico
        H570|LI|1862||43407|10472|Rosignano Marittimo
        M438|PD|2024||45196|11621|Santa Caterina d'Este
        G461|PD|1866||45259|11787|Pernumia
        H423|CE|||41287|13979|Roccamonfina
        L186|PE|1863||42212|13915|Tocco da Casauria
        C396|BG|||45625|9766|Cavernago
        G932|SA|||40628|14484|Positano
        I981|TR|||42512|12648|Stroncone
        B383|SU|||39107|8368|Calasetta
        F496|MC|||43410|13437|Montefano
        B350|TO|||45249|7519|Cafasse
        I874|CZ|1871||39078|16377|Soveria Mannelli
        A038|MN|1868||45164|10433|Acquanegra sul Chiese
        F414|AG|||37391|13352|Montallegro
        A577|VT|1871||42628|12090|Bagnoregio|Bagnorea
        B958|LO|1863||45280|9360|Caselle Lurani
        D105|RO|1867||45052|11696|Costa di Rovigo
        G384|OR|||40085|8764|Paulilatino
        F983|SU|1868||39443|9014|Nuraminis
        L934|PD|1866||45585|11859|Villa del Conte
        A188|BS|||45267|10148|Alfianello
        A737|VR|1867||45382|11211|Belfiore
        F381|AN|1864||43562|13252|Monsano
        D944|AL|||44686|8807|Gavi
        A383|BG|||45936|9930|Ardesio
        L081|PU|||43898|12751|Tavullia|Tomba di Pesaro
        H958|PU|1869||43601|12944|San Lorenzo in Campo
        A791|CO|||45781|8944|Beregazzo con Figliaro|Beregazzo
        C897|VR|1867||45434|11184|Colognola ai Colli
        I950|LE|||40220|18227|Sternatia
        L282|PA|||38130|13235|Torretta
        E323|NU|||40410|9631|Irgoli
        G191|NU|||40234|9045|Ottana
        L466|PG|1875||43207|12075|Tuoro sul Trasimeno|Tuoro
        L690|PV|1872||44823|9198|Varzi
        B710|BG|||45749|9492|Caprino Bergamasco
        L999|TO|1885||45115|7384|Villar Dora
        F716|LE|1865||39847|18311|Morciano di Leuca
        H449|GR|||43009|11168|Roccastrada
        C177|FR|1878||41678|13540|Castelliri
        F263|TN|1920||46377|11659|Moena
        I431|BZ|1920||46641|11354|Sarentino|Sarntal
        L366|MC|||43308|13310|Treia
        H367|TO|||45198|7568|Robassomero
        B009|VC|||45350|8052|Borgo d'Ale
        B822|LE|1863||40195|18338|Carpignano Salentino
        F085|BG|||45671|9498|Medolago
        L115|VA|||45787|8699|Ternate
        B899|LO|1863||45352|9371|Casalmaiocco
        C662|SI|||43014|11948|Chiusi
        L945|AT|1863||44915|8027|Villafranca d'Asti
        H865|BS|1862||45308|10147|San Gervasio Bresciano
        G802|PD|1866||45309|11955|Polverara
        H786|BZ|1920||46732|12279|San Candido|Innichen
        B706|AV|||40960|14777|Capriglia Irpina
        C369|TO|||45152|8049|Cavagnolo
        D327|LC|||45767|9339|Dolzago
        H818|CS|1863||39570|16361|San Demetrio Corone
        L147|TN|1920||46292|11509|Tesero
        I791|OR|||39955|8674|Solarussa
        G764|RI|1875||42204|12881|Poggio Moiano
        D646|TO|||45274|7821|Foglizzo
        D528|AL|||44899|8436|Felizzano
        E132|PC|1862||45012|9571|Gragnano Trebbiense
        G990|AV|1863||40986|14838|Prata di Principato Ultra
        H941|VV|1863||38645|16104|San Gregorio d'Ippona
        M026|SU|||39311|8926|Villaspeciosa
        F221|LE|1864||40090|18421|Minervino di Lecce
        D888|NU|||40385|9612|Galtellì
        F587|TA|||40443|17413|Monteparano
        A015|FG|||41158|15331|Accadia
        E939|CN|||44661|7734|Marene
        A909|PC|||44768|9384|Bobbio
        F461|VR|1880||45482|11254|Montecchia di Crosara
        G196|TO|||45036|6834|Oulx|Ulzio
        E008|RO|1866||45067|11450|Giacciano con Baruchella
        D453|VV|||38490|16298|Fabrizia
        D139|BG|||45661|9931|Credaro
        B213|PD|1866||45297|11992|Brugine
        E226|VI|1866||45517|11672|Grumolo delle Abbadesse
        F533|PU|||43847|12788|Montelabbate
        I410|SA|||40244|15554|Sanza
        A301|LC|1863||45802|9331|Annone di Brianza
        G115|TV|1866||45778|12424|Ormelle
        E003|VB|1862||45953|8604|Ghiffa
        M190|PN|1866||45966|12768|Zoppola
        A683|LC|||45755|9314|Barzago
        E581|LC|||45958|9305|Lierna
        C969|RI|1880||42411|12772|Contigliano
        G653|AR|||43671|12041|Pieve Santo Stefano
        C637|PV|1863||45148|9482|Chignolo Po
        D774|CS|||39834|16264|Frascineto
        F088|TV|1884||45817|12628|Meduna di Livenza
        A175|PV|1872||45187|9274|Albuzzano
        E873|RC|||38363|16239|Mammola
        E287|LC|||45706|9444|Imbersago
        G484|AQ|||41803|13787|Pescasseroli
        G650|PV|1867||45110|9440|Pieve Porto Morone
        L673|RC|||38316|15983|Varapodio
        C563|LC|1863||45817|9300|Cesana Brianza
        D924|BS|||45686|10659|Gargnano
        D430|SU|||39626|9354|Escalaplano
        A265|BN|||41203|14466|Amorosi
        C430|CS|||39310|16340|Celico
        E519|GE|||44353|9311|Leivi|San Rufino
        E330|VT|1872||42544|11758|Ischia di Castro
        A020|PZ|||40794|15938|Acerenza
        M275|SS|1979||40843|9498|Loiri Porto San Paolo
        H890|TO|1863||45336|7798|San Giorgio Canavese
        F898|UD|1866||46207|13268|Nimis
        E877|SU|||39655|9130|Mandas
        A772|KR|1863||39207|16892|Belvedere di Spinello
        I564|OR|||40173|8920|Sedilo
        B044|BO|1884||44282|11597|Borgo Tossignano|Tossignano
        H028|LC|||46052|9421|Premana
        C628|SO|||46267|9849|Chiesa in Valmalenco|Chiesa
        G056|CO|1863||45756|8977|Oltrona di San Mamette
        D383|TS|1928||45750|13673|Duino Aurisina|Devin Nabrežina|Duino Aurisina-Devin Nabrežina|Comune Di Duino Aurisina-Občina Devin Nabrežina
        G630|CE|||41325|14166|Pietravairano
        C187|LC|1928||45759|9345|Castello di Brianza
        C634|CR|||45340|9616|Chieve
        A103|UD|1921||45873|13360|Aiello del Friuli
        D784|BN|1863||41157|14528|Frasso Telesino
        I136|PN|1866||46034|12678|San Quirino
        L654|AO|||45876|7624|Valtournenche|Valtournanche|Valtornenza
        B584|FG|||41136|15515|Candela
        H809|PU|||43767|13073|San Costanzo
        C407|AR|||43520|11487|Cavriglia
        L908|SO|1875||46204|10134|Villa di Tirano
        A198|VC|1862||45369|8073|Alice Castello
        G110|CS|||40053|16447|Oriolo
        I026|KR|1863||39106|16926|San Mauro Marchesato
        I727|PG|||43331|12741|Sigillo
        M342|BL|2014||46266|12300|Longarone
        B235|MI|||45327|9015|Bubbiano
        G485|LC|||45833|9394|Pescate
        L591|CE|1862||41079|14418|Valle di Maddaloni
        F448|AV|1862||41196|15034|Montecalvo Irpino
        C631|PT|1963||43839|10720|Chiesina Uzzanese
        D913|LC|||45773|9301|Garbagnate Monastero
        D967|CN|||44591|7661|Genola
        H247|CN|||44655|7390|Revello
        A931|SV|||44136|8222|Boissano
        I145|BN|1863||41235|14498|San Salvatore Telesino
        E878|CS|||39467|16834|Mandatoriccio
        L402|TV|1866||45737|12067|Trevignano
        I512|CN|||44679|7565|Scarnafigi
        H428|PA|||37808|13637|Roccapalumba
        E213|MT|||40603|16378|Grottole
        D524|TO|||45303|7745|Feletto
        D652|AP|||42821|13633|Folignano
        L975|SV|1863||44047|8143|Villanova d'Albenga
        H897|PD|1882||45589|11807|San Giorgio in Bosco
        D077|AR|||43275|11985|Cortona
        B056|NU|||40216|8804|Borore
        L507|GE|1877||44412|9162|Uscio
        B954|PV|||45008|8927|Casei Gerola
        E343|TE|1863||42503|13657|Isola del Gran Sasso d'Italia
        D546|CZ|1872||38952|16389|Pianopoli
        G036|ME|||38125|15061|Oliveri
        A363|FR|||41578|13586|Arce
        C885|UD|1866||46165|13139|Colloredo di Monte Albano
        M329|AR|2014||43787|11724|Pratovecchio Stia
        I631|BS|||45561|10368|Serle
        A506|GE|1877||44383|9158|Avegno
        L265|BG|||45697|9763|Torre de' Roveri
        A792|PV|1872||45257|9027|Bereguardo
        G120|NU|||40307|9122|Orotelli
        H006|AV|1862||40987|14851|Pratola Serra
        L909|UD|1867||46414|12924|Villa Santina
        L180|SS|||40678|8561|Tissi
        D200|OR|||40188|8568|Cuglieri
        M081|TP|||37869|12828|Vita
        A702|BS|1867||45328|10129|Bassano Bresciano
        E010|BS|||45866|10175|Gianico
        A731|PR|1881||44504|9635|Bedonia
        G126|CO|||45778|9180|Orsenigo
        L841|CN|1863||44364|7863|Vicoforte
        I759|LC|||45773|9322|Sirone
        M002|TO|1890||45045|7468|Villarbasse
        E627|LO|1869||45192|9546|Livraga
        L710|PD|1866||45447|11713|Veggiano
        M182|GE|||44337|9267|Zoagli
        H063|LC|||45984|9438|Primaluna
        M378|SI|2017||43054|11489|Montalcino
        B513|CO|||45968|8972|Campione d'Italia|Campione
        L019|LI|||43077|10677|Suvereto
        H338|TO|||45330|7649|Rivara
        B046|VC|1869||45357|8465|Borgo Vercelli
        B375|BL|1866||46446|12382|Calalzo di Cadore|Calalzo
        G933|TV|1866||45848|11885|Possagno
        D338|AO|||45603|7775|Donnas|Donnaz|Donas
        F986|SU|||39711|9230|Nurri
        D361|CE|||41276|14304|Dragoni
        A293|BS|||45892|10150|Angolo Terme|Angolo
        D492|NO|1863||45554|8457|Fara Novarese
        A578|BS|||45825|10462|Bagolino
        I281|AV|||40929|15175|Sant'Angelo dei Lombardi
        D292|SA|1862||40379|15540|Teggiano
        B628|TO|||44946|7330|Cantalupa
        A202|PA|||37693|14114|Alimena
        B303|PI|1867||43729|10584|Buti
        E040|AQ|1863||41957|13691|Gioia dei Marsi
        F454|MC|||43365|13440|Montecassiano
        F139|FC|||43963|12196|Mercato Saraceno
        G263|PA|||37681|13379|Palazzo Adriano
        H807|VV|1864||38633|16076|San Costantino Calabro
        F266|UD|1866||46411|13201|Moggio Udinese
        B848|PD|1866||45268|11857|Cartura
        I730|NU|||40287|8892|Silanus
        B460|AG|||37254|13792|Camastra
        D867|FC|||43996|11911|Galeata
        M144|BG|||45686|9858|Zandobbio
        C875|CB|||41662|14968|Colletorto
        G976|SA|||40612|14525|Praiano
        H372|CR|1862||45259|10077|Robecco d'Oglio
        B145|BZ|1920||47006|11506|Brennero|Brenner|Colle Isarco|Gossensass
        G450|SS|||40832|8884|Perfugas
        A108|AO|||45701|7247|Aymavilles|Aymaville|Aimavilla
        C456|BG|||45713|9822|Cenate Sopra
        F336|AT|||45051|8263|Moncalvo
        H470|MI|1869||45476|9353|Rodano
        A874|BA|||41023|16710|Binetto
        B576|RM|1873||42136|12103|Canale Monterano
        C269|VT|1871||42251|12370|Castel Sant'Elia
        G735|RC|1895||38221|16045|Platì
        E812|RI|1863||42366|12485|Magliano Sabina
        I666|SA|||40583|15186|Serre
        I743|OR|||39930|8690|Simaxis
        E709|PD|1867||45294|11605|Lozzo Atestino
        I384|OR|||40014|8598|San Vero Milis
        E283|NU|1878||39893|9546|Ilbono
        C555|LO|||45374|9424|Cervignano d'Adda|Cervignano
        H880|FR|1863||41406|13760|San Giorgio a Liri
        A226|SV|||44336|8334|Altare
        A096|MB|1909||45640|9415|Aicurzio
        B664|BS|||46030|10343|Capo di Ponte
        I451|SA|||40340|15566|Sassano
        L593|PV|1863||45151|8670|Valle Lomellina
        A795|RO|1866||45061|11252|Bergantino
        E662|PV|||45120|8796|Lomello
        H767|CR|||45244|9810|San Bassano
        E474|PZ|||40089|16009|Latronico
        D895|FI|1917||43536|10952|Gambassi Terme|Gambassi
        D917|BS|||45624|10567|Gardone Riviera
        H342|MN|1868||45073|10437|Rivarolo Mantovano|Rivarolo Fuori
        B504|PG|1863||42827|12769|Campello sul Clitunno
        D861|ME|1863||38032|14771|Galati Mamertino
        C673|GE|||44407|9239|Cicagna
        I086|ME|||38052|14968|San Piero Patti|San Pietro Sopra Patti
        B017|LO|1866||45278|9435|Borgo San Giovanni|Borgo Littorio|Cazzimani
        M264|LE|1975||40056|18334|San Cassiano
        B365|BS|||45609|10313|Caino
        G039|SA|1863||40690|15233|Oliveto Citra
        G805|TO|||45152|8047|Pomaretto
        B669|LI|1906||42746|10378|Capoliveri
        L957|TN|1920||45918|11033|Villa Lagarina
        C984|SA|||40723|14592|Corbara
        L231|NU|||40628|9679|Torpè
        F820|BS|1866||45562|10462|Muscoline
        G445|NU|||39680|9441|Perdasdefogu
        A240|CS|||39699|16130|Altomonte
        B016|NO|||45319|8699|Borgolavezzaro
        B858|CB|||41738|14847|Casacalenda
        C971|AV|||40868|14777|Contrada
        E338|AT|1863||44833|8180|Isola d'Asti
        L740|PA|1863||37924|13568|Ventimiglia di Sicilia
        L202|NU|||40025|9172|Tonara
        E544|NO|||45821|8560|Lesa
        M007|TO|||45112|7238|Villar Focchiardo
        E761|RO|1866||45098|11665|Lusia
        F692|RM|1871||42137|12804|Montorio Romano
        C584|SA|||40648|14701|Cetara
        A409|VB|1928||45957|8583|Arizzano
        B778|CO|||45707|9108|Carimate
        H301|OR|||39994|8541|Riola Sardo|Riola
        E457|BZ|1920||46618|10698|Lasa|Laas
        E295|AT|1863||44808|8376|Incisa Scapaccino|Incisa Belbo
        C724|CO|||45700|9013|Cirimido
        I765|SU|1927||39600|9187|Siurgus Donigala
        B907|MN|1868||45254|10477|Casaloldo
        G001|BS|||45646|10383|Odolo
        L428|SS|1958||40984|8916|Trinità d'Agultu e Vignola
        A722|NU|||40031|9664|Baunei
        B570|BZ|1920||46908|11960|Campo Tures|Sand in Taufers
        G929|NU|||40632|9719|Posada
        H984|BN|||41309|14879|San Marco dei Cavoti
        M372|PV|2016||45158|9372|Corteolona e Genzone
        A820|MI|||45313|8970|Besate
        I941|AL|||44727|8868|Stazzano
        L440|PV|||45258|9043|Trivolzio
        A369|GR|||42872|11536|Arcidosso
        C232|AT|||45041|7964|Castelnuovo Don Bosco|Castelnuovo d'Asti
        B266|SA|||40269|15621|Buonabitacolo
        F967|SA|1862||40223|15286|Novi Velia
        A918|VA|||45789|8751|Bodio Lomnago|Lomnago
        E569|CO|||45944|9185|Lezzeno
        F117|LE|||40156|18292|Melpignano
        L808|NO|||45350|8669|Vespolate
        I394|CH|1863||42290|14443|San Vito Chietino
        D159|LO|1879||45351|9577|Crespiatica
        D671|AV|||41018|15021|Fontanarosa
        I182|SU|||39094|8713|Santadi
        D568|RO|1866||44954|11437|Ficarolo
        G779|BS|||45661|10124|Polaveno
        M274|SS|1979||40983|9633|Golfo Aranci
        E851|BS|||45951|10274|Malegno
        F696|VI|1866||45491|11360|Montorso Vicentino
        B501|MB|||45655|9323|Camparada
        D998|AV|||41006|15073|Gesualdo
        G808|TN|1920||45928|11043|Pomarolo
        D049|CZ|||38840|16410|Cortale
        H842|ME|||38170|15273|San Filippo del Mela
        C262|SA|||40420|15225|Castel San Lorenzo
        H977|SA|1862||40700|14839|San Mango Piemonte
        G349|NO|1877||45748|8515|Paruzzaro
        C525|BN|1863||41283|14561|Cerreto Sannita
        A810|UD|1866||45945|13056|Bertiolo
        C315|VT|1871||42651|12203|Castiglione in Teverina
        C480|EN|||37810|14507|Cerami
        G107|LO|1863||45162|9554|Orio Litta
        E841|BS|1884||45448|10080|Mairano
        A575|MN|1866||45089|10877|Bagnolo San Vito
        F994|RO|1866||44922|11581|Occhiobello
        F147|ME|||38166|15250|Merì
        G784|RM|1871||41889|12890|Poli
        L556|BI|||45567|8138|Valdengo
        F190|TV|1866||45943|12092|Miane
        L866|LC|||45725|9325|Viganò
        H134|VI|1867||45575|11628|Quinto Vicentino
        I597|BG|||45785|9753|Selvino
        A696|BN|||41393|14974|Baselice
        D614|CS|||39722|16163|Firmo
        M086|VT|1871||42466|12172|Vitorchiano
        L887|AL|||44708|8890|Vignole Borbera
        C538|VR|1867||45574|11042|Cerro Veronese
        A779|CN|1862||44543|7827|Bene Vagienna
        D654|TV|1866||45954|12120|Follina
        A177|ME|1868||38021|14701|Alcara li Fusi
        F393|SO|||46178|9903|Montagna in Valtellina|Montagna
        I643|AN|||43542|13036|Serra de' Conti
        E380|CR|||45356|9751|Izano
        H287|FG|1862||41679|15588|Rignano Garganico
        I753|RC|||38263|15877|Sinopoli
        B229|BI|||45590|8252|Brusnengo
        E239|CZ|||38505|16507|Guardavalle
        F317|NO|||45574|8554|Momo
        L073|BG|1863||45708|10045|Tavernola Bergamasca
        M093|BN|||41174|14648|Vitulano
        G949|UD|1866||46116|13292|Povoletto
        E925|CZ|||38926|16488|Marcellinara
        F603|VT|1871||42267|11897|Monte Romano
        C027|AL|||44752|8529|Cassine
        C181|VA|1863||45948|8666|Castelveccana|Castello Valtravaglia
        I418|PD|1866||45365|11985|Saonara
        A781|SS|||40457|9168|Benetutti
        B740|NA|1862||40874|14579|Carbonara di Nola
        B901|MN|1868||45261|10411|Casalmoro
        E971|FI|||44074|11611|Marradi
        L897|PC|||44914|9669|Vigolzone
        H377|CN|||44293|7514|Robilante
        I813|BG|||45679|9491|Solza
        E305|LC|||45974|9450|Introbio
        G365|VR|1866||45496|10799|Pastrengo
        B500|CS|||39414|16822|Campana
        I125|RM|1871||42010|12840|San Polo dei Cavalieri
        I761|LC|||45737|9331|Sirtori
        A223|PC|||44898|9964|Alseno
        G233|BG|||45534|9671|Pagazzano
        I236|PV|1872||45149|9160|Travacò Siccomario
        L478|ME|||37984|14236|Tusa
        D686|BL|1866||46016|11799|Fonzaso
        I953|RO|1866||44940|11544|Stienta
        D825|ME|||38104|15124|Furnari
        C987|RO|1866||45003|12086|Corbola
        M187|LE|||40206|18248|Zollino
        C558|CE|||41040|14424|Cervino
        E959|BZ|1920||46653|11145|Marlengo|Marling
        B686|CR|1868||45444|9644|Capralba
        H245|CL|||37679|14029|Resuttano
        I243|LC|||45744|9374|Santa Maria Hoè
        L938|BG|1929||45905|9931|Villa d'Ogna
        E910|UD|1893||45764|13167|Marano Lagunare
        B735|VT|1871||42330|12265|Carbognano
        D788|RO|1867||45028|11643|Fratta Polesine
        I284|RM|1885||42036|12713|Sant'Angelo Romano
        G259|BG|||45753|9534|Palazzago
        A749|RM|1880||41882|13029|Bellegra
        G408|TV|1866||45876|11950|Pederobba
        A017|MT|||40491|16158|Accettura
        G809|NO|||45656|8628|Pombia
        H969|VT|1871||42686|11907|San Lorenzo Nuovo
        F354|GE|||44239|9491|Moneglia
        E714|AG|1863||37578|13306|Lucca Sicula
        E400|OR|||39853|9052|Laconi
        G095|VI|1866||45334|11460|Orgiano
        G718|SO|||46330|9421|Piuro
        L062|AV|||41011|14960|Taurasi
        F669|CN|1878||44719|7943|Monticello d'Alba
        G368|LC|||45952|9444|Pasturo
        F125|CS|||39263|16195|Mendicino
        E808|CN|1862||44458|7819|Magliano Alpi
        F718|BO|1865||44397|11808|Mordano
        I308|KR|||39148|16911|Santa Severina
        F941|BG|1928||45866|9884|Ponte Nossa|Nossa
        I501|AQ|||41904|13880|Scanno
        G681|TN|1920||46160|10764|Pinzolo
        F581|AN|1882||43603|13062|Ostra Vetere
        H907|SA|||40052|15446|San Giovanni a Piro
        A357|OR|1931||39773|8581|Arborea|Mussolinia di Sardegna
        C199|PZ|||40002|15981|Castelluccio Inferiore
        E934|PV|||45253|9079|Marcignago
        G228|CN|||44683|7276|Paesana
        I329|SS|1959||40774|9669|San Teodoro
        D562|TO|||45216|7526|Fiano
        E953|CL|||37598|13915|Marianopoli
        A520|TN|1920||45734|10939|Avio
        H097|AV|||40949|14639|Quadrelle
        D854|TV|1869||45881|12481|Gaiarine
        G303|TO|||44833|7586|Pancalieri
        D324|TS|1921||45601|13859|San Dorligo della Valle|Dolina|San Dorligo della Valle-Dolina|Comune Di San Dorligo Della Valle-Občina Dolina
        A689|AL|||44769|8705|Basaluzzo
        C198|FG|||41305|15476|Castelluccio dei Sauri
        I956|RC|||38476|16467|Stilo
        G658|VB|1928||46013|8261|Pieve Vergonte
        A719|PA|||37925|13536|Baucina
        C853|PE|||42460|14016|Collecorvino
        A431|BN|||41037|14552|Arpaia
        L309|UD|1940||45823|13280|Torviscosa
        E862|BZ|1928||46688|10547|Malles Venosta|Mals
        B967|RE|||44510|10500|Casina
        I436|MC|||43035|13298|Sarnano
        A101|AV|1864||40888|14821|Aiello del Sabato
        A591|TO|1863||45068|7813|Baldissero Torinese
        E025|RC|||38440|16149|Giffone
        E052|CH|||42018|14545|Gissi
        I611|CO|1863||45763|9111|Senna Comasco
        A259|BG|||45720|9550|Ambivere
        A572|LE|1862||40149|18352|Bagnolo del Salento
        E836|VV|||38711|16175|Maierato
        B169|VV|||38723|16027|Briatico
        B758|CZ|||38654|16387|Cardinale
        F491|AV|||40962|14883|Montefalcione
        L392|SO|1867||46176|9943|Tresivio
        G248|BS|||45552|10402|Paitone
        E850|TN|1920||46354|10912|Malé
        A252|FM|||42978|13355|Amandola
        B361|CE|||41305|14085|Caianello
        F203|CE|||41406|13986|Mignano Monte Lungo|Mignano
        G227|BN|||41168|14887|Paduli
        H467|FG|||41103|15460|Rocchetta Sant'Antonio
        D921|NO|||45729|8425|Gargallo
        H593|PC|||45055|9550|Rottofreno
        L859|PZ|1863||40600|15508|Vietri di Potenza
        E600|PV|1872||45162|9270|Linarolo
        H320|CH|||42366|14244|Ripa Teatina
        G980|BI|||45590|8040|Pralungo
        B794|PO|||43810|11015|Carmignano
        C974|SA|||40650|15242|Contursi Terme|Contursi
        E482|PZ|||40459|15971|Laurenzana
        A115|SS|1864||40650|9328|Alà dei Sardi
        E983|CR|1863||45011|10380|Martignana di Po
        L454|MI|1869||45485|9470|Truccazzano
        F703|VA|||45858|8631|Monvalle
        E397|AV|||41050|15422|Lacedonia
        L501|MC|||43193|13375|Urbisaglia|Urbisaglia Bonservizi
        B892|BO|||44297|11624|Casalfiumanese
        F363|BO|||44223|11323|Monghidoro
        G418|BG|||45799|9899|Peia
        B237|SR|||37125|14852|Buccheri
        C318|AR|1863||43527|11762|Castiglion Fibocchi
        B024|TO|1863||45123|7236|Borgone Susa
        F779|RC|||38010|15713|Motta San Giovanni
        G557|PC|1862||44947|9405|Pianello Val Tidone
        L713|VT|1872||42219|12094|Vejano
        L769|TN|1920||46297|10691|Vermiglio
        C756|TN|1920||46091|11185|Civezzano
        E844|BO|||44719|11532|Malalbergo
        I561|LO|||45231|9594|Secugnago
        G496|PZ|||40835|15399|Pescopagano
        I322|CZ|1863||38776|16461|Vallefiorita
        L687|BZ|1920||46739|11637|Varna|Vahrn
        C048|TO|1864||44898|7566|Castagnole Piemonte
        F567|MC|1862||43266|13348|Pollenza
        D062|CN|||44580|8194|Cortemilia
        H020|BG|||45681|10013|Predore
        F148|PD|1866||45167|11445|Merlara
        I365|IM|||43839|7897|Santo Stefano al Mare
        I605|OR|||40081|8614|Seneghe
        L691|VB|||46207|8253|Varzo
        G275|PV|||45303|8533|Palestro
        H627|TO|||45136|7384|Rubiana
        B153|TN|1920||45819|10955|Brentonico
        E061|LE|||40124|18432|Giurdignano
        C033|MI|1862||45422|8906|Cassinetta di Lugagnano
        H967|BN|||41249|14624|San Lorenzo Maggiore
        I990|AV|||41022|15112|Sturno
        G020|NO|||45749|8527|Oleggio Castello
        G184|FE|||44746|11943|Ostellato
        H982|ME|1867||38073|14701|San Marco d'Alunzio
        F084|MI|1869||45395|9332|Mediglia
        C484|PV|||45260|9243|Ceranova
        D696|PZ|||40860|15855|Forenza
        G871|LT|||40895|12959|Ponza
        H918|CR|||45074|10373|San Giovanni in Croce
        H315|CR|1928||45332|9692|Ripalta Cremasca
        B440|PZ|||40475|15851|Calvello
        B644|SA|||40424|15080|Capaccio Paestum|Capaccio
        F552|MC|||43343|13571|Montelupone
        F987|AO|||45740|7467|Nus
        B804|ME|||38024|14441|Caronia
        L108|BZ|1920||46532|11247|Terlano|Terlan
        F749|MC|||43318|13595|Morrovalle
        G639|PV|1890||45049|8803|Pieve del Cairo
        G746|MS|1881||44206|9942|Podenzana
        G403|FM|||43098|13841|Pedaso
        C297|CT|1862||37882|15122|Castiglione di Sicilia
        B982|RA|||44224|11625|Casola Valsenio
        D977|PA|1863||37859|14153|Geraci Siculo
        F073|NU|1862||39945|9074|Meana Sardo
        E182|CN|||44653|7995|Grinzane Cavour|Grinzane
        F423|LO|1870||45335|9466|Montanaso Lombardo
        G166|LO|1863||45169|9579|Ospedaletto Lodigiano
        L435|CB|||41770|14546|Trivento
        L802|KR|||39313|16856|Verzino
        I175|PV|1863||45158|9400|Santa Cristina e Bissone
        I559|LE|||40119|18109|Seclì
        M261|LE|1975||40007|18426|Castro
        D932|CZ|||38740|16507|Gasperina
        I748|NU|||40295|8657|Sindia
        B150|VA|||45894|8684|Brenta
        A630|BS|||45405|10054|Barbariga
        C487|TO|||44862|7498|Cercenasco
        C979|PV|||45198|9325|Copiano
        E931|LI|1894||42803|10195|Marciana Marina
        A551|RA|1863||44389|11827|Bagnara di Romagna
        F626|FM|||43190|13577|Monte San Pietrangeli
        F840|OR|||40048|8576|Narbolia
        G648|LU|||44131|10410|Pieve Fosciana
        F134|VA|||45748|8670|Mercallo
        F988|AV|||40888|15092|Nusco
        H989|BZ|1920||46784|11227|San Martino in Passiria|St. Martin in Passeier|San Martino|St. Martin
        A658|GE|||44448|9094|Bargagli
        I653|AN|||43446|13023|Serra San Quirico
        E429|BL|1866||46047|11750|Lamon
        E106|BG|||45862|9842|Gorno
        G954|IS|||41511|14063|Pozzilli
        A847|VC|||45308|8122|Bianzè
        G342|PV|||45282|8751|Parona
        I937|CZ|||38764|16539|Stalettì
        G571|VT|1871||42524|11830|Piansano
        E414|SV|||43976|8158|Laigueglia
        M183|MO|1880||44346|10993|Zocca
        D386|BN|||41063|14449|Durazzano
        L030|BL|1866||46298|12013|Taibon Agordino|Taibon
        D119|AT|||44785|8184|Costigliole d'Asti
        D864|RC|||38461|16108|Galatro
        H324|FR|1871||41614|13424|Ripi
        I193|FG|1862||41151|15380|Sant'Agata di Puglia
        I448|NU|||40228|9166|Sarule
        E820|UD|1867||46224|13195|Magnano in Riviera
        I801|MN|1868||45372|10566|Solferino
        D674|TV|1866||45833|12466|Fontanelle
        D613|FI|||44120|11382|Firenzuola
        D860|BZ|1920||46837|11949|Gais|Gais
        H691|TO|||45362|7683|Salassa
        A400|RO|1867||44946|12124|Ariano nel Polesine
        L589|AV|||41040|15254|Vallata
        F667|SS|||40807|9326|Monti
        G145|AQ|||41955|13647|Ortucchio
        I118|CA|||39036|8997|Villa San Pietro|San Pietro Pula
        A490|TR|||42515|12295|Attigliano
        C091|CT|1934||37495|14647|Castel di Iudica
        C968|PA|1875||37730|13184|Contessa Entellina
        D484|BZ|1920||46814|11883|Falzes|Pfalzen
        E321|VV|||38630|16061|Ionadi|Jonadi
        E679|CO|1863||45814|9251|Longone al Segrino
        B477|CE|||41181|14210|Camigliano
        D794|TV|1866||46008|12339|Fregona
        F968|MI|1870||45359|9052|Noviglio
        F980|OR|||39975|8540|Nurachi
        E718|AR|||43273|11746|Lucignano
        F216|BS|||45274|10199|Milzano
        I271|SU|||39479|9170|Sant'Andrea Frius
        H409|TA|||40437|17390|Roccaforzata
        A568|PD|1867||45187|11884|Bagnoli di Sopra
        A275|TO|||45034|7866|Andezeno
        F841|SU|||39168|8675|Narcao
        M070|BS|||45317|10371|Visano
        B431|NO|1866||45521|8586|Caltignaga
        G323|RO|1866||44986|12031|Papozze
        H029|UD|1870||46061|13395|Premariacco
        E055|PA|||37673|13237|Giuliana
        F367|AO|||45708|7674|Montjovet|Mongiove
        F726|AO|||45757|7041|Morgex|Valdigna d'Aosta
        M204|VV|||38657|15984|Zungri
        D344|SU|||39432|9127|Donori
        C580|TV|1866||45714|12613|Cessalto
        D411|BG|||45708|9873|Entratico
        I797|SU|||39348|9181|Soleminis
        A061|VR|1866||45553|10786|Affi
        F196|CH|||42358|14292|Miglianico
        H128|AV|||40865|14647|Quindici
        H313|CB|||41611|14663|Ripalimosani|Ripalimosano
        C651|SO|||46167|9986|Chiuro
        E505|AQ|1863||41934|13684|Lecce nei Marsi
        G829|SO|1864||46175|9978|Ponte in Valtellina
        B891|CR|||45408|9629|Casaletto Vaprio
        H819|AQ|1863||42290|13555|San Demetrio ne' Vestini
        G682|PU|||43588|12510|Piobbico
        A255|CZ|||38794|16448|Amaroni
        G370|AV|1864||40973|15032|Paternopoli
        A804|MI|1862||45479|8818|Bernate Ticino
        H678|BO|1862||44614|11257|Sala Bolognese
        A435|RO|1868||45010|11740|Arquà Polesine
        D429|MC|1862||43252|12949|Esanatoglia
        E652|BS|||45720|10278|Lodrino
        G827|BN|1913||41216|14698|Ponte
        H268|CE|||41262|14150|Riardo
        L972|AL|1878||45181|8478|Villanova Monferrato
        I747|ME|||38082|14850|Sinagra
        D645|GO|1921||45866|13482|Fogliano Redipuglia|Fogliano di Monfalcone|Fogliano
        E700|NU|||39969|9664|Lotzorai
        F534|RM|1871||41651|13040|Montelanico
        M265|PN|1971||46145|12696|Vajont
        I162|CO|2003||46066|9269|San Siro
        D545|RC|||38466|16070|Feroleto della Chiesa
        E647|NU|||40591|9539|Lodè
        M057|CB|||41493|14592|Vinchiaturo
        I084|ME|1873||38160|15350|San Pier Niceto
        B238|CH|||42304|14184|Bucchianico
        L327|TO|||45039|7421|Trana
        M030|OR|||39885|8778|Villaurbana
        E013|PA|||38087|13156|Giardinello
        H590|PZ|||39952|16039|Rotonda
        M339|VA|2014||46044|8734|Maccagno con Pino e Veddasca
        B689|BO|1882||44343|11206|Marzabotto
        H688|TP|||37757|13010|Salaparuta
        A072|AT|||44790|8250|Agliano Terme|Agliano
        E984|LE|||40238|18256|Martignano
        G614|PZ|1887||40543|15640|Satriano di Lucania
        I652|NA|||40715|13896|Serrara Fontana
        I673|BL|1881||46059|11787|Sovramonte
        A347|AV|1862||40987|15475|Aquilonia
        E280|BS|||45736|10473|Idro
        H321|AP|||43000|13762|Ripatransone
        D143|LC|||45739|9301|Cremella
        L007|NO|||45631|8544|Suno
        D022|CN|1862||44736|7957|Corneliano d'Alba
        I578|TV|1866||45917|11956|Segusino
        C429|FG|1862||41560|14979|Celenza Valfortore
        F736|VA|1871||45745|8750|Mornago
        F911|PG|1863||43114|12789|Nocera Umbra
        G011|SA|1862||40351|15046|Ogliastro Cilento
        L089|TN|1920||46070|11480|Telve
        L959|CL|||37655|13845|Villalba
        B374|AV|||40783|15223|Calabritto
        I444|FC|||43920|12143|Sarsina
        F568|PZ|||41027|15967|Montemilone
        A684|BG|||45733|9568|Barzana
        G966|UD|1867||45985|13197|Pozzuolo del Friuli
        A919|LO|1863||45359|9496|Boffalora d'Adda
        E804|PV|||45224|9329|Magherno
        F721|SS|||40547|8833|Mores
        C394|LO|1869||45283|9599|Cavenago d'Adda
        B218|CO|||45821|9099|Brunate
        B712|GO|1921||45941|13514|Capriva del Friuli|Capriva di Cormons|Capriva
        C640|PN|1866||45845|12712|Chions
        E620|NA|||40904|14565|Liveri
        H787|GO|1921||45798|13466|San Canzian d'Isonzo|San Canziano
        A540|VR|1866||45565|11152|Badia Calavena
        L085|VE|1868||45816|12884|Teglio Veneto
        B306|AT|||45022|7951|Buttigliera d'Asti
        F281|AL|||44618|8600|Molare
        I851|NU|||40026|9102|Sorgono
        L426|CR|||45330|9814|Trigolo
        F926|SV|||44206|8415|Noli
        I447|PV|1863||45114|8667|Sartirana Lomellina
        C283|AV|1862||40930|14986|Castelvetere sul Calore|Castelvetere di Calore
        E742|SU|||39649|8900|Lunamatrona
        G311|BN|||41011|14703|Pannarano
        H739|SU|||39483|9035|Samatzai
        H952|BZ|1928||46813|11246|San Leonardo in Passiria|St. Leonhard in Passeier
        I996|LC|||45817|9312|Suello
        H547|TO|||45246|7964|Rondissone
        H068|CN|||44786|8064|Priocca
        L552|BZ|1920||46760|12030|Valdaora|Olang
        C073|TV|1866||45830|11883|Castelcucco
        D351|MN|1868||44953|10636|Dosolo
        D537|AO|||45735|7495|Fénis
        D486|MO|||44212|10797|Fanano
        D767|VV|||38617|16100|Francica
        G798|BI|||45580|8006|Pollone
        B896|CH|||42297|14135|Casalincontrada
        G108|BG|1863||45675|9691|Orio al Serio
        L206|CS|1864||39504|16161|Torano Castello
        M173|TN|1920||46286|11565|Ziano di Fiemme|Ziano
        F767|GO|1921||45937|13549|Mossa
        I783|VI|1866||45820|11718|Solagna
        M043|GO|1921||45865|13444|Villesse
        D813|AL|||44839|8682|Frugarolo
        C576|AV|||40897|14828|Cesinali
        A179|BZ|1920||46366|11355|Aldino|Aldein|Valdagno|Valdagno di Trento
        A799|BS|||45503|10034|Berlingo
        A805|CN|||44385|7436|Bernezzo
        E803|NO|||45689|8422|Maggiora
        H485|SA|||40213|15428|Rofrano
        C227|SI|||43345|11500|Castelnuovo Berardenga
        H714|VR|1866||45240|11095|Salizzole
        C117|TR|||42707|11977|Castel Giorgio
        C298|CH|1863||41868|14450|Castiglione Messer Marino
        F561|LC|||45772|9455|Monte Marenzo
        F494|BN|1863||41324|15009|Montefalcone di Val Fortore
        L720|PV|1872||45269|9101|Vellezzo Bellini
        M388|AL|2018||44766|8862|Cassano Spinola
        I029|MT|1864||40483|16252|San Mauro Forte
        E997|AV|1862||40901|14584|Marzano di Nola
        H821|BI|||45522|8077|Sandigliano
        M132|FG|||41477|15124|Volturino
        H533|UD|1866||45808|12995|Ronchis
        B616|LE|||40166|18365|Cannole
        C613|SS|||40748|8821|Chiaramonti
        C614|TV|1866||45730|12572|Chiarano
        I929|CZ|||38781|16512|Squillace
        E104|VA|||45742|8860|Gornate Olona|Gornate Inferiore
        E258|MI|||45374|9000|Gudo Visconti
        I319|PD|1866||45187|11712|Sant'Elena
        A057|BG|||45702|9949|Adrara San Martino
        E264|MO|1880||44424|10961|Guiglia
        D841|CR|1928||45158|10116|Gadesco-Pieve Delmona
        C329|LO|1902||45257|9405|Castiraga Vidardo
        F582|CH|||42085|14654|Monteodorisio
        C655|TO|1863||45104|7327|Chiusa di San Michele
        D216|NO|||45675|8460|Cureggio
        F098|GE|||44446|8749|Mele
        A414|NO|||45821|8446|Armeno
        E798|LT|1871||41524|13183|Maenza
        F762|AV|||40873|14656|Moschiano
        G201|NU|||40095|9161|Ovodda
        H844|LO|||45138|9721|San Fiorano
        B917|FG|1862||41595|15110|Casalvecchio di Puglia
        A054|FR|1871||41791|13174|Acuto
        F305|CO|||45860|9098|Moltrasio
        G881|TR|||42681|12103|Porano
        H652|MN|1868||44998|10488|Sabbioneta
        A960|OR|||40098|8655|Bonarcado
        I320|CB|1863||41620|14875|Sant'Elia a Pianisi
        B650|CR|1869||45339|9645|Capergnanica
        C492|AQ|||42064|13600|Cerchio
        C958|PV|||45331|8559|Confienza
        A619|VA|||45840|8757|Barasso
        F153|SO|||46304|9378|Mese
        F717|BN|||41343|14669|Morcone
        I393|CZ|1863||38707|16409|San Vito sullo Ionio
        B959|SA|1863||40173|15543|Caselle in Pittari
        F607|VV|1863||38717|16291|Monterosso Calabro
        A256|FR|1872||41467|13335|Amaseno
        A319|CO|1863||45770|9198|Anzano del Parco
        F489|CL|1868||37454|13817|Montedoro
        H753|TO|||45449|7842|Samone
        L002|BS|||45687|10100|Sulzano
        F836|BZ|1920||46543|11206|Nalles|Nals
        G529|BS|||45776|10236|Pezzaze
        B326|VA|1928||45959|8843|Cadegliano-Viconago
        C819|BI|||45686|8183|Coggiola
        F006|PZ|||40909|15829|Maschito
        F278|SA|1863||40247|15269|Moio della Civitella
        I771|BZ|1920||46665|10583|Sluderno|Schluderns
        B900|CR|1867||45288|9899|Casalmorano
        I264|AV|1863||40845|15370|Sant'Andrea di Conza
        A074|TO|||45368|7768|Agliè
        C796|VA|||45863|8931|Clivio
        D475|VT|1874||42226|12445|Faleria
        F618|SA|1862||40344|15542|Monte San Giacomo
        H953|BN|||41074|14757|San Leucio del Sannio|San Leucio
        C197|CB|1885||41828|14711|Castelmauro
        F093|NO|||45791|8538|Meina
        H744|PT|1864||44104|11000|Sambuca Pistoiese
        B071|AL|1863||44824|8680|Bosco Marengo
        F202|GE|||44527|8914|Mignanego
        G836|RO|1866||45020|11813|Pontecchio Polesine|Pontecchio
        D651|TN|1920||45915|11168|Folgaria
        I591|BZ|1920||46555|11760|Selva di Val Gardena|Wolkenstein in Gröden|Selva|Wolkenstein|Selva in Gardena
        H861|VC|1891||45351|8247|San Germano Vercellese
        L061|AV|||40884|14634|Taurano
        G521|BI|1880||45613|8104|Pettinengo
        H207|TO|||45052|7428|Reano
        A955|VT|1871||42483|12250|Bomarzo
        B974|CO|1882||45839|9226|Caslino d'Erba
        I005|MN|1868||45097|10518|San Martino dall'Argine
        L613|SU|||39364|8796|Vallermosa
        D827|SU|||39563|8948|Furtei
        M028|VC|||45386|8433|Villata
        I626|BL|1866||45996|11856|Seren del Grappa|Seren
        A337|SO|1924||46152|10149|Aprica
        D576|BS|||45232|10324|Fiesse
        F208|OR|||40050|8637|Milis
        F453|AN|||43528|13067|Montecarotto
        H437|FC|||44059|11843|Rocca San Casciano
        L010|LE|||40028|18346|Surano
        F745|AN|1863||43600|13213|Morro d'Alba
        G551|PU|||43723|12409|Piandimeleto
        H001|NO|1863||45651|8373|Prato Sesia
        E976|PZ|||40424|15735|Marsico Nuovo
        D503|VT|1871||42549|11726|Farnese
        H641|PZ|||40717|15684|Ruoti
        B437|SA|||40776|14827|Calvanico
        F625|SA|1862||40276|15704|Montesano sulla Marcellana
        I348|TE|||42790|13789|Sant'Omero
        I503|OR|1862||40215|8587|Scano di Montiferro
        M152|PV|1871||45258|9201|Zeccone
        A495|SA|||40561|15423|Auletta
        G631|BN|||41199|14844|Pietrelcina
        A292|VR|1866||45223|11277|Angiari
        H607|TN|1920||46250|11172|Roverè della Luna
        L572|LO|||45257|9336|Valera Fratta
        E320|FE|1909||44883|11979|Jolanda di Savoia|Le Venezie
        A043|VV|||38557|16188|Acquaro
        A157|TO|1863||45434|7948|Albiano d'Ivrea
        E022|SU|1866||39072|8636|Giba|Villarios Masainas
        E475|CS|||39451|16127|Lattarico
        D318|IM|||43850|7624|Dolceacqua
        B948|PG|||42718|13017|Cascia
        C588|CS|||39517|15942|Cetraro
        C812|PD|1866||45266|12100|Codevigo
        G936|BZ|1920||46609|11193|Postal|Burgstall
        H481|MN|1868||45199|10625|Rodigo
        L359|RO|1866||45029|11459|Trecenta
        D296|IM|1871||43924|8066|Diano Castello
        G285|LE|||40131|18379|Palmariggi
        C325|SO|1863||46173|9800|Castione Andevenno
        M140|CZ|||39000|16664|Zagarise
        C359|BN|||41150|14644|Cautano
        E201|SO|||46282|10259|Grosotto
        G257|CB|||41888|14788|Palata
        I082|GO|1921||45845|13468|San Pier d'Isonzo|San Pietro dell'Isonzo
        A340|CS|||39242|16340|Aprigliano
        C410|BG|1863||45811|9885|Cazzano Sant'Andrea
        A809|FC|||44149|12136|Bertinoro
        G891|UD|1866||45857|13217|Porpetto
        I392|BL|1867||46463|12206|San Vito di Cadore
        M050|BG|1927||45998|10094|Vilminore di Scalve
        G331|CS|||39161|16411|Parenti
        H964|GO|1921||45930|13525|San Lorenzo Isontino|San Lorenzo di Mossa
        C254|BZ|1920||46567|11561|Castelrotto|Kastelruth
        D689|RI|||42298|12595|Forano
        H422|PA|||37838|13155|Roccamena
        L058|TV|1866||45977|12229|Tarzo
        L088|SS|1963||40876|9353|Telti
        M209|SU|1965||39006|8642|Sant'Anna Arresi
        I430|VI|1866||45408|11402|Sarego
        D870|VT|1871||42374|12396|Gallese
        E994|LO|1869||45253|9377|Marudo
        D419|VR|1866||45242|10971|Erbè
        F233|CB|1863||41516|14673|Mirabello Sannitico
        H872|VA|||45875|8633|Sangiano
        A433|FR|||41647|13612|Arpino
        I237|PV|1893||44988|9300|Santa Maria della Versa
        L532|PZ|1863||40666|15914|Vaglio Basilicata|Vaglio Lucano|Vaglio di Basilicata
        L573|PG|||43158|12602|Valfabbrica
        C685|BS|||45308|10190|Cigole
        E122|PU|||43939|12770|Gradara
        L279|FM|||43183|13611|Torre San Patrizio
        A902|TN|1920||46025|10838|Bleggio Superiore
        I906|CR|||45149|9926|Spinadesco
        A739|MC|1862||43164|13243|Belforte del Chienti|Belforte del Chiento
        C244|PI|1870||43211|10904|Castelnuovo di Val di Cecina
        E146|PD|1913||45156|11715|Granze
        F042|BI|||45595|8222|Masserano
        I028|PA|1863||37915|14190|San Mauro Castelverde
        G242|AV|1862||40897|14608|Pago del Vallo di Lauro
        I490|TO|1893||44890|7494|Scalenghe
        I875|CZ|||38950|16679|Soveria Simeri
        I738|AL|||44686|8672|Silvano d'Orba
        C777|FC|1862||44008|11944|Civitella di Romagna
        H198|SA|||40649|14612|Ravello
        C502|MN|1868||45262|10570|Ceresara
        A439|TR|1875||42583|12767|Arrone
        G318|BN|||41037|14579|Paolisi
        M059|FI|||43781|10924|Vinci
        G767|TP|||37764|13036|Poggioreale
        F428|FM|||43136|13469|Montappone
        F846|CN|||44594|7868|Narzole
        D637|SS|||40649|8665|Florinas
        E674|ME|1868||38026|14753|Longi
        B351|SA|||40562|15496|Caggiano
        I216|CT|1924||37744|15140|Sant'Alfio
        C717|CS|1948||39746|15836|Santa Maria del Cedro|Santa Maria|Cipollina
        F146|VB|||45962|8454|Mergozzo
        B106|PD|1866||45269|11936|Bovolenta
        B419|TN|1920||45933|11095|Calliano
        B007|LU|1898||43979|10545|Borgo a Mozzano
        H312|PZ|||40913|15726|Ripacandida
        B195|FR|||41700|13635|Broccostella|Brocco
        M258|TR|1975||42653|12426|Avigliano Umbro
        D495|CH|||42092|14209|Fara San Martino
        L285|PV|1872||45282|9296|Torrevecchia Pia
        B587|PV|1863||45177|8596|Candia Lomellina
        C633|FG|||41845|15167|Chieuti
        C689|TV|1866||45785|12365|Cimadolmo
        G381|UD|1866||46531|13119|Paularo
        B239|BN|||41078|14569|Bucciano
        D487|PN|1866||46185|12752|Fanna
        E907|NO|1863||45628|8632|Marano Ticino
        A299|CR|||45243|9879|Annicco
        L574|AT|||44902|7964|Valfenera
        E180|CS|||39141|16235|Grimaldi
        F009|TV|1866||45807|11975|Maser
        A446|RM|1871||42042|13016|Arsoli
        I977|AL|||44700|8525|Strevi
        L464|SS|||40732|8984|Tula
        B578|RO|1866||44934|11675|Canaro
        I600|RC|||38336|15870|Seminara
        A158|TN|1920||46145|11195|Albiano
        L377|SA|||40400|15115|Trentinara
        L489|NU|||39810|9500|Ulassai
        A128|SA|||40479|15115|Albanella
        F092|PD|1866||45196|11524|Megliadino San Vitale
        I283|ME|||38115|14884|Sant'Angelo di Brolo
        D151|CR|||45395|9638|Cremosano
        I716|FR|1871||41669|13150|Sgurgola
        B232|TO|||45141|7195|Bruzolo
        F950|BZ|1920||46414|11425|Nova Ponente|Deutschnofen
        M259|SS|1975||40913|8890|Viddalba
        D008|TO|||45312|7534|Corio
        D496|VI|1866||45744|11545|Fara Vicentino
        F495|CB|1863||41867|14638|Montefalcone nel Sannio
        F949|BZ|1920||46429|11539|Nova Levante|Welschnofen
        I210|CN|1862||44508|7723|Sant'Albano Stura
        I362|LO|1863||45119|9735|Santo Stefano Lodigiano|Santo Stefano al Corno
        B903|CS|1863||39846|16455|Villapiana
        E736|NU|1895||40470|9487|Lula
        H443|FR|||41551|13667|Roccasecca
        F176|TN|1920||46154|11809|Mezzano
        F750|PN|1866||45860|12928|Morsano al Tagliamento
        H043|BS|||45668|10397|Preseglie
        I173|BZ|1920||46563|11732|Santa Cristina Valgardena|St. Christina in Gröden|Santa Cristina|St. Christina|Santa Cristina in Gardena
        L787|TO|1863||45157|8092|Verrua Savoia
        B120|BS|||45454|10053|Brandico
        E233|ME|||38163|15317|Gualtieri Sicaminò
        A912|CS|||39419|16751|Bocchigliero
        G780|PN|1866||46038|12503|Polcenigo
        H862|TO|1863||44902|7237|San Germano Chisone
        G378|LE|||39841|18338|Patù
        I420|ME|1863||38192|15434|Saponara|Saponara Villafranca
        G774|BG|||45586|9640|Pognano
        C801|TO|1863||45298|7460|Coassolo Torinese
        D239|VA|||45896|8734|Cuvio
        B284|TO|||45331|7657|Busano
        D165|BI|||45685|8244|Crevacuore
        H591|MT|||40171|16525|Rotondella
        C851|LC|1928||45762|9364|Colle Brianza
        E708|BL|1868||46486|12445|Lozzo di Cadore|Lozzo Cadore
        H795|PZ|||40678|16079|San Chirico Nuovo
        I095|CZ|1863||39004|16468|San Pietro Apostolo
        L577|VA|||45902|8823|Valganna
        A034|BS|||45307|10413|Acquafredda
        F316|AT|||44818|8295|Mombercelli
        B953|TO|1925||45480|7906|Cascinette d'Ivrea
        D882|VI|1866||45885|11534|Gallio
        G895|PV|||45098|9318|Portalbera
        H385|CN|||44475|7344|Roccabruna
        F634|AN|||43601|13268|Monte San Vito
        L888|CN|||44364|7472|Vignolo
        D181|CZ|||38967|16780|Cropani
        E785|PU|||43803|12442|Macerata Feltria
        E764|BZ|1920||46746|11761|Luson|Lüsen
        F400|ME|||38024|15014|Montalbano Elicona|Montalbano di Elicona|Monte Albano
        F482|MC|||43316|13638|Montecosaro
        H662|BI|1863||45626|8043|Sagliano Micca
        A067|PC|||44947|9519|Agazzano
        B717|CZ|1863||38882|16487|Caraffa di Catanzaro
        D811|IS|||41600|14446|Frosolone
        G743|UD|1866||45836|13101|Pocenia
        F371|BZ|1920||46758|12106|Monguelfo-Tesido|Welsberg-Taisten|Monguelfo|Welsberg
        L538|TO|||45102|7289|Vaie|Vayes
        C910|BG|||45817|9856|Colzate
        G801|BS|||45551|10505|Polpenazze del Garda|Polpenazze
        I553|AQ|||42063|13339|Scurcola Marsicana|Scurcola
        H976|CZ|1863||39060|16192|San Mango d'Aquino
        I154|TO|1863||44866|7298|San Secondo di Pinerolo
        I504|GR|||42688|11330|Scansano
        B816|PU|||43781|12335|Carpegna
        I092|UD|1869||46114|13483|San Pietro al Natisone
        E551|TO|||45478|7816|Lessolo
        D923|BZ|1920||46585|11202|Gargazzone|Gargazon
        F154|VA|||45952|8765|Mesenzana
        B726|GE|||44350|9346|Carasco
        G840|IM|||43938|8015|Pontedassio
        H479|ME|1923||38108|15169|Rodì Milici|Rodi
        A284|AV|||40937|15325|Andretta
        C659|AV|1862||40933|14916|Chiusano di San Domenico
        M111|VB|||46010|8291|Vogogna
        C228|LO|||45111|9864|Castelnuovo Bocca d'Adda
        G775|NO|||45758|8386|Pogno
        F591|AP|||42920|13839|Monteprandone
        I142|LU|||44169|10347|San Romano in Garfagnana
        I539|TO|||45095|7878|Sciolze
        C070|FM|1863||43080|13493|Servigliano
        B037|AL|||45093|8524|Borgo San Martino
        A906|PD|1868||45108|11783|Boara Pisani
        C280|BN|||41234|14548|Castelvenere
        I917|PZ|||40269|15967|Spinoso
        A690|PV|1872||45306|9314|Bascapè
        E062|PV|1872||45284|9140|Giussago
        F976|SS|||40463|9191|Nule
        I798|AL|||44918|8508|Solero
        M044|MN|1866||45141|11032|Villimpenta
        D803|CH|||42266|14376|Frisa
        E090|SO|||46292|9367|Gordona
        F475|CB|||41902|14837|Montecilfone
        B144|CO|||45743|9187|Brenna
        I328|ME|||37848|14699|San Teodoro
        L427|CN|||44507|7756|Trinità
        H246|PV|||44950|9037|Retorbido
        E622|BL|1920||46482|11954|Livinallongo del Col di Lana|Livinallongo
        E068|CZ|||38980|16207|Gizzeria
        L987|SU|||39644|9002|Villanovafranca
        G816|MN|1868||44931|10594|Pomponesco
        I629|BG|||45871|9731|Serina
        C222|FG|1864||41581|15118|Castelnuovo della Daunia
        L016|CL|||37525|13733|Sutera
        A447|UD|1866||46480|13020|Arta Terme|Arta
        C879|SA|||40723|15290|Colliano
        G974|BI|||45675|8210|Pray
        L672|PR|1873||44688|10011|Varano de' Melegari
        L817|CN|1862||44763|8008|Vezza d'Alba
        B904|FG|1862||41619|15104|Casalnuovo Monterotaro
        D309|NO|||45662|8600|Divignano
        D847|BO|||44196|10935|Gaggio Montano
        A366|AN|||43502|12945|Arcevia
        E348|GR|||42358|10907|Isola del Giglio
        G564|BG|||45810|10043|Pianico
        L274|SA|||40133|15472|Torre Orsaia
        A971|CB|||41705|14934|Bonefro
        H235|CS|||39332|16180|Rende
        B152|VR|1928||45657|10894|Brentino Belluno
        D513|MT|1873||40171|16444|Valsinni
        B663|VT|1871||42548|11907|Capodimonte
        E142|ME|||37890|15225|Graniti
        H629|UD|1921||45840|13402|Ruda
        I219|AV|1864||40870|14876|Santa Lucia di Serino
        L315|SV|1863||44176|8270|Tovo San Giacomo
        E813|RM|1958||42158|12437|Magliano Romano
        A230|SA|1862||40530|15132|Altavilla Silentina
        C624|TO|||45499|7903|Chiaverano
        I604|BZ|1920||46706|10908|Senales|Schnals|Senales in Venosta
        L590|BL|1867||46418|12334|Valle di Cadore
        L588|TN|1920||45783|11118|Vallarsa
        M371|BI|2016||45587|8194|Lessona
        L819|SP|1863||44141|9887|Vezzano Ligure
        A160|CS|||39923|16472|Albidona
        B763|LC|||45802|9463|Carenno
        G651|CR|1868||45132|10188|Pieve San Giacomo
        D406|BG|1928||45790|9976|Endine Gaiano
        H606|VR|1866||45268|11245|Roverchiara
        L915|BZ|1920||46738|12173|Villabassa|Niederdorf
        A897|RC|||38483|16453|Bivongi
        D193|VR|1866||45324|11326|Veronella|Cucca
        A878|BS|||45673|10339|Bione
        G003|AN|||43526|13441|Offagna
        G541|CE|1862||41167|14334|Piana di Monte Verna|Piana di Caiazzo
        D329|CO|||46153|9332|Domaso
        L944|AG|1863||37588|13290|Villafranca Sicula
        M169|MS|||44354|9763|Zeri
        A069|SS|||40930|9065|Aggius
        A612|PZ|1901||40861|16010|Banzi
        F929|TN|1920||45929|11072|Nomi
        B509|LI|1862||43060|10615|Campiglia Marittima
        E787|BS|||45478|10042|Maclodio
        E668|FI|||43863|11564|Londa
        F910|CZ|1863||39035|16167|Nocera Terinese
        F956|SO|1863||46219|9450|Novate Mezzola
        G615|CS|1893||39261|16339|Pietrafitta
        B377|AG|||37526|13291|Calamonaci
        B993|SO|||46264|9862|Caspoggio
        F504|RM|1871||42109|12831|Monteflavio
        I499|RI|1875||42161|12841|Scandriglia
        L055|CS|||39623|16273|Tarsia
        L357|PZ|||40026|15776|Trecchina
        F609|SP|1863||44147|9655|Monterosso al Mare
        B051|PV|1872||45267|9218|Bornasco
        A958|PA|||37744|14095|Bompietro|Buompietro
        H618|RM|1871||42026|12994|Roviano
        A237|TV|1866||45754|11956|Altivole
        C917|LO|||45442|9463|Comazzo
        L298|GE|||44518|9158|Torriglia
        L937|PD|1867||45175|11670|Villa Estense
        I037|CN|1862||44376|7908|San Michele Mondovì
        D066|BG|||45539|9788|Cortenuova
        D980|PV|||45206|9361|Gerenzago
        G769|BA|1957||40914|16256|Poggiorsini
        A708|AL|||45001|8733|Bassignana
        C172|SI|||43464|11290|Castellina in Chianti
        E443|SO|||46269|9869|Lanzada
        F359|ME|1863||38157|15381|Monforte San Giorgio
        H384|PR|||45008|10218|Roccabianca
        I187|GR|||42831|11585|Santa Fiora
        L942|CN|||44546|7541|Villafalletto
        A605|AL|||45184|8403|Balzola
        C178|CE|1862||41367|14378|Castello del Matese|Castello d'Alife
        G486|IS|||41606|14276|Pesche
        G522|ME|||37968|14291|Pettineo
        G671|PV|1871||45070|9167|Pinarolo Po
        D504|GO|1921||45908|13517|Farra d'Isonzo|Farra
        F682|GE|1893||44517|9049|Montoggio
        H757|LE|||40089|18348|Sanarica
        I421|UD|1866||46567|12684|Sappada
        E141|CO|1927||46025|9213|Grandola ed Uniti
        D780|AL|||45133|8535|Frassineto Po
        F642|MO|||44270|10945|Montese
        A466|VC|||45261|8409|Asigliano Vercellese|Asigliano
        I114|CS|||39342|16313|San Pietro in Guarano
        D638|AV|||41076|15151|Flumeri
        G044|NU|||40168|9178|Ollolai
        D596|VV|||38683|16226|Filogaso
        E337|PA|||37943|14007|Isnello
        I290|AG|||37480|13546|Sant'Angelo Muxaro
        F010|VB|||46139|8325|Masera
        E371|AO|||45655|7686|Issogne
        C337|BG|||45804|10066|Castro
        I706|SU|||39839|9323|Seui
        L165|AL|||45096|8553|Ticineto
        M214|SS|1969||40965|8882|Badesi
        D819|FR|1871||41735|13270|Fumone
        B788|UD|1866||45803|13189|Carlino
        F457|TR|||42651|12488|Montecastrilli
        B100|BS|||45791|10270|Bovegno
        B613|PV|1886||45050|9279|Canneto Pavese
        C285|RC|1863||38382|16410|Caulonia
        A898|CO|||45834|8943|Bizzarone
        F066|ME|1862||38090|15135|Mazzarrà Sant'Andrea
        C470|SA|||40070|15312|Centola
        F108|KR|||39310|17030|Melissa
        L743|UD|1866||46330|13138|Venzone
        B267|BN|||41222|14978|Buonalbergo
        I105|VR|1866||45242|11227|San Pietro di Morubio
        B062|NU|1866||40283|8839|Bortigali
        B398|MC|||43143|13224|Caldarola
        A438|PD|1866||45217|11929|Arre
        H094|CO|||45815|9282|Pusiano
        B741|PV|1863||45164|9065|Carbonara al Ticino
        G278|KR|||39308|16908|Pallagorio
        L132|PD|1867||45244|11903|Terrassa Padovana
        F067|TO|||45300|7933|Mazzè
        H527|PV|||45228|9275|Roncaro
        D629|MS|||44238|10126|Fivizzano
        F978|AN|1870||43511|13621|Numana
        A407|NU|||39959|9193|Aritzo
        C504|CN|1871||44800|7822|Ceresole Alba
        D859|NU|||39850|9505|Gairo
        H917|FR|||41500|13559|San Giovanni Incarico
        H957|IM|1862||43854|7964|San Lorenzo al Mare
        I468|KR|||39313|16776|Savelli
        A062|RM|1871||41884|13099|Affile
        B802|CS|||39255|16220|Carolei
        M285|NU|1984||39797|9627|Cardedu
        L224|CH|||42038|14415|Tornareccio
        D571|BZ|1920||46517|11501|Fiè allo Sciliar|Völs am Schlern|Fiè|Völs
        C862|AQ|||41887|13584|Collelongo
        F662|VI|1906||45559|11457|Monteviale
        L497|PD|1866||45193|11445|Urbana
        B580|PZ|||40731|15925|Cancellara
        E394|TO|||45180|7516|La Cassa
        G844|BS|||46259|10510|Ponte di Legno
        A786|BG|||45815|9571|Berbenno
        B825|RE|1884||44456|10518|Carpineti
        C550|CN|||44634|7789|Cervere
        E381|CB|||41517|14798|Jelsi
        M253|SA|||40559|15306|Sicignano degli Alburni|Sicignano
        I060|CS|1912||39843|15786|San Nicola Arcella
        E660|TO|||45236|7737|Lombardore
        E694|MC|1862||43164|13412|Loro Piceno
        G271|CH|||41984|14137|Palena
        I767|NO|||45577|8436|Sizzano
        A604|PZ|||40650|15513|Balvano
        E126|VT|1871||42645|11856|Gradoli
        I034|AV|1863||40876|14855|San Michele di Serino
        I519|BZ|1920||46688|11189|Scena|Schenna
        L788|PV|1929||45107|9175|Verrua Po
        F016|FE|1959||44795|11802|Masi Torello
        F173|GE|||44383|9377|Mezzanego
        G986|TO|||44866|7268|Prarostino
        A180|OR|||39768|8815|Ales
        G165|AV|1863||40939|14747|Ospedaletto d'Alpinolo
        H665|GO|1921||45874|13484|Sagrado
        L724|BZ|1920||46667|11597|Velturno|Feldthurns
        A321|PZ|||40517|15925|Anzi
        D982|SU|||39699|9100|Gergei
        G171|LO|1867||45242|9537|Ossago Lodigiano
        G538|SA|1929||40345|15378|Piaggine
        M103|PD|1866||45328|11642|Vo'
        D510|PI|||43571|10514|Fauglia
        L816|BS|1863||46239|10398|Vezza d'Oglio
        C385|PN|1867||46194|12772|Cavasso Nuovo
        F729|TV|1866||45866|12101|Moriago della Battaglia|Moriago
        I582|SU|1868||39568|9103|Selegas
        F095|RO|1866||45064|11201|Melara
        G515|MC|||43221|13462|Petriolo
        H522|VR|1880||45480|11293|Roncà
        A687|LC|||45943|9467|Barzio
        E185|CS|1948||39725|15856|Grisolia
        F275|UD|1866||46091|13373|Moimacco
        A203|PA|||37864|13781|Aliminusa
        C094|ME|1863||37887|14311|Castel di Lucio
        A621|OR|1864||39992|8556|Baratili San Pietro
        D455|UD|1866||46149|13345|Faedis
        F492|PG|||42891|12648|Montefalco
        B073|VR|1866||45621|11032|Bosco Chiesanuova
        C998|FR|1862||41347|13776|Coreno Ausonio
        C051|ME|1865||38086|14807|Castell'Umberto
        E743|PU|||43732|12443|Lunano
        D911|NO|1863||45389|8661|Garbagna Novarese
        E853|VB|||46128|8498|Malesco
        I244|CH|||42220|14450|Santa Maria Imbaro
        B636|PU|||43471|12629|Cantiano
        F822|SU|||39302|8666|Musei
        G266|VC|1862||45186|8233|Palazzolo Vercellese
        B631|RI|1863||42307|12645|Cantalupo in Sabina
        C202|FG|||41343|15199|Castelluccio Valmaggiore
        F287|BN|||41297|14909|Molinara
        A769|AN|1863||43579|13167|Belvedere Ostrense
        B426|CS|||39507|16761|Caloveto
        C587|SI|||42967|11903|Cetona
        A972|CR|||45114|10077|Bonemerse
        B281|OR|||40034|8888|Busachi
        G528|VC|||45262|8484|Pezzana
        A889|AL|||44661|8372|Bistagno
        H766|SU|||39538|9198|San Basilio
        A941|TO|||45472|7941|Bollengo
        H010|PN|1866||45820|12695|Pravisdomini
        H878|AL|1863||45107|8416|San Giorgio Monferrato
        F501|AP|1862||43053|13755|Montefiore dell'Aso
        B248|SS|1959||40705|9704|Budoni
        E747|SS|1941||41047|9206|Luogosanto
        G114|CN|||44149|7912|Ormea
        G618|PG|||43436|12429|Pietralunga
        I567|BG|||45781|9624|Sedrina
        C365|NO|1863||45613|8486|Cavaglio d'Agogna
        H841|CS|||39340|16144|San Fili
        C877|AP|1862||42877|13747|Colli del Tronto
        F884|BS|||45976|10333|Niardo
        D253|VV|||38565|16195|Dasà
        D538|TR|||42620|12787|Ferentillo
        C789|BG|||45784|9619|Ubiale Clanezzo|Clanezzo
        L506|NU|||40093|9508|Urzulei
        A263|CS|||39952|16583|Amendolara
        E675|FC|||44074|12330|Longiano
        H037|VB|||46004|8330|Premosello-Chiovenda|Premosello
        L651|VB|1928||45908|8343|Valstrona
        I165|CS|||39659|16030|San Sosti
        I203|PV|1866||45034|9181|Santa Giuletta
        I932|AN|||43433|13185|Staffolo
        A094|AO|||45815|7689|Ayas|Aias
        C321|AP|1865||42939|13625|Castignano
        H979|AN|||43575|13208|San Marcello
        I215|ME|1948||37925|15350|Sant'Alessio Siculo
        E952|GO|1921||45915|13459|Mariano del Friuli|Mariano
        H870|MN|1922||44974|11034|San Giacomo delle Segnate
        I249|VB|1928||46137|8461|Santa Maria Maggiore
        H999|PN|1867||46017|12870|San Martino al Tagliamento
        L396|VR|1866||45270|10934|Trevenzuolo
        G609|CB|||41581|14873|Pietracatella
        D494|CH|||42242|14180|Fara Filiorum Petri
        H341|CR|1915||45031|10473|Rivarolo del Re ed Uniti
        B476|SA|||40033|15370|Camerota
        B894|CN|||44818|7625|Casalgrasso
        C542|CZ|||39024|16745|Cerva
        H184|CH|||42209|14185|Rapino
        A681|SU|||39702|9003|Barumini
        I735|SU|||39517|9294|Silius
        L566|VC|1865||45727|8327|Valduggia
        H824|FR|1862||41707|13812|San Donato Val di Comino
        G146|NU|||40035|8986|Ortueri
        I309|CS|1863||39546|16328|Santa Sofia d'Epiro
        A131|PZ|1863||40586|16037|Albano di Lucania
        D685|PR|||44859|10173|Fontevivo
        C273|VA|||45714|8862|Castelseprio
        C500|RO|1866||45048|11868|Ceregnano
        H858|BZ|1920||46535|11330|San Genesio Atesino|Jenesien|San Genesio
        C158|AL|||44685|8704|Castelletto d'Orba
        D304|CS|||39239|16252|Dipignano
        H091|BG|||45480|9868|Pumenengo
        H528|TN|1920||46049|11408|Roncegno Terme|Roncegno
        E144|VA|||45949|8774|Grantola
        H913|VT|1871||42279|12053|Villa San Giovanni in Tuscia|San Giovanni di Bieda
        A667|AQ|||42325|13590|Barisciano
        E407|CS|||39171|16148|Lago
        L015|MN|1866||45071|11022|Sustinente
        E053|LE|||40094|18369|Giuggianello
        G602|SI|||43079|11677|Pienza
        F156|FE|||44918|12231|Mesola
        I984|VC|||45230|8455|Stroppiana
        B866|AV|||41234|15008|Casalbore
        C271|PZ|||40162|15993|Castelsaraceno
        I090|TO|1863||44907|7311|San Pietro Val Lemina
        G272|CZ|||38749|16452|Palermiti
        A975|AV|||41099|15001|Bonito
        I847|BI|||45573|7973|Sordevolo
        M170|VI|1866||45476|11374|Zermeghedo
        M284|SS|1983||40904|8864|Santa Maria Coghinas
        G426|SA|||40725|14757|Pellezzano
        I414|VR|1866||45637|10732|San Zeno di Montagna
        I899|TN|1928||46104|10739|Spiazzo
        F707|AL|1863||45166|8367|Morano sul Po
        G553|CS|1863||39235|16323|Piane Crati
        D896|CB|||41509|14912|Gambatesa
        G300|UD|1866||46532|13016|Paluzza
        H021|AL|||44750|8656|Predosa
        H888|MT|1863||40111|16389|San Giorgio Lucano
        F232|AL|1863||45035|8524|Mirabello Monferrato
        A082|BS|||45650|10353|Agnosine
        D065|LC|||46000|9385|Cortenova
        E045|TR|||42510|12330|Giove
        G572|SO|||46137|9428|Piantedo
        I612|LO|1869||45150|9594|Senna Lodigiana
        D661|ME|1950||37985|15175|Fondachelli-Fantina
        H565|CS|||39399|16294|Rose
        A785|BO|1885||44637|11417|Bentivoglio
        C215|RO|1867||45027|11288|Castelnovo Bariano
        E707|VA|||45776|8858|Lozza
        I475|GE|1893||44564|8987|Savignone
        I607|BS|||45245|10178|Seniga
        C848|TV|1867||45942|12342|Colle Umberto
        G043|OR|||39951|8734|Ollastra|Ollastra Simaxis
        B535|PA|||37754|13269|Campofiorito
        B701|AL|1863||44728|8691|Capriata d'Orba
        D814|AL|||44963|8428|Fubine Monferrato|Fubine
        F527|AT|1863||44821|8238|Montegrosso d'Asti
        G243|BN|1863||41242|14865|Pago Veiano
        G525|RO|1866||45136|11988|Pettorazza Grimani
        I565|SS|||40853|8817|Sedini
        G600|VB|||46024|8259|Piedimulera
        I248|UD|1866||45934|13289|Santa Maria la Longa
        I689|MO|||44230|10773|Sestola
        M022|CH|||41951|14351|Villa Santa Maria
        D660|LO|||45141|9680|Fombio
        L469|LO|1869||45248|9622|Turano Lodigiano|Turano
        L729|CN|||44561|7397|Venasca
        C818|SS|||40656|8681|Codrongianos
        D997|SU|||39732|9021|Gesturi
        D057|CR|1868||45218|10102|Corte de' Frati
        F024|PG|1863||42773|12526|Massa Martana
        H956|BZ|1920||46785|11908|San Lorenzo di Sebato|St. Lorenzen|San Lorenzo in Pusteria|San Lorenzo
        G862|MN|1872||45412|10685|Ponti sul Mincio
        F995|AL|||45060|8507|Occimiano
        G579|BG|1863||45948|9673|Piazza Brembana
        H434|AQ|||41849|14078|Roccaraso
        C919|BL|1894||46558|12550|Santo Stefano di Cadore
        E769|VA|||45840|8772|Luvinate
        B730|CO|1927||45872|9122|Carate Urio
        C306|SA|1862||40724|14848|Castiglione del Genovesi
        E143|NO|||45360|8573|Granozzo con Monticello
        G206|MI|||45368|8924|Ozzero
        D226|PD|1866||45524|11837|Curtarolo
        G957|VI|1867||45650|11671|Pozzoleone
        B776|AV|||41027|15210|Carife
        C784|RM|1871||42199|12575|Civitella San Paolo
        B389|TN|1920||46005|11244|Calceranica al Lago|Calcerànica
        L322|TN|1920||45869|11073|Trambileno
        A815|BG|1863||45719|9903|Berzo San Fermo
        B319|KR|||39226|16778|Caccuri
        B439|CR|||45127|10441|Calvatone
        E891|AV|1869||40942|14848|Manocalzati
        G328|BZ|1920||46684|11073|Parcines|Partschins
        A013|PZ|||40507|15813|Abriola
        C888|MT|||40188|16425|Colobraro
        I905|VV|||38628|15906|Spilinga
        M079|PV|1872||45211|9308|Vistarino
        F589|PU|||43691|13047|Monte Porzio
        B531|PD|1867||45489|11753|Campodoro
        D407|VI|1866||45942|11706|Enego
        D668|BO|1884||44259|11559|Fontanelice|Fontana Elice
        L969|RE|1870||44365|10465|Villa Minozzo
        F149|LO|||45433|9430|Merlino
        F982|SU|||39789|9078|Nurallao
        C846|BN|1863||41364|14834|Colle Sannita
        D675|NO|1863||45643|8479|Fontaneto d'Agogna
        G561|CN|||44372|7711|Pianfei
        E241|TR|||42624|12299|Guardea
        B914|CR|1888||45200|10051|Pozzaglio ed Uniti
        B161|VI|1866||45647|11634|Bressanvido
        D380|BN|1957||41135|14454|Dugenta
        D619|RC|||38213|15694|Fiumara
        F326|CN|1862||44340|7823|Monastero di Vasco
        I463|CZ|||38666|16480|Satriano
        A460|SA|||40141|15186|Ascea
        C097|CE|1863||41192|14278|Castel di Sasso
        E498|SA|||40786|15308|Laviano
        H898|BN|||41277|14931|San Giorgio La Molara
        I554|TN|1920||46065|11506|Scurelle
        B781|CE|||41188|13982|Carinola
        C417|BS|||46074|10351|Cedegolo|Grevo
        D622|ME|||38026|15381|Fiumedinisi
        F135|PU|||43647|12336|Mercatello sul Metauro|Mercatello
        A492|NU|||39992|9076|Atzara
        B704|CE|1862||41468|14146|Capriati a Volturno
        G944|TV|1866||45759|12209|Povegliano
        I622|LU|||43995|10227|Seravezza
        L228|CO|||45856|9117|Torno
        B876|VB|1869||45915|8414|Casale Corte Cerro
        C619|PZ|||40123|16214|Chiaromonte
        D956|PD|1866||45582|11707|Gazzo
        H277|SA|||40668|15478|Ricigliano
        H014|UD|1866||45797|13076|Precenicco
        H852|CN|||44647|7322|Sanfront|Sanfronte
        C501|KR|||39246|16788|Cerenzia
        D398|LC|||45786|9365|Ello
        G728|VV|||38623|16249|Pizzoni
        M276|SS|1979||40991|9302|Sant'Antonio di Gallura
        A327|PU|||43559|12422|Apecchio
        C447|VT|1871||42510|11771|Cellere
        D161|RO|1866||44985|11890|Crespino
        D273|TN|1920||46274|11049|Denno
        D357|FC|||44122|11887|Dovadola
        E454|PV|||45236|9233|Lardirago
        B921|VA|||45905|8709|Casalzuigno
        A088|NO|1863||45675|8560|Agrate Conturbia
        D271|CN|||44316|7298|Demonte
        C458|BL|1866||46352|11968|Cencenighe Agordino|Cencenighe
        G260|CR|1863||45390|9570|Palazzo Pignano
        A905|CO|||45842|9105|Blevio
        F706|BO|||44278|11267|Monzuno
        D676|VC|1862||45194|8192|Fontanetto Po|Fontanetto da Po
        H538|BI|1863||45578|8091|Ronco Biellese
        F991|SU|1934||39155|8740|Nuxis
        C901|TE|||42872|13870|Colonnella
        C735|TV|1867||45967|12143|Cison di Valmarino
        G509|SA|||40532|15373|Petina
        C152|AN|1864||43608|12978|Castelleone di Suasa
        E356|CR|||45173|10309|Isola Dovarese
        G280|VB|||46042|8259|Pallanzeno
        L136|VR|1866||45173|11395|Terrazzo
        I924|TN|1920||46219|11048|Spormaggiore|Spor
        D462|CO|1928||45859|9159|Faggeto Lario
        B214|SP|||44237|9725|Brugnato
        A848|SO|||46187|10109|Bianzone
        F468|AT|1863||45007|8113|Montechiaro d'Asti
        H475|BZ|1920||46800|11700|Rodengo|Rodeneck
        I562|UD|1866||46014|12977|Sedegliano
        F887|LC|||45746|9269|Nibionno
        G794|AO|||45728|7351|Pollein
        L785|BI|||45508|8115|Verrone
        H121|AL|||44899|8405|Quattordio
        B588|TO|1863||45327|7884|Candia Canavese
        G483|CR|1868||45194|10186|Pescarolo ed Uniti
        H253|TV|1868||45999|12256|Revine Lago
        C518|RM|1886||41943|12982|Cerreto Laziale
        E424|CH|1863||42042|14187|Lama dei Peligni
        G439|CZ|||38986|16582|Pentone
        A844|NO|||45453|8464|Biandrate
        F089|PN|1866||46215|12799|Meduno
        B225|TO|||45155|8061|Brusasco|Brussasco
        C044|LI|||43161|10611|Castagneto Carducci|Castagneto Marittimo|Castagneto
        M290|SS|1988||40952|8220|Stintino
        L084|SO|||46172|10064|Teglio
        M110|FE|1960||44756|11752|Voghiera
        E236|FR|1871||41799|13314|Guarcino
        A784|BI|||45515|8124|Benna
        F857|RM|1871||42230|12594|Nazzano
        F865|RM|1871||41722|12718|Nemi
        A736|CZ|||39018|16786|Belcastro
        I120|PD|1866||45245|11820|San Pietro Viminario
        H334|AL|1863||44710|8552|Rivalta Bormida
        H777|VB|1928||45956|8519|San Bernardino Verbano
        C883|BS|||45811|10335|Collio
        E596|BS|1863||45814|10793|Limone sul Garda|Limone San Giovanni
        H299|BZ|1920||46797|11668|Rio di Pusteria|Mühlbach
        B463|VB|||45962|8545|Cambiasca
        F573|PZ|||40298|15992|Montemurro
        G210|AQ|||42050|13992|Pacentro
        L178|BZ|1920||46691|11154|Tirolo|Tirol
        L626|BS|||45610|10397|Vallio Terme|Vallio
        A033|CS|||39723|16091|Acquaformosa
        A579|CE|||41304|14250|Baia e Latina
        H568|FG|1862||41375|15098|Roseto Valfortore
        C057|PD|1866||45122|11455|Castelbaldo
        D305|LE|||40009|18391|Diso
        H585|CS|1863||39467|16114|Rota Greca
        D360|BO|||44362|11635|Dozza
        H426|PZ|||40212|16204|Roccanova
        H815|CR|1868||45067|10176|San Daniele Po|San Daniele Ripa Po
        B484|CR|||45445|9745|Camisano
        B674|AV|||40816|15223|Caposele
        C547|CN|||44381|7471|Cervasca
        I486|SA|||40657|14608|Scala
        I570|SU|||39564|8982|Segariu
        B416|SV|||44236|8118|Calizzano
        H831|PZ|||40816|15540|San Fele
        I130|CE|1862||41337|14392|San Potito Sannitico
        G298|CS|||39529|16680|Paludi
        G520|NO|||45817|8407|Pettenasco
        G096|LO|1879||45263|9458|Pieve Fissiraga
        B830|IS|||41590|14324|Carpinone
        D264|SV|||44445|8308|Dego
        A852|LI|1906||43268|10595|Bibbona
        F743|CN|||44423|7710|Morozzo
        F188|NO|||45620|8606|Mezzomerico
        G204|AL|1863||45106|8372|Ozzano Monferrato
        L382|UD|1866||46200|13154|Treppo Grande
        G800|CN|||44802|7596|Polonghera
        D604|BG|1863||45893|9994|Fino del Monte
        L018|UD|1866||46512|12993|Sutrio
        L992|SU|||39780|9214|Villanova Tulo
        G494|BN|||41233|14811|Pesco Sannita|Pescolamazza
        I995|SU|||39563|9132|Suelli
        M168|OR|||39961|8710|Zerfaliu
        E221|PZ|1863||40283|15889|Grumento Nova|Saponara di Grumento
        E448|AV|||40983|14946|Lapio
        D858|SI|||43467|11434|Gaiole in Chianti|Gaiole
        F514|VI|1866||45446|11675|Montegalda
        H472|CN|||44680|7975|Roddi
        L106|BZ|1920||46830|11783|Terento|Terenten
        L254|BN|||41186|14681|Torrecuso
        A796|SV|||44248|8444|Bergeggi
        I192|CS|1862||39622|15983|Sant'Agata di Esaro
        A022|BZ|1920||46633|11147|Cermes|Tscherms|Acernes
        D709|CE|||41211|14235|Formicola
        E074|PA|||37903|13428|Godrano
        C938|VE|1866||44806|11707|Cona
        E535|RI|||42569|12960|Leonessa
        E746|AV|||40986|14992|Luogosano
        H036|BG|||45870|9875|Premolo
        H731|CR|1868||45356|9779|Salvirola|Salvirola Cremasca
        C677|RM|1871||41960|12942|Ciciliano
        G669|SU|||39487|9065|Pimentel
        I089|SA|1862||40455|15487|San Pietro al Tanagro
        L831|RE|||44545|10624|Viano
        H885|PV|1863||45175|8790|San Giorgio di Lomellina
        L907|SO|1863||46331|9481|Villa di Chiavenna
        B589|PD|1878||45222|11993|Candiana
        B768|VC|||45357|8392|Caresanablot
        C378|NO|||45662|8397|Cavallirio
        E244|CB|||41804|14793|Guardialfiera
        E273|AO|||45614|7739|Hône
        F934|OR|1863||40135|8832|Norbello
        I453|SV|||44480|8494|Sassello
        A330|BN|||41092|14696|Apollosa
        A970|BN|||41073|14617|Bonea
        E288|TN|1920||46149|11789|Imer
        I959|RI|||42301|12563|Stimigliano
        L006|OR|||40281|8549|Suni
        D771|PV|||45047|8682|Frascarolo
        F050|OR|||39700|8784|Masullas
        I058|VV|1863||38664|16286|San Nicola da Crissa
        M098|BI|||45427|8049|Viverone
        G574|BG|||45896|9927|Piario
        G831|UD|1866||46505|13306|Pontebba
        H942|RM|1872||41919|12874|San Gregorio da Sassola
        M016|SU|||39492|9390|Villasalto
        F597|BO|1866||44326|11404|Monterenzio
        I711|AL|||44785|8573|Sezzadio|Sezzè
        L964|CH|||42330|14237|Villamagna
        A224|CO|||45779|9200|Alserio
        C189|TN|1920||46282|11433|Castello-Molina di Fiemme|Castello di Fiemme
        G823|PD|1866||45182|11579|Ponso
        L699|VV|||38633|16248|Vazzano
        A370|RM|1891||41880|13114|Arcinazzo Romano
        C444|SA|1862||40095|15403|Celle di Bulgheria
        G202|TO|||45348|7745|Ozegna
        C105|AV|||40931|15043|Castelfranci
        C911|VA|||45774|8678|Comabbio
        H478|CO|||45824|8915|Rodero
        L973|AV|1862||41119|15158|Villanova del Battista
        H796|PZ|||40192|16076|San Chirico Raparo
        A536|IM|||43917|7846|Badalucco
        I877|SI|||43280|11228|Sovicille
        G683|CN|1862||44734|7979|Piobesi d'Alba
        M069|TO|1864||44864|7570|Virle Piemonte
        A186|SA|||40177|15424|Alfano
        C194|TN|1920||46063|11632|Castello Tesino
        D180|CS|||39517|16727|Cropalati
        G512|CB|1863||41691|14698|Petrella Tifernina
        I466|TO|||45027|6861|Sauze d'Oulx
        L771|CN|||44244|7535|Vernante
        D574|CR|||45337|9778|Fiesco
        E818|MN|1866||45006|11183|Magnacavallo
        E426|MO|||44307|10731|Lama Mocogno
        H361|VI|1869||45877|11453|Roana
        L034|RN|||43906|12285|Talamello
        B655|VV|||38691|16289|Capistrano
        D081|PV|1877||45011|9162|Corvino San Quirico
        F877|CO|||45912|9157|Nesso
        G286|OR|1862||39877|8644|Palmas Arborea
        I532|MN|1866||44995|11073|Schivenoglia
        L728|AP|1882||42883|13492|Venarotta
        G194|PV|||45154|8832|Ottobiano
        I426|PZ|||40248|15888|Sarconi
        B409|SV|1877||44205|8295|Calice Ligure
        L126|PZ|1863||39978|16296|Terranova di Pollino
        I497|CR|||45053|10302|Scandolara Ravara
        L749|SO|||46199|9455|Verceia
        D828|CS|||39414|16028|Fuscaldo
        M163|TV|1869||45680|12489|Zenson di Piave
        C289|TR|1879||42754|12001|Castel Viscardo
        C489|CS|1864||39860|16384|Cerchiara di Calabria
        D756|BN|||41246|14763|Fragneto Monforte
        E406|CN|||44625|7555|Lagnasco
        M301|SS|1996||40766|9521|Padru
        G603|CR|||45426|9610|Pieranica
        H458|IS|1884||41626|14089|Rocchetta a Volturno
        I404|UD|1921||45896|13376|San Vito al Torre
        B889|CR|||45318|9617|Casaletto Ceredano
        H402|AQ|||42204|13518|Rocca di Mezzo
        E644|NU|||39858|9584|Loceri
        F391|CB|||41645|14674|Montagano
        G335|VV|||38682|15921|Parghelia
        A484|SA|1880||40455|15556|Atena Lucana
        G939|SA|||40559|15232|Postiglione
        D868|LO|||45358|9445|Galgagnano
        H986|FG|||41525|15006|San Marco la Catola
        I527|VI|1866||45697|11646|Schiavon
        F440|PV|||45000|9103|Montebello della Battaglia|Montebello
        I435|TV|1866||45976|12386|Sarmede
        A677|SU|||39475|9102|Barrali
        G510|PA|||37801|14108|Petralia Soprana
        F775|CS|||39648|16065|Mottafollone
        H275|SP|1863||44154|9764|Riccò del Golfo di Spezia
        H589|CB|||41748|15006|Rotello
        L230|CB|||41573|14762|Toro
        F330|CN|1862||44686|7620|Monasterolo di Savigliano
        G582|LU|1863||44185|10297|Piazza al Serchio
        E310|PV|1872||45198|9385|Inverno e Monteleone|Inverno
        C184|PV|||45235|8687|Castello d'Agogna
        L923|BS|||45354|9931|Villachiara
        B069|RO|1866||44999|11765|Bosaro
        D714|TN|1920||46118|11208|Fornace
        H304|SP|1871||44100|9739|Riomaggiore
        L102|AV|||40853|15253|Teora
        A837|VR|1866||45232|11395|Bevilacqua
        B295|CB|||41554|14561|Busso
        H489|RC|||37925|15765|Roghudi
        I634|LT|1871||41549|12985|Sermoneta
        D966|CR|||45333|9877|Genivolta
        H002|UD|1867||46520|12809|Prato Carnico
        H276|CR|1869||45406|9724|Ricengo
        A303|RC|||38436|16079|Anoia
        B287|SR|||37086|14885|Buscemi
        C972|TE|||42854|13818|Controguerra
        F307|TN|1920||46142|10963|Molveno
        L276|BG|||45446|9877|Torre Pallavicina
        B528|CB|||41557|14744|Campodipietra
        A300|AT|1863||44879|8317|Castello di Annone
        L463|SU|||39715|8960|Tuili
        G420|FI|||43773|11501|Pelago
        F559|AV|||40914|14998|Montemarano
        C126|AQ|||41989|13334|Castellafiume
        E758|TO|1878||44807|7246|Luserna San Giovanni
        M071|TO|||45336|7945|Vische
        E485|SA|1875||40339|15338|Laurino
        G493|AQ|||41887|14066|Pescocostanzo
        I129|AV|1863||40928|14871|San Potito Ultra
        A084|RM|1871||41981|13035|Agosta
        B911|MN|1868||45198|10366|Casalromano
        E597|CN|1862||44201|7579|Limone Piemonte
        G611|AV|||41043|14884|Pietradefusi
        F848|ME|||38122|14787|Naso
        A335|AP|1879||42898|13662|Appignano del Tronto
        D978|RM|1871||41935|12990|Gerano
        F601|IS|||41522|14176|Monteroduni
        A788|PR|1891||44509|9991|Berceto
        A258|RI|||42627|13295|Amatrice
        B010|BG|||45721|9891|Borgo di Terzo
        G848|BN|||41292|14690|Pontelandolfo
        I376|PE|1863||42233|13986|San Valentino in Abruzzo Citeriore
        L295|TE|1869||42659|13657|Torricella Sicura
        D499|CN|||44512|7914|Farigliano
        D975|RC|||38271|16221|Gerace|Gerace Superiore
        E072|PV|||44896|9057|Godiasco Salice Terme|Godiasco
        B722|PE|||42156|14005|Caramanico Terme|Caramanico
        E945|CN|||44403|7685|Margarita
        H104|AL|||44946|8488|Quargnento
        A354|PN|1866||46146|12790|Arba
        D028|LO|1869||45134|9758|Corno Giovine
        I359|CS|1864||39192|16321|Santo Stefano di Rogliano
        B470|AN|1863||43578|13352|Camerata Picena
        I704|CZ|||38911|16514|Settingiano
        D552|PV|1863||45115|8865|Ferrera Erbognone
        C127|AT|||44985|8223|Castell'Alfero
        E292|VA|1958||45786|8736|Inarzo
        B250|SU|1925||39398|8402|Buggerru
        G389|UD|1867||45995|13304|Pavia di Udine
        F013|PD|1866||45109|11489|Masi
        G766|AQ|||42321|13540|Poggio Picenze
        H127|TO|||45562|7808|Quincinetto
        L138|PI|||43525|10680|Terricciola
        M153|OR|||39989|8596|Zeddiani
        E093|MT|||40395|16145|Gorgoglione
        C908|MI|||45382|9334|Colturano
        D331|AV|||40880|14587|Domicella
        G556|CO|1863||46103|9277|Pianello del Lario
        L524|CS|1864||39585|16433|Vaccarizzo Albanese
        A525|TO|||45423|7992|Azeglio
        D454|TR|1869||42873|12015|Fabro
        I184|ME|1864||37916|14963|Santa Domenica Vittoria
        B961|LO|||45103|9796|Caselle Landi
        F895|CN|||44406|7928|Niella Tanaro
        G576|SO|1867||46160|9935|Piateda
        H876|MC|||43108|13321|San Ginesio
        M120|AL|||44889|8986|Volpedo
        B590|AV|||40941|14872|Candida
        B868|SA|1862||40214|15687|Casalbuono
        C380|TN|1920||46408|11139|Cavareno
        C544|PD|1866||45424|11688|Cervarese Santa Croce
        E829|BZ|1928||46288|11211|Magrè sulla strada del vino|Margreid an der Weinstraße|Magrè all'Adige|Margreid
        A706|VT|1871||42464|12308|Bassano in Teverina
        B264|SS|||40457|9064|Bultei
        G925|SP|||44051|9834|Portovenere
        B984|SI|1862||43341|11048|Casole d'Elsa
        D414|PZ|||40075|16098|Episcopia
        C157|PV|1928||45069|9098|Castelletto di Branduzzo
        C551|PV|||45061|9017|Cervesina
        M161|PV|||45197|8667|Zeme
        A976|SS|||40533|8764|Bonnanaro
        C559|IM|||43926|8115|Cervo
        I686|PN|1867||45849|12813|Sesto al Reghena
        L258|CR|1868||45143|10288|Torre de' Picenardi
        B784|FG|||41594|14977|Carlantino
        F765|PE|||42427|14054|Moscufo
        A491|UD|1866||46190|13311|Attimis
        D281|VC|||45269|8358|Desana
        F465|VI|1866||45666|11564|Montecchio Precalcino
        H314|CR|||45302|9729|Ripalta Arpina
        L134|CS|1921||39466|16946|Terravecchia
        B183|NO|||45542|8480|Briona
        H048|VR|1879||45283|11407|Pressana
        C250|BN|||41141|14701|Castelpoto
        D257|CZ|||38649|16488|Davoli
        D333|SU|||38945|8862|Domus de Maria
        H216|PV|1866||45038|9202|Redavalle
        C301|CS|1863||39353|16288|Castiglione Cosentino
        I117|VI|1866||45584|11259|San Pietro Mussolino
        D996|CH|||42055|14274|Gessopalena
        F342|VC|||45332|7996|Moncrivello
        H929|CB|||41688|14962|San Giuliano di Puglia
        D230|BN|1867||41336|14510|Cusano Mutri
        D650|BN|1863||41353|14976|Foiano di Val Fortore
        F358|CN|1862||44583|7968|Monforte d'Alba
        F828|CO|||46113|9274|Musso
        G136|LE|||40034|18391|Ortelle
        G657|MC|||43043|13048|Pieve Torina
        C069|SA|1864||40494|15234|Castelcivita
        E661|TO|||44841|7636|Lombriasco
        A274|TN|1920||46166|11004|Andalo
        B705|TO|||45119|7333|Caprie|Chiavrie
        G534|PD|1867||45127|11543|Piacenza d'Adige
        L361|FC|||44080|11741|Tredozio
        L393|OR|||40252|8521|Tresnuraghes
        L865|BG|1863||45726|9896|Vigano San Martino
        B790|CZ|1871||39054|16455|Carlopoli
        B579|TN|1920||46476|11769|Canazei|Cianacei
        E390|AG|1923||37387|13556|Joppolo Giancaxio
        I812|BG|1928||45782|10026|Solto Collina
        L982|TO|1885||45244|7552|Villanova Canavese
        D408|UD|1866||46408|12879|Enemonzo
        E430|CN|1863||44638|7931|La Morra
        A712|PV|1885||45086|9085|Bastida Pancarana
        H765|CS|||39810|16163|San Basile
        A942|MT|1872||40148|16540|Nova Siri
        I183|CS|1864||39819|15854|Santa Domenica Talao
        D959|MN|1868||45062|10572|Gazzuolo
        E729|TR|1863||42576|12333|Lugnano in Teverina
        I935|CR|1895||45075|10089|Stagno Lombardo
        L237|PV|||44978|9076|Torrazza Coste
        E417|CS|||39954|15973|Laino Borgo
        F612|GR|1961||43146|10856|Monterotondo Marittimo
        L905|FR|1863||41512|13769|Villa Santa Lucia
        D056|CR|1868||45273|10008|Corte de' Cortesi con Cignone
        E968|RC|||38442|16098|Maropati
        B968|KR|||39269|16767|Castelsilano|Casino
        M124|BL|1866||46271|12006|Voltago Agordino|Voltago
        B567|PV|||45094|9246|Campospinoso Albaredo|Campospinoso
        C674|CZ|||39022|16486|Cicala
        G074|BS|1863||46017|10328|Ono San Pietro
        A244|FR|1868||41690|13748|Alvito
        D476|CZ|||39003|16172|Falerna
        G144|SV|||44054|8100|Ortovero
        H468|AT|||44859|8346|Rocchetta Tanaro
        I588|BS|||46051|10348|Sellero
        F175|PV|||45125|9205|Mezzanino
        A746|TE|||42744|13802|Bellante
        I302|FR|||41402|13830|Sant'Apollinare
        M180|PV|1885||45128|9030|Zinasco
        F411|TO|||45337|7838|Montalenghe
        E799|CB|1895||41943|14716|Mafalda|Ripalta sul Trigno
        B441|VI|1866||45766|11511|Calvene
        C147|GR|1915||42773|11698|Castell'Azzara
        G433|RN|||43817|12267|Pennabilli
        I381|TR|||42869|12269|San Venanzo
        A929|NO|||45663|8535|Bogogno
        F859|NO|||45808|8526|Nebbiuno
        I493|AV|1948||41093|15300|Scampitella
        I530|BG|||46009|10155|Schilpario
        L036|NU|||40042|9496|Talana
        A424|AO|||45647|7717|Arnad|Arnaz
        H407|CN|1862||44317|7744|Roccaforte Mondovì
        E334|TN|1920||45888|11009|Isera
        F556|AT|||44983|8325|Montemagno Monferrato|Montemagno
        F920|TN|1920||45913|11024|Nogaredo
        B608|SA|||40245|15293|Cannalonga
        B767|VC|||45221|8505|Caresana
        F172|VR|1866||45482|11127|Mezzane di Sotto
        G010|TO|||45342|7692|Oglianico
        E214|AV|||40971|14789|Grottolella
        L594|CE|1863||41425|14256|Valle Agricola
        C486|CB|||41461|14724|Cercemaggiore
        L321|OR|||40003|8649|Tramatza
        C206|CO|||45832|9233|Castelmarte
        C235|SA|||40821|15319|Castelnuovo di Conza
        D719|UD|1866||46420|12583|Forni di Sopra
        D942|RO|1866||45025|11914|Gavello
        B083|BG|||45828|10045|Bossico
        L235|SS|||40513|8765|Torralba
        L564|BZ|1931||46900|11465|Val di Vizze|Pfitsch
        C279|AQ|||42129|13729|Castelvecchio Subequo
        L638|SO|||46215|9638|Val Masino
        C903|SO|||46154|9729|Colorina
        G189|TR|||42421|12477|Otricoli
        B543|FR|1863||41735|13683|Campoli Appennino
        F239|IS|||41644|14246|Miranda
        G623|PZ|||40517|16062|Pietrapertosa
        L291|CH|1863||42024|14259|Torricella Peligna
        L423|NU|||40035|9640|Triei
        D197|TO|||45359|7816|Cuceglio
        F047|NO|||45824|8541|Massino Visconti|Massino
        I405|UD|1866||46091|13066|San Vito di Fagagna
        B864|NO|||45438|8467|Casalbeltrame
        H284|BZ|1920||46703|11181|Rifiano|Riffian
        C609|PI|||43482|10641|Chianni
        D927|SV|||44033|8095|Garlenda
        B228|VA|||45945|8890|Brusimpiano
        A329|MC|||43393|13130|Apiro
        A626|AN|||43580|13027|Barbara
        F105|RC|||38303|15882|Melicuccà
        L963|AL|||44814|8855|Villalvernia
        D909|MT|||40549|16228|Garaguso
        B166|VA|||45978|8717|Brezzo di Bedero
        M303|TN|1971||45890|10950|Ronzo-Chienis
        C393|TN|1920||45995|10974|Cavedine
        F511|AV|||40960|14814|Montefredane
        B810|IS|||41713|14294|Carovilli
        D988|VV|||38588|16218|Gerocarne
        F392|BZ|1920||46330|11300|Montagna sulla strada del vino|Montan an der Weinstraße|Montagna|Montan
        I916|BG|1928||45765|9922|Spinone al Lago|Spinone dei Castelli
        A270|TE|||42838|13747|Ancarano
        A380|OR|||40084|8912|Ardauli
        D871|VA|1863||45785|8770|Galliate Lombardo
        G517|CZ|||38702|16472|Petrizzi
        E868|AP|||42832|13688|Maltignano
        C045|TO|1895||45159|7886|Castagneto Po|Castagneto
        E234|SU|||39568|9074|Guamaggiore
        E724|AQ|||42291|13338|Lucoli
        H867|CB|1864||41962|14945|San Giacomo degli Schiavoni
        L438|UD|1866||45946|13340|Trivignano Udinese
        L797|RN|||43982|12423|Verucchio
        B204|CN|||44568|7365|Brossasco
        E341|GE|1863||44648|8957|Isola del Cantone
        H760|CO|1863||46083|9149|San Bartolomeo Val Cavargna
        G874|RM|1872||42257|12570|Ponzano Romano
        L284|CH|1879||42383|14213|Torrevecchia Teatina
        A691|TR|||42673|12218|Baschi
        C844|AQ|||42060|13627|Collarmele
        B783|TN|1920||46169|10759|Carisolo
        C999|AQ|||42121|13839|Corfinio|Pentima
        F586|CZ|||38722|16498|Montepaone
        L482|ME|||38046|14881|Ucria
        A811|LO|||45233|9668|Bertonico
        E128|VT|1871||42575|12201|Graffignano
        E307|AQ|||42010|13898|Introdacqua
        G649|MO|1870||44205|10617|Pievepelago
        I408|FR|1862||41462|13934|San Vittore del Lazio
        I880|NO|||45398|8723|Sozzago
        L246|UD|1866||46128|13429|Torreano
        F328|BG|1863||45763|9932|Monasterolo del Castello
        I163|AV|||41071|15201|San Sossio Baronia|San Sossio
        B875|VA|1869||45768|8741|Casale Litta
        G991|CE|1898||41433|14203|Prata Sannita
        I487|PV|||45125|8910|Scaldasole
        A555|CN|||44304|8045|Bagnasco
        G797|PA|||37993|14146|Pollina
        M031|AQ|||41871|13621|Villavallelonga
        B276|SS|||40391|8996|Burgos
        B511|VI|1867||45335|11542|Campiglia dei Berici
        C719|BN|||41355|14809|Circello
        E576|RM|1899||42074|12900|Licenza
        I529|CO|||45930|9102|Schignano
        I825|PV|1866||45133|9087|Sommo
        A586|RE|||44497|10601|Baiso
        C461|RO|1866||45014|11369|Ceneselli
        C678|CR|||45168|10194|Cicognolo
        A502|FR|1862||41358|13750|Ausonia
        C446|VT|1871||42560|12124|Celleno
        A544|RC|||38026|15822|Bagaladi
        G086|CB|||41586|14595|Oratino
        G129|CS|||39799|15907|Orsomarso
        E088|OR|||39683|8833|Gonnostramatza
        H671|AO|||45731|7448|Saint-Marcel
        A443|BL|1866||45982|11758|Arsiè
        E193|CR|1868||45201|10152|Grontardo
        F346|RN|||43858|12668|Mondaino
        G690|MC|||43181|12977|Pioraco
        G879|AR|||43721|11766|Poppi
        H129|MN|1866||45038|11046|Quingentole
        I536|RC|||38244|15933|Scido
        L337|SU|||39103|8579|Tratalias
        L624|VI|1866||45740|11264|Valli del Pasubio|Valli dei Signori
        F981|SU|||39778|9037|Nuragus
        L027|AL|||44638|8666|Tagliolo Monferrato|Tagliolo
        B080|AL|1948||44650|8793|Bosio
        E490|BL|1866||46282|12068|La Valle Agordina|La Valle
        I618|CB|||41408|14619|Sepino
        C428|CH|1864||41872|14579|Celenza sul Trigno
        A646|PR|||44631|9729|Bardi
        L243|FR|1872||41787|13265|Torre Cajetani
        A707|LT|1871||41552|13027|Bassiano
        F515|VI|1866||45437|11670|Montegaldella
        B867|TO|1895||45130|7940|Casalborgone
        F081|GO|1921||45918|13424|Medea
        G734|CZ|||39006|16322|Platania
        Z106||||41903|12454|Stato della Città del Vaticano|Vatican|Vaticano|Vatican City State
        G047|CR|||45235|10023|Olmeneta
        G199|AL|||44861|8488|Oviglio
        H646|PZ|1863||40850|15542|Ruvo del Monte
        A320|FG|1862||41122|15287|Anzano di Puglia|Anzano degli Irpini
        H077|BS|1928||45689|10434|Provaglio Val Sabbia|Provaglio
        H344|TO|||45250|7720|Rivarossa
        L889|VB|||45961|8564|Vignone
        A881|AV|||41009|15377|Bisaccia
        A720|FR|1871||41643|13473|Boville Ernica|Bauco
        B610|VB|||46022|8679|Cannero Riviera|Cannero
        D048|BZ|1920||46314|11224|Cortaccia sulla strada del vino|Kurtatsch an der Weinstraße|Cortaccia|Kurtatsch
        E405|CO|||45881|9137|Laglio|Laglio-Brienno
        A286|BZ|1920||46518|11231|Andriano|Andrian
        D823|CH|||42007|14588|Furci
        G133|SU|||39539|9087|Ortacesus
        H544|BG|||45673|9593|Roncola
        H745|RM|1871||41985|12938|Sambuci
        B883|NO|1863||45488|8493|Casaleggio Novara
        C511|IM|||43881|7775|Ceriana
        M420|AL|2019||45002|8486|Lu e Cuccaro Monferrato
        F110|AV|1862||41103|15052|Melito Irpino|Melito Valle Bonito
        A386|VV|||38562|16211|Arena
        B733|TO|||45400|7960|Caravino|Masino
        F347|PU|||43675|12966|Mondavio
        G647|CR|1867||45090|10124|Pieve d'Olmi
        H062|SA|1862||40333|15067|Prignano Cilento
        H659|SU|||39815|9272|Sadali
        I656|RC|||38513|16101|Serrata
        D983|TO|||45263|7469|Germagnano
        H420|IS|||41496|14352|Roccamandolfi
        H780|IM|1862||43818|7651|San Biagio della Cima
        A313|ME|||37979|15240|Antillo
        A953|NO|||45763|8442|Bolzano Novarese
        G297|VR|1866||45325|11156|Palù
        G200|AQ|||42138|13516|Ovindoli
        M278|SU|1979||39112|8670|Villaperuccio
        D695|OR|||39994|8810|Fordongianus
        I201|RN|||43863|12207|Sant'Agata Feltria
        A081|FR|1862||41615|13836|Villa Latina
        E056|CH|1863||42312|14281|Giuliano Teatino
        G719|TO|||45446|8007|Piverone
        C165|CN|1871||44444|7639|Castelletto Stura
        C931|TN|1928||46322|10840|Commezzadura
        D630|UD|1866||46058|12984|Flaibano|Sant' Odorico
        F871|RM|1871||42160|12785|Nerola
        F951|ME|1862||38015|15131|Novara di Sicilia
        I354|TN|1920||46109|11302|Sant'Orsola Terme|Sant'Orsola
        I485|CS|1863||39448|16887|Scala Coeli
        G432|TR|1863||42493|12358|Penna in Teverina
        L726|TO|||45157|7011|Venaus|Venalzio
        E401|SS|||40817|8836|Laerru
        L835|SA|||40099|15584|Vibonati
        C763|CS|||39828|16313|Civita
        D440|FR|1868||41382|13685|Esperia
        F538|FG|1862||41167|15258|Monteleone di Puglia
        G367|AL|||44751|8749|Pasturana
        H130|CR|||45420|9619|Quintano
        F136|PU|||43870|12491|Mercatino Conca|Piandicastello
        I687|BZ|1920||46702|12350|Sesto|Sexten
        L668|NO|1863||45603|8554|Vaprio d'Agogna
        D100|SS|||40431|8716|Cossoine
        E057|FR|1872||41539|13280|Giuliano di Roma
        E594|ME|||37941|15271|Limina
        B620|CH|1864||42296|14305|Canosa Sannita
        H939|CE|||41386|14372|San Gregorio Matese|San Gregorio
        I057|KR|1863||39291|16972|San Nicola dell'Alto
        M090|AQ|||42127|13817|Vittorito
        C928|AG|||37407|13645|Comitini
        G979|TO|||44860|7904|Pralormo
        H555|TO|||45002|7132|Roure|Roreto Chisone|Roreto
        C807|AT|1875||45086|8040|Cocconato
        D582|CS|1864||39225|16330|Figline Vegliaturo
        E064|SV|||44173|8243|Giustenice
        B234|RC|1885||38013|16083|Bruzzano Zeffirio
        G058|NU|||40182|9147|Olzai
        H174|VA|||45797|8571|Ranco
        A537|BZ|1920||46608|11896|Badia|Abtei
        E285|SS|||40353|9002|Illorai
        D312|GO|1921||45844|13539|Doberdò del Lago|Doberdob|Doberdò del Lago-Doberdob|Doberdò
        D118|VR|1866||45586|10739|Costermano sul Garda|Costermano
        D832|SA|||40152|15324|Futani
        E892|PE|||42259|14060|Manoppello
        H441|RM|1871||41911|13024|Rocca Santo Stefano
        E484|TO|||45160|7995|Lauriano
        F785|CH|||42213|14443|Mozzagrogna
        L256|PV|||45243|9317|Torre d'Arese
        L290|FR|1871||41634|13404|Torrice
        A487|SA|||40636|14609|Atrani
        A309|RM|1871||42008|12990|Anticoli Corrado
        G222|CR|1929||45238|9929|Paderno Ponchielli|Paderno Ossolaro
        A565|FC|||43835|11960|Bagno di Romagna
        C284|BN|1863||41443|14941|Castelvetere in Val Fortore
        L529|FI|||43911|11280|Vaglia
        C882|SU|1863||39641|8840|Collinas
        D468|TN|1920||46178|11070|Fai della Paganella|Fai
        D968|SU|||39794|9008|Genoni
        E113|BL|1866||46221|11956|Gosaldo
        A486|FR|||41620|13799|Atina
        D384|VA|||46021|8787|Dumenza
        E553|UD|1866||45957|13142|Lestizza
        M270|SU|1974||39050|8629|Masainas
        A588|AT|||44906|8092|Baldichieri d'Asti
        G270|FI|||44113|11543|Palazzuolo sul Senio|Palazzuolo di Romagna
        G749|FR|1871||41565|13415|Pofi
        H308|IS|1864||41712|14139|Rionero Sannitico
        L453|PV|1872||45283|9035|Trovo
        A434|PD|1868||45269|11720|Arquà Petrarca
        D842|NU|||39914|9186|Gadoni
        G632|IM|1862||44047|7916|Pieve di Teco
        I732|SS|||40575|8728|Siligo
        C223|FR|1862||41379|13756|Castelnuovo Parano
        H689|RO|1866||44986|11427|Salara
        A625|TO|||45291|7634|Barbania
        L347|PN|1866||46197|12867|Travesio
        D694|SO|||46159|9660|Forcola
        F242|ME|||38084|14746|Mirto
        I273|CE|1863||41361|14261|Sant'Angelo d'Alife
        H219|AT|||44936|8341|Refrancore
        I744|VV|||38612|16336|Simbario
        B682|IS|||41833|14266|Capracotta
        C930|MN|1868||45038|10545|Commessaggio
        A150|FG|||41432|15123|Alberona
        B279|TO|||45481|7934|Burolo
        C340|FR|1882||41527|13696|Castrocielo
        D177|VB|||46217|8322|Crodo
        F813|SV|||44317|8168|Murialdo
        I707|SU|||39870|9236|Seulo
        B182|VA|||45889|8787|Brinzio
        H013|RC|||38074|16059|Samo|Precacore
        L499|SV|1929||44487|8586|Urbe
        A661|BS|||45678|10408|Barghe
        A996|RI|1863||42405|13056|Borgo Velino
        H519|ME|||38170|15414|Rometta
        M188|BS|||45763|10116|Zone
        A998|AL|||44729|8943|Borghetto di Borbera
        E420|BZ|1920||46608|11566|Laion|Lajen
        C220|CO|1863||45765|8944|Castelnuovo Bozzente|Castelnuovo Bazente
        F676|SI|||43140|11177|Monticiano
        F760|UD|1866||46120|13124|Moruzzo
        G065|VT|1871||42691|11816|Onano
        H912|MN|1922||44966|11081|San Giovanni del Dosso
        E922|MN|1872||45122|10533|Marcaria
        G904|FC|1884||44026|11782|Portico e San Benedetto
        B219|VA|||45765|8795|Brunello
        F140|TO|||45360|7880|Mercenasco
        C058|AV|||41048|15189|Castel Baronia
        D994|SU|||39616|9107|Gesico
        M167|PV|||45207|9014|Zerbolò
        E250|PI|||43314|10629|Guardistallo
        I621|PN|1866||46164|12830|Sequals
        A597|SU|||39549|9362|Ballao
        B408|PR|1891||44602|10124|Calestano
        E843|CR|||45135|10115|Malagnino
        G312|FG|||41221|15276|Panni
        G673|RO|1878||45001|11621|Pincara
        B542|BN|1863||41131|14646|Campoli del Monte Taburno
        G495|IS|||41680|14337|Pescolanciano
        A412|VT|1876||42466|11821|Arlena di Castro
        G152|TO|||44871|7608|Osasio
        H584|BG|1927||45831|9512|Rota d'Imagna|Rota
        F486|VI|1866||45660|11361|Monte di Malo
        G894|AT|||44957|8258|Portacomaro
        A756|SA|||40422|15312|Bellosguardo
        I088|BL|1868||46572|12587|San Pietro di Cadore|San Pietro Cadore
        C162|AL|||44981|8565|Castelletto Monferrato|Castelletto Scazzoso
        G139|AR|1875||43680|11749|Ortignano Raggiolo
        H614|PV|1878||45007|9346|Rovescala
        L214|AV|1862||40937|15108|Torella dei Lombardi
        B366|SO|||46150|9815|Caiolo
        C412|VR|1867||45473|11203|Cazzano di Tramigna
        I831|BS|||46166|10351|Sonico
        L398|FR|1872||41863|13248|Trevi nel Lazio
        A780|RC|1895||38185|16139|Benestare
        E458|AO|||45745|7073|La Salle|Sala Dora
        D570|TR|1887||42832|12068|Ficulle
        G635|PV|1869||45113|8960|Pieve Albignola
        G756|RI|||42503|12885|Poggio Bustone
        I886|TO|||45414|7545|Sparone
        L048|CN|||44493|7545|Tarantasca
        E240|RO|1866||44982|11802|Guarda Veneta
        L096|TN|1920||46016|11264|Tenna
        L458|CB|||41482|14947|Tufara
        A118|PV|||45169|8889|Alagna
        C577|BL|1867||46087|11985|Cesiomaggiore
        F113|BN|||41162|14506|Melizzano
        G446|SU|1958||39160|8611|Perdaxius
        E778|IS|||41561|14170|Macchia d'Isernia
        B549|PZ|||40566|16073|Campomaggiore
        E149|PA|||37966|13973|Gratteri
        G198|UD|1872||46484|12867|Ovaro
        I912|AP|1867||42890|13765|Spinetoli
        M291|SU|1988||39074|8666|Piscinas
        H098|CH|||41924|14288|Quadri
        L307|TE|||42804|13913|Tortoreto
        E189|BG|||45962|9926|Gromo
        H213|NO|||45460|8435|Recetto
        I692|TO|1934||44959|6878|Sestriere|Sestrières
        A503|NU|||40071|9089|Austis
        A254|UD|1866||46374|13094|Amaro
        M433|VA|2023||45826|8688|Bardello con Malgesso e Bregano
        C920|BL|1866||46589|12515|Comelico Superiore
        F640|PI|||43326|10626|Montescudaio
        G007|VB|||45991|8647|Oggebbio
        E069|BZ|1920||46671|10557|Glorenza|Glurns
        E810|GR|1862||42598|11292|Magliano in Toscana
        F519|CS|||40043|16534|Montegiordano
        G717|MN|1868||45227|10532|Piubega
        I655|CZ|||39013|16416|Serrastretta
        F115|SO|||46155|9547|Mello
        H218|MN|1868||45166|10512|Redondesco
        H319|PI|1892||43364|10598|Riparbella
        B067|GE|||44420|9389|Borzonasca
        B529|BZ|1928||46874|11486|Campo di Trens|Freienfeld
        C122|RO|1866||45025|11537|Castelguglielmo
        G858|AL|||45142|8333|Pontestura
        I790|CR|1868||45081|10357|Solarolo Rainerio
        A358|VC|||45496|8388|Arborio
        D590|MS|1865||44330|9933|Filattiera
        C698|BS|||45746|10240|Tavernole sul Mella|Tavernole Cimmo|Cimmo
        D876|PZ|||40292|16136|Gallicchio
        I471|AV|1862||41227|15179|Savignano Irpino|Savignano di Puglia
        D608|TO|1863||45468|7834|Fiorano Canavese
        G935|FR|1957||41692|13680|Posta Fibreno
        H182|FM|||43160|13589|Rapagnano
        G383|SU|1863||39498|9306|San Nicolò Gerrei
        B444|BN|1958||41072|14865|Calvi
        M268|PA|1972||37752|14073|Blufi
        M077|AL|||44662|8501|Visone
        B418|AT|||45008|8257|Calliano Monferrato|Calliano
        B526|AQ|||42010|14039|Campo di Giove
        B008|RI|||42191|13233|Borgorose|Borgocollefegato
        E806|CZ|||39013|16628|Magisano
        L578|TO|||45064|7349|Valgioie
        F917|PZ|1863||40087|16328|Noepoli
        G799|CH|||42138|14592|Pollutri
        I113|CE|||41446|13960|San Pietro Infine
        F432|CZ|||38749|16512|Montauro
        F975|SS|||40557|9021|Nughedu San Nicolò|Nughedu di San Nicolò
        H074|CO|||45828|9246|Proserpio
        I176|RC|1864||38255|15970|Santa Cristina d'Aspromonte
        G071|NU|||40272|9170|Oniferi
        L519|PA|||38710|13193|Ustica
        E203|TO|||45256|7557|Grosso
        F001|CS|||39171|16307|Marzi
        C174|PI|||43413|10576|Castellina Marittima
        E528|VC|||45557|8384|Lenta
        G542|SV|1880||44485|8308|Piana Crixia
        H412|SA|||40106|15436|Roccagloriosa
        L827|BG|||45685|9961|Viadanica
        B376|AT|||44738|8337|Calamandrana
        B920|NO|||45400|8465|Casalvolone
        D945|RM|1871||41699|13050|Gavignano
        H564|SA|||40400|15346|Roscigno
        I702|TO|||45549|7833|Settimo Vittone|Settimo Tavagnasco
        E039|CE|1862||41300|14444|Gioia Sannitica
        D522|SV|1869||44220|8325|Orco Feglino
        M004|TO|||45309|7977|Villareggia
        A267|UD|1866||46415|12796|Ampezzo
        E118|CN|||44804|8094|Govone
        B142|PV|||45128|8626|Breme
        H639|TN|1920||46441|11019|Rumo
        I076|AT|1928||44951|7971|San Paolo Solbrito
        B534|FM|||43081|13822|Campofilone
        D041|CO|||46048|9136|Corrido
        D826|SA|||40621|14549|Furore
        E683|TO|||45443|7813|Loranzè
        M178|VR|1866||45332|11377|Zimella
        L843|FR|1872||41778|13343|Vico nel Lazio
        M013|TO|||44809|7160|Villar Pellice
        A154|VI|1866||45358|11584|Albettone
        A257|CZ|||38942|16462|Amato
        G629|AV|||40995|14718|Pietrastornina
        C990|PG|||43128|12287|Corciano
        E467|VT|1871||42629|11829|Latera
        L075|BI|||45622|8052|Tavigliano
        C835|BG|||45975|10084|Colere
        A343|SA|||40444|15254|Aquara
        I276|PV|1864||45247|8643|Sant'Angelo Lomellina
        D303|VV|||38531|16145|Dinami
        D585|OR|1947||39761|8871|Gonnosnò|Figu-Gonnosnò
        F433|CH|||41949|14431|Montazzoli
        G109|TO|1864||45329|7860|Orio Canavese
        A058|BG|||45716|9959|Adrara San Rocco
        C703|CR|1868||45085|10275|Cingia de' Botti
        F200|CZ|||38951|16472|Miglierina
        H045|CE|1878||41378|14092|Presenzano
        H416|CS|||40110|16578|Rocca Imperiale
        D113|VC|1870||45237|8369|Costanzana
        E855|ME|1910||38577|14836|Malfa
        A855|UD|1866||45932|13253|Bicinicco
        I288|PZ|||40545|15562|Sant'Angelo Le Fratte
        A049|CL|1862||37572|13702|Acquaviva Platani
        D527|SA|||40374|15243|Felitto
        L066|TO|||45544|7823|Tavagnasco
        E869|ME|||37918|15055|Malvagna
        D569|ME|||38108|14830|Ficarra
        I479|GO|1921||45909|13579|Savogna d'Isonzo|Sovodnje ob So?i|Savogna d'Isonzo-Sovodnje Ob Soči|Comune Di Savogna D'Isonzo-Občina Sovodnje Ob Soči|Savogna|Sovodnje
        M078|MC|||42934|13081|Visso
        E860|SV|||44289|8297|Mallare
        H710|CN|||44413|8169|Saliceto
        I049|BN|1958||41052|14857|San Nazzaro
        F426|SA|1864||40163|15363|Montano Antilia
        F660|AV|||40999|15534|Monteverde
        B859|CH|||42246|14200|Casacanditella
        L223|NO|||45357|8717|Tornaco
        L847|NO|1869||45475|8461|Vicolungo
        C790|PN|1866||46269|12514|Claut
        B755|CN|||44744|7478|Cardè
        G765|RI|||42218|12797|Poggio Nativo
        A187|AQ|||41735|14035|Alfedena
        E908|RM|1872||41995|13015|Marano Equo
        C639|TO|||45119|6984|Chiomonte
        F368|ME|||37903|15275|Mongiuffi Melia
        G516|FM|1869||43068|13664|Petritoli
        G619|AL|||44943|8669|Pietra Marazzi
        H784|CH|||41981|14568|San Buono
        C006|SR|||37106|14947|Cassaro
        C216|TN|1920||46054|11489|Castelnuovo
        B405|PC|||45087|9596|Calendasco
        E007|VC|||45529|8385|Ghislarengo
        E988|CN|1862||44627|7363|Martiniana Po
        F818|SS|||40679|8618|Muros
        G158|NU|||39823|9496|Osini
        D300|UD|1866||46084|12940|Dignano
        D412|CN|||44682|7372|Envie
        D855|RO|1866||44946|11481|Gaiba
        I841|GR|||42681|11719|Sorano
        L299|PR|||44925|10324|Torrile
        L596|IM|||43812|7665|Vallebona
        M138|VV|1918||38665|15929|Zaccanopoli
        A194|ME|||38027|15419|Alì
        E999|PV|1872||45248|9295|Marzano
        G372|CS|1863||39228|16265|Paterno Calabro
        B902|AL|||44913|8984|Casalnoceto
        C962|AL|||45383|9976|Coniolo
        A911|NO|||45679|8409|Boca
        B256|AQ|||42024|13861|Bugnara
        D700|UD|1866||46220|12975|Forgaria nel Friuli|Forgaria
        I116|NO|1869||45455|8544|San Pietro Mosezzo
        D594|PV|1871||45175|9316|Filighera
        F727|OR|||39746|8770|Morgongiori
        G814|IM|||43853|7888|Pompeiana
        I335|CH|1863||42169|14328|Sant'Eusanio del Sangro
        D189|KR|||39427|17003|Crucoli
        F774|VC|||45194|8521|Motta de' Conti
        I576|TN|1920||46190|11260|Segonzano
        L971|BZ|1920||46631|11538|Villandro|Villanders
        C409|VA|1863||45796|8735|Cazzago Brabbia
        G704|RM|1871||41908|12958|Pisoniano
        B607|CS|||40095|16504|Canna
        D085|UD|1866||46096|13020|Coseano
        H285|CN|||44651|7346|Rifreddo
        I266|CZ|1863||38622|16530|Sant'Andrea Apostolo dello Ionio
        I884|VV|||38604|16337|Spadola
        C813|PV|||44964|9058|Codevilla
        C996|LU|1863||44063|10524|Coreglia Antelminelli
        D755|BN|||41256|14784|Fragneto l'Abate
        E196|PC|||44834|9728|Gropparello
        L203|AT|||45023|8189|Tonco
        L656|SA|||40739|15268|Valva
        D144|VA|1893||45989|8803|Cremenaga
        F777|FG|||41507|15114|Motta Montecorvino
        C821|AO|||45607|7358|Cogne
        B012|MN|1868||45033|10763|Motteggiana
        M073|UD|1921||45892|13349|Visco
        I371|RC|||38169|15790|Santo Stefano in Aspromonte
        B380|VB|||46021|8215|Calasca-Castiglione|Calasca
        C929|NA|1863||40952|14551|Comiziano|Cumignano e Gallo di Nola
        F710|GO|1921||45930|13496|Moraro
        A532|VA|||45885|8709|Azzio
        E178|TN|1920||46016|11636|Grigno
        G773|CO|||45880|9158|Pognana Lario|Pognana
        L680|LC|||46011|9285|Varenna
        A106|CE|||41390|14205|Ailano
        D796|CH|||41979|14662|Fresagrandinaria
        L004|AV|||40949|14745|Summonte
        E470|AO|||45714|6951|La Thuile|Porta Littoria
        E770|BG|||45715|9881|Luzzana
        A196|MT|||40314|16230|Aliano
        C591|BS|||46081|10370|Cevo
        D147|CO|||46086|9271|Cremia
        D884|CE|||41465|14225|Gallo Matese|Gallo
        A653|NO|||45576|8514|Barengo
        H686|SA|1863||40249|15189|Salento
        H955|BN|||41276|14542|San Lorenzello
        A155|CZ|||39025|16597|Albi
        F462|TR|1948||42662|12288|Montecchio
        C331|AP|||42898|13730|Castorano
        G601|PG|||42966|12084|Piegaro
        G660|IM|||43932|7661|Pigna
        M203|AV|||41128|15203|Zungoli
        D079|BZ|1920||46550|11873|Corvara in Badia|Corvara|Ladinia
        E251|CN|||44740|8035|Guarene
        G075|BG|||45892|10011|Onore
        B058|BI|||45508|8039|Borriana
        F886|NO|||45372|8657|Nibbiola
        I986|BG|||45773|9579|Strozza
        A120|PE|||42296|13971|Alanno
        A272|CZ|||39013|16769|Andali
        E941|TO|||45054|7876|Marentino
        I947|SV|||44000|8060|Stellanello
        F814|AL|||45082|8136|Murisengo|Murisengo Monferrato
        I339|LT|||41301|13816|Santi Cosma e Damiano
        I718|OR|1974||39919|8762|Siamanna
        C926|NO|||45715|8564|Comignago
        G305|TN|1920||46286|11541|Panchià
        G733|CS|||39900|16433|Plataci
        C878|IS|1863||41600|14103|Colli a Volturno
        L207|TE|1863||42823|13777|Torano Nuovo
        D710|CR|||45223|9771|Formigara
        E389|VV|||38583|15897|Joppolo
        G707|SA|||40109|15235|Pisciotta
        B280|VC|||45480|8266|Buronzo
        H331|BG|||45774|10039|Riva di Solto
        L121|TN|1920||45878|11155|Terragnolo
        E711|VC|||45619|8323|Lozzolo
        L629|TO|1863||45224|7496|Vallo Torinese
        F277|ME|1862||37901|15051|Moio Alcantara
        A834|VB|1928||46080|8298|Beura-Cardezza
        B771|KR|1904||39308|16974|Carfizzi
        G021|PV|1863||45213|8718|Olevano di Lomellina
        L187|VB|||46145|8469|Toceno
        D758|SP|||44209|9554|Framura
        E486|SA|||40169|15407|Laurito
        F379|FM|1893||43068|13556|Monsampietro Morico
        I803|PR|||44613|9975|Solignano
        C354|PE|||42347|13952|Catignano
        E311|TO|||44946|7218|Inverso Pinasca
        D948|GR|||42925|10907|Gavorrano
        H095|SS|||40561|8461|Putifigari
        H891|PN|1872||46048|12869|San Giorgio della Richinvelda
        C120|PZ|||40786|15431|Castelgrande
        D428|LC|||45822|9453|Erve
        E635|TO|||45414|7457|Locana
        E640|BG|||45835|9534|Locatello
        H444|LT|1872||41479|13213|Roccasecca dei Volsci
        I522|PG|1878||43404|12666|Scheggia e Pascelupo
        H454|CB|||41833|14600|Roccavivara
        A093|VI|1866||45325|11585|Agugliaro
        A452|AO|||45702|7163|Arvier|Arvié
        B021|TO|||45362|7988|Borgomasino
        B278|TO|||44872|7412|Buriasco
        C598|AO|||45720|7324|Charvensod
        H348|PZ|||40078|15758|Rivello
        C209|PZ|||40528|16046|Castelmezzano
        H610|VR|1879||45273|11444|Roveredo di Guà
        I062|BN|||41075|14824|San Nicola Manfredi
        C661|SI|||43155|11083|Chiusdino
        E065|TN|1920||46151|10768|Giustino
        G105|VA|||45881|8716|Orino
        H498|TO|||44924|7332|Roletto
        D469|BN|||41278|14477|Faicchio
        I170|CZ|1863||38533|16522|Santa Caterina dello Ionio
        L965|AV|||40971|15089|Villamaina
        C330|BS|||45695|10321|Casto
        D617|MO|||44179|10647|Fiumalbo
        D793|ME|||38072|14744|Frazzanò
        H448|CH|||41942|14471|Roccaspinalveti
        C086|BO|1884||44213|11504|Castel del Rio
        C106|BN|1863||41301|15086|Castelfranco in Miscano
        H497|AO|||45784|7313|Roisan
        H517|TN|1920||46395|11119|Romeno
        L069|CB|||41909|14762|Tavenna
        B483|UD|1866||45928|12945|Camino al Tagliamento|Camino di Codroipo
        C648|AR|||43662|11881|Chitignano
        D593|PZ|1952||40810|15710|Filiano
        H300|RM|1871||42059|12997|Riofreddo
        I157|PZ|1863||40020|16139|San Severino Lucano
        E664|TN|1920||46144|11220|Lona-Lases
        F070|SO|1863||46257|10255|Mazzo di Valtellina
        F541|RI|1863||42233|12858|Monteleone Sabino
        A613|PD|1866||45242|11685|Baone
        B436|BS|||45539|10446|Calvagese della Riviera|Calvagese
        F739|PV|1863||45010|9206|Mornico Losana
        E070|SP|1875||44294|9675|Sesta Godano
        L967|RO|1866||45015|11692|Villamarzana
        A553|UD|1867||45884|13286|Bagnaria Arsa
        B945|PV|1877||45046|9131|Casatisma
        G254|PI|||43606|10770|Palaia
        A039|CR|1868||45169|9891|Acquanegra Cremonese
        A102|CS|1928||39118|16165|Aiello Calabro
        C125|SA|||40282|14957|Castellabate
        D082|BS|||45444|10007|Corzano
        H494|RM|1871||41873|13066|Roiate
        L189|RI|1876||42213|12755|Toffia
        A655|OR|||39713|8875|Baressa
        F168|TN|1920||46317|10800|Mezzana
        L455|BZ|1920||46644|10463|Tubre|Taufers im Münstertal
        A678|AQ|||41755|13991|Barrea
        D410|CN|||44240|7398|Entracque|Entraque
        D691|AP|||42961|13488|Force
        H768|RO|1866||45029|11592|San Bellino
        H881|CS|1863||39582|16453|San Giorgio Albanese
        H364|VC|||45539|8316|Rovasenda|Roasenda
        I279|AV|||41007|14993|Sant'Angelo all'Esca
        A964|VR|1866||45258|11279|Bonavigo
        B255|SO|1863||46183|9675|Buglio in Monte
        B932|RM|1871||41907|12886|Casape
        G070|NU|||40407|9650|Onifai
        B574|BL|1866||46357|11914|Canale d'Agordo|Forno di Canale
        C509|PV|||45198|8772|Cergnago
        L748|CO|||46159|9335|Vercana
        B094|SS|||40392|9010|Bottidda
        E130|BI|||45558|7979|Graglia
        F271|OR|1928||39906|8897|Ruinas|Mogorella Ruinas
        L633|AL|||45101|8584|Valmacca
        M311|UD|2009||45864|13397|Campolongo Tapogliano
        D443|SU|||39780|9284|Esterzili
        I278|SA|||40457|15341|Sant'Angelo a Fasanella
        L983|PV|||45170|9041|Villanova d'Ardenghi
        B870|AL|||44835|8625|Casal Cermelli
        I955|RC|||38417|16470|Stignano
        B038|PV|||45235|8913|Borgo San Siro
        G068|BG|||45871|9819|Oneta
        L653|PG|||43057|12753|Valtopina
        F867|OR|||40065|8947|Neoneli
        I839|TN|1920||46395|11666|Soraga di Fassa|Soraga
        L125|LO|1863||45215|9662|Terranova dei Passerini
        L685|TO|1871||45208|7484|Varisella
        A932|SP|||44188|9895|Bolano
        E961|BS|||45755|10285|Marmentino
        A105|CS|||39928|15823|Aieta
        A635|BZ|1920||46604|11521|Barbiano|Barbian
        B432|RO|1866||44991|11359|Calto
        C173|CN|||44775|8030|Castellinaldo d'Alba|Castellinaldo
        D291|CN|1863||44653|8027|Diano d'Alba
        G475|BS|1928||45753|10372|Pertica Bassa
        I679|IS|||41639|14328|Sessano del Molise|Sessano
        A732|BG|||45791|9552|Bedulita
        H452|SV|||44361|8191|Roccavignale
        D615|SA|1869||40772|14795|Fisciano
        D805|TO|||45279|7664|Front
        G262|TO|1863||45460|7978|Palazzo Canavese
        H380|ME|1863||38183|15374|Roccavaldina
        H973|BN|||41261|14635|San Lupo
        L686|UD|1866||45886|12990|Varmo
        G860|AO|||45739|7588|Pontey
        H153|SI|||43485|11374|Radda in Chianti|Radda
        L348|PC|||44863|9544|Travo
        A973|CS|||39586|15902|Bonifati
        M338|PV|2014||45043|8911|Cornale e Bastida
        D683|CE|1862||41457|14184|Fontegreca
        E033|PZ|1965||40931|15735|Ginestra
        L078|PU|||43844|12594|Tavoleto
        C389|UD|1871||46368|13041|Cavazzo Carnico
        C539|PZ|||40047|16351|Cersosimo
        F780|CZ|||39091|16293|Motta Santa Lucia
        C676|SA|||40344|15130|Cicerale
        G592|FR|||41450|13559|Pico
        I857|NO|||45740|8410|Soriso
        B888|SA|1862||40151|15621|Casaletto Spartano
        H424|CH|||42243|14129|Roccamontepiano
        E015|AL|||45061|8567|Giarole
        F429|IS|||41565|14113|Montaquila
        G016|VC|||45363|8310|Olcenengo
        I457|PZ|1863||40485|15676|Sasso di Castalda
        D265|SP|||44219|9521|Deiva Marina|Deiva
        D760|FM|1863||43188|13540|Francavilla d'Ete
        F761|CR|||45294|9681|Moscazzano
        G703|NO|||45796|8515|Pisano
        I866|BL|1866||46141|12074|Sospirolo
        G742|CN|||44715|7883|Pocapaglia
        B651|AQ|||42268|13768|Capestrano
        B762|TO|||45584|7809|Carema
        D436|LC|1927||45994|9334|Esino Lario
        E611|CH|||41955|14555|Liscia
        C047|AT|1863||44959|8305|Castagnole Monferrato
        C960|CZ|||39072|16285|Conflenti
        D762|VV|1867||38780|16272|Francavilla Angitola
        E037|SA|||40290|15218|Gioi
        E413|PI|||43475|10728|Lajatico
        F620|FR|1872||41643|13511|Monte San Giovanni Campano
        C976|AV|||40859|15336|Conza della Campania
        G729|RC|||38411|16453|Placanica
        H399|AQ|1908||42031|13072|Rocca di Botte
        L184|RE|1884||44376|10563|Toano
        L810|VR|1866||45574|11229|Vestenanova
        D715|IS|||41607|14140|Fornelli
        I147|ME|1863||38068|14778|San Salvatore di Fitalia
        B527|LT|||41383|13033|Campodimele
        E722|CB|||41732|14687|Lucito
        E840|LO|1869||45252|9578|Mairago
        G281|SV|||44328|8279|Pallare
        G449|AQ|||42058|13102|Pereto
        G225|SS|||40396|8630|Padria
        C781|TE|||42773|13676|Civitella del Tronto
        H455|ME|1863||37933|15010|Roccella Valdemone
        L420|VC|||45236|8327|Tricerro
        L461|AV|||41013|14818|Tufo
        F771|CR|1868||45056|10259|Motta Baluffi
        I724|SU|||39673|8888|Siddi
        L823|SV|1871||44229|8365|Vezzi Portio
        M201|BI|1880||45594|8089|Zumaglia
        A220|VI|1866||45366|11427|Alonte
        D188|TN|1920||46345|10903|Croviana
        G168|TN|1920||46043|11554|Ospedaletto
        A692|TE|||42596|13736|Basciano
        C625|BZ|1920||46807|11840|Chienes|Kiens
        D731|BZ|1920||46790|11610|Fortezza|Franzensfeste|Mezzaselva|Mittewald|Mezzaselva all'Isarco|Mittewald Am Eisak
        L233|SA|||40111|15636|Torraca
        C581|VV|||38664|16030|Cessaniti
        G760|CH|||42254|14321|Poggiofiorito|Villarielli
        C593|AO|||45715|7735|Challand-Saint-Anselme|Challant Saint Anselme
        D787|PG|1863||42857|12364|Fratta Todina
        A616|CB|||41527|14558|Baranello
        B766|RC|||38177|16116|Careri
        D798|AV|||41011|15100|Frigento
        H774|CS|||39427|16124|San Benedetto Ullano
        I388|CS|1863||39365|16151|San Vincenzo La Costa
        L153|NU|||40097|9119|Teti
        B743|PZ|||40142|16088|Carbone
        H056|AQ|||42058|13836|Prezza
        L815|RE|||44484|10339|Vetto
        A956|CH|||42033|14367|Bomba
        F668|FC|||44082|12305|Montiano
        G250|MO|1958||44322|10647|Palagano
        G386|BN|1892||41197|14665|Paupisi
        I779|FC|1862||44005|12301|Sogliano al Rubicone
        C201|PZ|||40010|15972|Castelluccio Superiore
        C226|AT|||44801|8412|Castelnuovo Belbo
        F947|TN|1920||46023|11366|Novaledo
        L139|AL|||45082|8444|Terruggia
        L240|CZ|1864||38653|16372|Torre di Ruggiero
        G134|NO|1928||45797|8414|Orta San Giulio
        L185|BN|1863||41126|14634|Tocco Caudio
        A816|BS|||46093|10333|Berzo Demo
        C345|PZ|1863||40189|16186|Castronuovo di Sant'Andrea
        G290|CH|||41939|14581|Palmoli
        I668|SU|||39702|9145|Serri
        A526|CR|||45313|9920|Azzanello
        L986|SU|||39632|8870|Villanovaforru
        A721|OR|||40021|8672|Bauladu
        B514|TN|1920||46476|11741|Campitello di Fassa|Ciampedel|Campitello
        F811|CN|||44752|7601|Murello
        H227|BN|||41292|14823|Reino
        E902|SS|||40410|8637|Mara
        I143|SA|||40435|15464|San Rufo
        I717|OR|||39950|8635|Siamaggiore
        E599|CB|||41676|14622|Limosano
        F415|AP|1867||42990|13608|Montalto delle Marche
        A405|TO|||45040|7902|Arignano
        B181|PZ|1863||40610|15940|Brindisi Montagna
        F318|TO|||45147|7043|Mompantero
        I061|AV|||41058|15200|San Nicola Baronia
        I681|AR|||43710|12298|Sestino
        I830|BG|||45879|9990|Songavazzo
        D376|NU|||40229|8897|Dualchi
        D974|CO|||46170|9367|Gera Lario|Gera
        I052|NO|||45438|8425|San Nazzaro Sesia
        C973|SA|||40510|15204|Controne
        F074|TO|1863||45122|7065|Meana di Susa
        G387|TO|||45067|7839|Pavarolo
        H439|CH|||42246|14462|Rocca San Giovanni
        C826|GE|||44321|9371|Cogorno
        D684|BG|||45759|10019|Fonteno
        A728|VA|||45911|8796|Bedero Valcuvia
        A776|NU|||39962|9184|Belvì
        E574|MS|1869||44265|10037|Licciana Nardi|Licciana
        I796|IM|||43830|7656|Soldano
        C347|ME|||38099|15210|Castroreale
        D145|LC|||45935|9471|Cremeno
        H187|PZ|||40847|15498|Rapone
        H644|SA|||40301|15073|Rutino
        D162|NO|||45648|8509|Cressa
        L712|BI|||45641|8114|Veglio
        A740|PU|1862||43717|12376|Belforte all'Isauro
        B197|VV|||38601|16341|Brognaturo
        D565|TN|1920||46005|10842|Fiavè
        F512|AV|||41037|14855|Montefusco
        B582|RO|1866||45036|11503|Canda
        D930|CO|||46134|9250|Garzeno
        I669|FR|1871||41842|13095|Serrone
        L253|CH|||41867|14541|Torrebruna
        L444|BZ|1920||46322|11350|Trodena nel parco naturale|Truden im Naturpark|Trodena|Truden
        C739|AT|1863||44825|8001|Cisterna d'Asti
        E949|MN|1868||45193|10487|Mariana Mantovana|Mariana
        A206|BL|1866||46407|12023|Alleghe
        B895|SA|1893||40190|15111|Casal Velino
        C560|CS|||39508|16116|Cerzeto
        H156|SI|||42896|11768|Radicofani
        G566|BO|1862||44214|11236|San Benedetto Val di Sambro|Pian del Voglio
        B878|PI|1899||43297|10617|Casale Marittimo
        E011|CE|1863||41203|14193|Giano Vetusto
        A287|SS|||40442|9057|Anela
        G500|FR|||41749|13657|Pescosolido
        M041|AQ|||41776|13939|Villetta Barrea
        E049|NU|||39952|9661|Girasole
        E790|VB|||45969|7968|Macugnaga
        G890|IM|||44071|7870|Pornassio
        H733|AV|1862||40919|14890|Salza Irpina
        B014|PV|1863||45032|8741|Suardi
        C769|IS|1864||41668|14403|Civitanova del Sannio
        L616|AV|1958||41063|15252|Vallesaccarda
        B937|LC|||46040|9387|Casargo
        A576|MS|1894||44315|9995|Bagnone
        H220|TV|1889||45923|12209|Refrontolo
        L805|PD|1866||45134|11713|Vescovana
        F167|BI|1863||45627|8190|Mezzana Mortigliengo
        F939|MI|||45551|8725|Nosate
        H353|AQ|||41870|14067|Rivisondoli
        I439|TN|1920||46419|11142|Sarnonico
        D319|IM|||43907|7949|Dolcedo
        F210|ME|1863||38046|14676|Militello Rosmarino
        G354|BS|||46032|10369|Paspardo
        B335|TN|1920||46129|10756|Caderzone Terme|Caderzone
        B530|SO|||46403|9352|Campodolcino
        C705|GR|||42891|11392|Cinigiano
        E830|CO|||45921|9263|Magreglio
        G151|TO|||44849|7343|Osasco
        H975|AV|1863||40959|14973|San Mango sul Calore
        F144|UD|1866||46051|13044|Mereto di Tomba|Meretto di Tomba
        L215|CB|1863||41639|14520|Torella del Sannio
        L363|CH|||42262|14423|Treglio
        C420|PA|||37916|13463|Cefalà Diana
        I739|PV|||45039|8946|Silvano Pietra
        D075|BZ|1920||46269|11222|Cortina sulla strada del vino|Kurtinig an der Weinstraße|Cortina all'Adige|Kurtinig
        C549|BS|||46002|10328|Cerveno
        G443|BZ|1920||46793|11983|Perca|Percha|Perga
        I925|TN|1920||46237|11029|Sporminore
        L881|AL|||45010|8397|Vignale Monferrato
        D550|CB|||41530|14672|Ferrazzano
        E705|SO|||46231|10229|Lovero
        F921|VR|1867||45290|10883|Nogarole Rocca
        H347|UD|1866||46127|13032|Rive d'Arcano
        C494|UD|1866||46527|12992|Cercivento
        G757|RI|||42294|12698|Poggio Catino
        C702|RM|1884||42050|12961|Cineto Romano
        D459|FG|||41325|15160|Faeto
        I853|VV|||38594|16232|Sorianello
        B632|RM|1872||42028|12921|Mandela
        G589|PE|||42475|13990|Picciano
        I168|BG|||45985|9621|Santa Brigida
        F740|FR|1871||41638|13198|Morolo
        I943|CO|||46139|9275|Stazzona
        M096|PN|1866||46077|12779|Vivaro
        B116|BZ|1920||46720|12133|Braies|Prags
        C876|RI|1871||42334|12553|Collevecchio
        B646|GR|1960||42453|11422|Capalbio
        D808|PU|||43515|12738|Frontone
        F701|PV|||45036|9313|Montù Beccaria
        I198|RC|||38092|16083|Sant'Agata del Bianco
        I254|ME|1910||38561|14871|Santa Marina Salina
        M108|BL|1866||46419|12246|Vodo Cadore
        B544|CB|||41633|14767|Campolieto
        G909|TV|1866||45857|12538|Portobuffolè
        H202|CE|||41371|14243|Raviscanina
        A628|VT|1872||42249|12068|Barbarano Romano
        E543|AL|||44636|8713|Lerma
        E977|PZ|||40376|15826|Marsicovetere
        E991|CZ|||39075|16232|Martirano Lombardo|Martirano
        F189|BI|||45613|8045|Miagliano
        F513|TR|1869||42920|12092|Montegabbione
        L149|BZ|1920||46565|11169|Tesimo|Tisens
        F058|TO|||45118|7115|Mattie
        B471|BG|1863||45900|9656|Camerata Cornello
        G662|FR|1862||41439|13786|Pignataro Interamna
        H356|VR|1867||45572|10812|Rivoli Veronese
        B522|CB|||41448|14508|Campochiaro
        H578|CN|||44545|7432|Rossana
        L439|PZ|||40580|15989|Trivigno
        B391|MT|1913||40588|16192|Calciano
        D431|SU|||39699|9121|Escolca
        A402|CH|||42260|14310|Arielli
        D011|SA|1863||40438|15380|Corleto Monforte
        I581|RI|||42303|12621|Selci
        L508|OR|||39808|8852|Usellus
        B853|CH|||41918|14527|Carunchio
        C313|SI|1867||43005|11615|Castiglione d'Orcia
        E896|SO|||46152|9489|Mantello
        I102|RC|1928||38524|16135|San Pietro di Caridà
        I256|FR|1863||41394|13869|Sant'Ambrogio sul Garigliano
        A986|CR|||45292|9987|Bordolano
        G431|SO|||46175|9926|Poggiridenti|Pendolasco
        H562|PE|||42322|14046|Rosciano
        H726|BI|||45447|8111|Salussola
        L316|SO|1863||46245|10247|Tovo di Sant'Agata
        F214|CT|1955||37724|15116|Milo
        F773|ME|||37981|14303|Motta d'Affermo
        H961|CS|||39889|16330|San Lorenzo Bellizzi
        A982|BL|1866||46435|12222|Borca di Cadore|Borca
        B991|AT|||45022|8338|Casorzo Monferrato|Casorzo
        C564|TO|1870||44953|6792|Cesana Torinese
        G121|SA|||40300|15171|Orria
        I230|PV|1929||44772|9240|Santa Margherita di Staffora
        E172|CO|||45995|9236|Griante
        I174|PA|1864||37985|13327|Santa Cristina Gela
        I546|AQ|||42369|13259|Scoppito
        A832|PG|||43011|12487|Bettona
        C533|AT|1864||44873|8359|Cerro Tanaro
        D693|BN|||41031|14536|Forchia
        E134|AT|||44998|8299|Grana Monferrato|Grana
        F866|PZ|||40068|15800|Nemoli
        C517|TE|||42591|13795|Cermignano
        E391|AO|||45715|7273|Jovençan
        H679|CO|1863||45964|9166|Sala Comacina
        I868|BI|||45653|8270|Sostegno
        A472|RI|||42339|12670|Casperia|Aspra Sabina
        H034|FC|||43981|11782|Premilcuore
        L167|GE|||44523|8619|Tiglieto
        A391|CO|||45942|9126|Argegno
        C224|RI|1863||42232|12743|Castelnuovo di Farfa
        C485|SA|||40194|15256|Ceraso
        F015|AL|||44870|8408|Masio
        G394|RC|||38476|16451|Pazzano
        A379|SS|||40621|8810|Ardara
        A992|SP|1863||44224|9721|Borghetto di Vara
        B388|VT|1871||42220|12426|Calcata
        G382|SU|||39662|8922|Pauli Arbarei
        G900|TO|||44887|7270|Porte
        H724|RN|||43875|12661|Saludecio
        A957|CL|1911||37472|13781|Bompensiere
        F182|TO|||45295|7396|Mezzenile
        H928|CB|1863||41458|14642|San Giuliano del Sannio
        A606|SS|||40571|8701|Banari
        I860|CO|||45878|9246|Sormano
        E154|TO|||45125|7018|Gravere
        G456|LC|||46015|9296|Perledo
        G474|BS|1928||45742|10344|Pertica Alta
        I301|AV|||41022|14846|Santa Paolina
        A481|AQ|||41854|14198|Ateleta
        D185|VA|||45760|8770|Crosio della Valle
        F293|AL|1891||45024|8894|Molino dei Torti
        C449|TE|1863||42586|13860|Cellino Attanasio
        F651|TO|||45150|8014|Monteu da Po
        H386|TO|1884||45309|7579|Rocca Canavese
        B772|SS|||40669|8615|Cargeghe
        B494|CE|1862||41182|14453|Castel Campagnano|Castello di Campagnano
        H572|CS|1863||39986|16604|Roseto Capo Spulico|Rosito Capo Spulico
        M009|AL|||44850|8888|Villaromagnano
        A793|AL|||44827|8455|Bergamasco
        B070|VR|1866||45218|11356|Boschi Sant'Anna
        F614|FM|1868||43086|13719|Monterubbiano
        H087|BN|1948||41222|14450|Puglianello
        A983|UD|1866||46315|13105|Bordano
        D720|UD|1866||46394|12672|Forni di Sotto
        H801|RN|1869||43933|12627|San Clemente
        F325|AT|1863||44649|8327|Monastero Bormida
        F543|TR|1863||42922|12053|Monteleone d'Orvieto
        G428|TN|1920||46310|10758|Pellizzano
        A100|AQ|||42081|13591|Aielli
        G927|BI|||45675|8172|Portula
        I891|EN|||37767|14351|Sperlinga
        F022|AQ|1863||42107|13394|Massa d'Albe
        G498|RI|||42206|13147|Pescorocchiano
        I179|BN|1883||41388|14732|Santa Croce del Sannio
        I856|CO|||46173|9384|Sorico
        L514|NU|||39810|9395|Ussassai
        B424|CS|||39561|16802|Calopezzati
        D783|MO|1870||44295|10571|Frassinoro
        E192|BG|||45727|9909|Grone
        A961|SP|||44183|9584|Bonassola
        B123|BG|||46002|9759|Branzi
        C940|SA|1863||40618|14573|Conca dei Marini
        E096|AQ|||42080|13775|Goriano Sicoli
        F055|CB|||41619|14710|Matrice
        I538|PA|1961||37858|13906|Scillato
        L296|CR|||45020|10295|Torricella del Pizzo
        A050|CB|||41866|14747|Acquaviva Collecroce
        F732|AQ|||41864|13457|Morino
        H474|CN|||44629|8057|Rodello
        I416|PV|1863||45109|9362|San Zenone al Po
        E990|CZ|1957||39081|16248|Martirano
        L145|TN|1920||46361|10926|Terzolas
        A567|IS|1863||41702|14459|Bagnoli del Trigno
        D328|CS|||39217|16207|Domanico
        F170|PV|||45060|8847|Mezzana Bigli
        F793|MC|||43082|13043|Muccia
        B497|GR|||42883|11274|Campagnatico
        F565|AR|1868||43740|11619|Montemignaio
        A415|PZ|||40307|16066|Armento
        H810|AL|||44693|8749|San Cristoforo
        B727|AP|||43033|13688|Carassai
        F772|ME|||37894|15170|Motta Camastra
        A631|BG|||45475|9777|Barbata
        C594|AO|||45690|7705|Challand-Saint-Victor|Challant Saint Victor
        D040|PD|1866||45235|12067|Correzzola
        D551|VA|1863||45933|8789|Ferrera di Varese
        E673|BS|||45438|10060|Longhena
        G192|SA|||40463|15315|Ottati
        A733|VB|||45963|8575|Bee
        C729|SV|1863||44086|8148|Cisano sul Neva
        E876|ME|||38004|15317|Mandanici
        H265|RC|||38418|16481|Riace
        H151|ME|||38056|14910|Raccuja
        A698|ME|1862||38061|15063|Basicò
        C780|VT|1871||42603|12186|Civitella d'Agliano
        L037|BG|||45893|9565|Taleggio
        C075|BO|||44278|11001|Castel d'Aiano
        F378|TS|1921||45723|13791|Monrupino|Repentabor|Monrupino-Repentabor|Rupin Grande|Repno
        H806|CS|1897||39584|16415|San Cosmo Albanese
        L958|AQ|||41935|13839|Villalago
        A367|CH|||42091|14383|Archi
        E531|CH|||41996|14677|Lentella
        E888|CS|||39204|16333|Mangone
        A044|AP|1865||42771|13414|Acquasanta Terme|Acquasanta
        C886|MC|||43165|13359|Colmurano
        H833|CB|1863||41890|14701|San Felice del Molise|San Felice del Littorio|San Felice Slavo
        L488|OR|1870||40046|8903|Ulà Tirso
        A670|CO|||45911|9266|Barni
        E082|CR|||45262|9729|Gombito
        H507|SS|||40484|8586|Romana
        A647|SV|||44190|8135|Bardineto
        A885|TE|||42529|13800|Bisenti
        B029|AL|1863||44836|8539|Borgoratto Alessandrino
        D830|SO|||46149|9750|Fusine
        I277|BN|1865||41069|14804|Sant'Angelo a Cupolo
        L278|CN|||44736|7528|Torre San Giorgio
        C175|CB|1863||41702|14732|Castellino del Biferno
        E436|NO|||45497|8422|Landiona
        A771|BO|1862||44161|10894|Lizzano in Belvedere
        F595|AQ|||42523|13246|Montereale
        H271|VV|||38625|15867|Ricadi
        L848|PC|1888||45000|9395|Ziano Piacentino|Ziano
        F510|TR|||42598|12764|Montefranco
        F744|AV|1863||40929|15243|Morra De Sanctis|Morra Irpino
        F809|CN|1887||44473|8019|Murazzano
        G720|PV|||45039|9050|Pizzale
        L082|PZ|||40126|16153|Teana
        D497|PZ|||40114|16170|Fardella
        M343|TN|2015||45947|10621|Valdaone
        H076|LT|1871||41517|13261|Prossedi
        M123|AL|||44621|8843|Voltaggio
        I213|PV|1863||45222|9226|Sant'Alessio con Vialone
        A584|TO|||45386|7755|Bairo
        C252|PG|1875||42822|12674|Castel Ritaldi|Castel Ritaldi e San Giovanni
        E816|SV|||44193|8249|Magliolo
        D374|VB|||46134|8433|Druogno
        F685|PG|||43361|12323|Montone
        L575|TN|1920||46250|11343|Valfloriana
        H389|AQ|||42122|13888|Roccacasale
        H755|CN|||44578|7190|Sampeyre|Sampeire
        I280|AV|||40975|14740|Sant'Angelo a Scala
        B512|TO|||44803|7324|Campiglione Fenile|Campiglione
        D423|TP|||38038|12588|Erice|Monte San Giuliano
        C229|AL|||44742|8551|Castelnuovo Bormida
        C311|TE|1870||42539|13676|Colledara|Castiglione della Valle
        G560|VI|1866||45741|11627|Pianezze
        L090|TN|1920||46071|11472|Telve di Sopra
        A422|SV|||44078|8107|Arnasco
        E009|TO|||45139|7015|Giaglione
        F370|CS|||39526|16112|Mongrassano
        F961|CN|||44589|7926|Novello
        I498|CR|||45222|10157|Scandolara Ripa d'Oglio
        I592|BL|1866||46450|12057|Selva di Cadore|Selva Bellunese
        I949|TN|1920||46051|10856|Stenico
        B400|TN|1920||46367|10940|Caldes
        I973|FR|1871||41600|13492|Strangolagalli
        A634|PV|||45076|9206|Barbianello
        G789|MO|||44345|10726|Polinago
        H814|PV|1878||45027|9349|San Damiano al Colle
        E246|PZ|||40362|16098|Guardia Perticara
        E698|BS|||45983|10316|Losine
        A171|PV|||45293|8706|Albonese
        I326|AQ|1869||42104|13202|Sante Marie
        L302|RM|1872||42238|12616|Torrita Tiberina
        M143|VV|||38699|15990|Zambrone
        E780|CB|||41595|14912|Macchia Valfortore
        F364|VV|||38515|16319|Mongiana
        F594|AR|||43487|12111|Monterchi
        H631|TO|||45468|7755|Rueglio
        H825|CS|1864||39712|16047|San Donato di Ninea
        L584|BL|1866||46364|11934|Vallada Agordina|Vallada
        F375|BS|||46212|10340|Monno
        F449|PV|1863||44972|9285|Montecalvo Versiggia
        H493|SO|||46137|9485|Rogolo
        A387|PV|1863||45094|9363|Arena Po
        F580|IS|||41717|14069|Montenero Val Cocchiara
        G436|MC|||43056|13425|Penna San Giovanni
        I432|AL|||44869|8912|Sarezzano
        E687|BL|1866||46480|12460|Lorenzago di Cadore|Lorenzago
        L513|SU|||39692|8908|Ussaramanna
        A273|SO|||46136|9474|Andalo Valtellino|Andalo
        I315|FM|1862||43020|13496|Santa Vittoria in Matenano
        I662|MN|1867||45066|11082|Serravalle a Po
        I850|VR|1866||45213|10980|Sorgà
        L990|CN|||44730|7574|Villanova Solaro
        A880|NU|||40266|8816|Birori
        D298|IM|||43930|8072|Diano San Pietro
        E993|RC|||38354|16288|Martone
        E306|AO|||45693|7182|Introd
        G737|CO|||46047|9229|Plesio
        A615|PZ|||40680|15594|Baragiano
        E161|AV|||41252|15169|Greci
        G294|CH|||42123|14230|Palombaro
        I152|TO|1863||45168|7957|San Sebastiano da Po
        B446|TR|1863||42404|12568|Calvi dell'Umbria
        H173|VA|1863||45916|8772|Rancio Valcuvia
        I606|AV|||40741|15205|Senerchia
        A673|TO|||45326|7873|Barone Canavese
        B782|VC|||45410|8200|Carisio
        G995|CE|1907||41406|14179|Pratella
        H559|PV|||45250|8579|Rosasco
        I357|AV|1863||40894|14867|Santo Stefano del Sole
        B184|BS|||45642|10148|Brione
        B207|VB|1928||45842|8532|Brovello-Carpugnino
        D736|AQ|||42293|13488|Fossa
        H052|CH|||42219|14142|Pretoro
        B557|LU|||44159|10333|Camporgiano
        B839|SP|||44242|9656|Carrodano
        D186|CR|||45159|9857|Crotta d'Adda
        G454|IM|||43867|7672|Perinaldo
        L340|TO|||45268|7431|Traves|Trave
        A317|VB|1928||46060|8115|Antrona Schieranco
        B533|PA|1951||37827|13486|Campofelice di Fitalia
        C213|PV|1890||45254|8611|Castelnovetto
        C864|FR|1871||41764|13368|Collepardo
        F021|FM|1862||43147|13476|Massa Fermana
        A077|RC|||38302|16227|Agnana Calabra
        B861|CH|||42038|14496|Casalanguida
        E859|CS|||39158|16247|Malito
        B736|AL|1863||44849|8870|Carbonara Scrivia
        C691|BS|||46024|10366|Cimbergo
        F355|CN|||44466|8119|Monesiglio
        G606|IS|||41745|14385|Pietrabbondante
        H994|PZ|1863||40239|16052|San Martino d'Agri
        L094|BS|||46250|10466|Temù
        C868|TO|||45433|7799|Colleretto Giacosa|Colleretto Parella
        A138|PR|1862||44447|9702|Albareto|Albareto di Borgotaro
        D195|SA|1862||40164|15307|Cuccaro Vetere
        D456|SO|||46153|9906|Faedo Valtellino|Faedo
        L836|FR|1868||41678|13708|Vicalvi
        E554|CE|||41453|14255|Letino
        F456|PG|1863||42840|12352|Monte Castello di Vibio
        G340|AV|||40930|14882|Parolise
        G656|TN|1920||46068|11611|Pieve Tesino
        L416|GE|||44417|9196|Tribogna
        D592|CH|||42229|14245|Filetto
        E517|NU|||40306|8919|Lei
        E887|CN|||44688|8149|Mango
        H730|PZ|1879||40569|15551|Savoia di Lucania
        M116|CR|1871||45212|10302|Volongo
        E274|CZ|||38846|16380|Jacurso
        F574|UD|1866||46251|13169|Montenars
        F698|OR|||40374|8500|Montresta
        B679|CR|||45247|9838|Cappella Cantone
        B317|IS|||41779|14415|Poggio Sannita|Caccavone
        H382|AV|||41018|14717|Roccabascerana
        H808|PZ|1863||40037|16305|San Costantino Albanese
        H903|RC|1863||38365|16278|San Giovanni di Gerace
        A981|RI|||42509|13132|Borbona
        B498|CR|1862||45398|9669|Campagnola Cremasca
        D108|PG|||43359|12713|Costacciaro
        A574|RO|1867||45015|11501|Bagnolo di Po
        C089|CR|||45071|10406|Casteldidone
        I909|CR|||45061|10512|Spineda
        H445|IS|||41697|14231|Roccasicura
        L811|TO|||45387|7953|Vestignè
        C046|CN|||44755|8032|Castagnito
        E376|SS|||40544|8901|Ittireddu
        H553|BI|||45421|8070|Roppolo
        H790|SI|||42870|11877|San Casciano dei Bagni
        L742|LT|||40794|13428|Ventotene
        B265|SS|||40847|8830|Bulzi
        C782|GR|1920||42994|11281|Civitella Paganico|Paganico|Pari
        C902|CO|||45958|9153|Colonno
        G212|PG|||43023|12068|Paciano
        H820|TO|||45135|7213|San Didero
        I682|IS|1863||41420|14078|Sesto Campano
        E019|SS|||40452|8752|Giave
        E763|TO|||45318|7765|Lusigliè
        F493|FM|1870||42990|13457|Montefalcone Appennino
        B826|CH|1863||42010|14504|Carpineto Sinello
        G477|TO|||45356|7642|Pertusio
        L293|RI|1876||42263|12872|Torricella in Sabina
        D703|IS|1863||41696|14180|Forlì del Sannio
        D791|PU|1869||43633|12902|Fratte Rosa
        L681|SP|1862||44377|9594|Varese Ligure
        C880|RI|1957||42498|12782|Colli sul Velino|Colli di Labro
        D192|VA|||45915|8879|Cuasso al Monte
        E433|VC|||45231|8098|Lamporo
        A183|CS|1863||39959|16380|Alessandria del Carretto
        B084|CN|||44528|8050|Bossolasco
        D137|CH|||42298|14327|Crecchio
        F249|PZ|||40283|16166|Missanello
        I189|IS|||41544|14222|Sant'Agapito
        I975|TN|1920||46120|10751|Strembo
        F311|AT|||44771|8448|Mombaruzzo
        F697|FM|||43062|13590|Montottone
        I960|SA|||40310|15252|Stio
        D624|CS|1862||39236|16071|Fiumefreddo Bruzio
        L160|NU|||40067|9148|Tiana
        L241|CN|1862||44353|7900|Torre Mondovì
        F737|AL|||44639|8756|Mornese
        H408|RC|1864||38048|15892|Roccaforte del Greco
        E583|VC|||45286|8344|Lignana
        F380|AP|1862||42897|13793|Monsampolo del Tronto
        H848|SS|1959||41079|9113|Aglientu|San Francesco d'Aglientu
        B966|RC|||38102|16090|Casignana
        I344|PU|||43680|12876|Sant'Ippolito
        B541|BN|||41287|14730|Campolattaro
        B312|VA|||45894|8758|Castello Cabiaglio|Cabiaglio
        D591|FR|1871||41891|13325|Filettino|Filettino Graziani
        D733|ME|||37915|15334|Forza d'Agrò
        E524|BG|||45943|9679|Lenna
        I265|FR|1907||41369|13842|Sant'Andrea del Garigliano|Sant'Andrea
        L212|SA|||40322|15054|Torchiara
        B718|RC|1864||38093|16088|Caraffa del Bianco
        F395|ME|||38132|14947|Montagnareale
        G524|AQ|1863||41973|13960|Pettorano sul Gizio
        L097|TN|1920||45919|10832|Tenno
        M177|SP|||44278|9746|Zignago
        I132|RC|||38282|15891|San Procopio
        C870|FR|||41550|13695|Colle San Magno
        E782|TO|||44851|7398|Macello
        L772|PC|||44799|9831|Vernasca
        B873|BN|1892||41261|14695|Casalduni
        C856|CH|||41986|14387|Colledimezzo
        F507|SA|1862||40365|15195|Monteforte Cilento
        B637|TO|||45340|7384|Cantoira
        C080|RN|||43791|12155|Casteldelci
        E713|VT|1871||42636|12109|Lubriano
        E992|SS|||40778|8809|Martis
        F664|FM|||43049|13631|Monte Vidon Combatte
        F878|BI|1870||45540|7947|Netro
        L272|AV|||41023|14909|Torre Le Nocelle
        E212|RC|||38365|16265|Grotteria
        G308|PG|||43028|12100|Panicale
        H157|SI|||43260|11046|Radicondoli
        I749|OR|||39754|8905|Sini
        L247|TO|||45392|7760|Torre Canavese|Torre Bairo
        E809|CN|1862||44769|8070|Magliano Alfieri|Magliano d'Alba
        H316|CR|||45306|9704|Ripalta Guerina
        C854|CB|||41510|14519|Colle d'Anchise
        F974|OR|1862||40101|8952|Nughedu Santa Vittoria
        G034|CZ|||38726|16424|Olivadi
        G421|NO|||45797|8384|Pella
        I368|GE|||44547|9453|Santo Stefano d'Aveto
        L022|LC|||46023|9364|Taceno
        C695|RC|||38246|16140|Ciminà
        M292|SS|1988||40792|8944|Erula
        D554|AT|||44876|7994|Ferrere
        D769|CE|||41185|14057|Francolise
        I844|CZ|1863||39019|16569|Sorbo San Basile
        L305|CS|||39941|15805|Tortora
        A314|RC|||38273|16148|Antonimina
        D878|BO|||44750|11394|Galliera
        E416|CO|||45984|9075|Laino
        E497|BS|||45739|10439|Lavenone
        L774|SP|1871||44135|9683|Vernazza
        D184|CS|1902||39568|16771|Crosia
        D352|BG|||45880|9697|Dossena
        D635|ME|||37988|14911|Floresta
        F776|BI|||45500|8211|Mottalciata
        A876|BI|||45615|8136|Bioglio
        C453|CZ|||38719|16416|Cenadi
        D317|VR|1866||45601|10852|Dolcè
        E087|OR|||39700|8836|Gonnoscodina
        L059|AL|||44728|8772|Tassarolo
        E748|CB|||41761|14734|Lupara
        G050|BG|||45889|9769|Oltre il Colle
        H549|VC|||45253|8277|Ronsecco
        H594|VI|1866||45862|11396|Rotzo
        E346|IM|||43881|7640|Isolabona
        H203|VB|||46131|8546|Re
        D103|BG|1864||45803|9504|Costa Valle Imagna
        F324|RC|||38453|16552|Monasterace
        H228|ME|||37972|14344|Reitano
        H991|CH|1864||42224|14216|San Martino sulla Marrucina
        C476|BN|||41045|14761|Ceppaloni
        D477|FM|||43104|13472|Falerone
        L558|CN|||44278|7398|Valdieri
        M150|PV|||44868|9267|Zavattarello
        B236|AT|||44663|8295|Bubbio
        D501|PE|||42443|13821|Farindola
        L961|CH|||42160|14569|Villalfonsina
        B627|RI|||42465|12905|Cantalice
        D099|VB|||45964|8510|Cossogno
        L217|AO|||45806|7570|Torgnon|Torgnone
        D906|BG|||45659|9889|Gandosso
        H937|FI|||43925|11620|San Godenzo
        A589|CN|1862||44762|7909|Baldissero d'Alba
        C248|AN|||43494|13082|Castelplanio
        D473|CS|1863||39275|16088|Falconara Albanese
        B469|AT|||44992|8091|Camerano Casasco
        F265|LC|||45932|9486|Moggio
        F424|CN|||44462|7666|Montanera
        F044|AP|||43051|13798|Massignano
        F458|PI|1869||43392|10749|Montecatini Val di Cecina
        L689|PR|||44663|9849|Varsi
        A264|NO|||45789|8440|Ameno
        A761|IS|1863||41824|14423|Belmonte del Sannio
        D586|RM|1871||42254|12599|Filacciano
        D856|CN|||44336|7409|Gaiola
        G299|BZ|1920||46656|11042|Plaus|Plaus|Palus
        M015|CN|||44485|7382|Villar San Costanzo
        B465|BI|||45544|8002|Camburzano
        F843|VV|1902||38474|16343|Nardodipace
        A419|SU|||39522|9381|Armungia
        E084|SU|||39579|9285|Goni
        I096|IS|||41789|14183|San Pietro Avellana
        L696|IS|||41775|14258|Vastogirardi
        E646|NU|||40407|9611|Loculi
        I601|GR|1963||42729|11541|Semproniano
        C375|CN|||44740|7664|Cavallerleone
        C663|AR|||43697|11935|Chiusi della Verna|Chiusi in Casentino
        I571|GR|1920||42929|11557|Seggiano
        D134|VB|||46141|8489|Craveggia
        F733|TO|||45039|7941|Moriondo Torinese
        G462|TO|1863||45397|7831|Perosa Canavese
        H877|CS|||39606|15915|Sangineto
        L873|PZ|||39972|16085|Viggianello
        B997|AV|1863||40870|15026|Cassano Irpino
        E374|ME|||38051|15437|Itala
        A398|CH|||42290|14259|Ari
        L894|BG|||45716|10026|Vigolo
        H997|TO|1863||45395|7816|San Martino Canavese
        C268|RI|||42394|13027|Castel Sant'Angelo
        D247|BL|1866||46567|12521|Danta di Cadore|Danta
        E447|FM|||43109|13771|Lapedona
        G697|CN|||44514|7893|Piozzo
        I589|CZ|||38982|16631|Sellia
        L104|NO|||45376|8695|Terdobbiate
        I593|BZ|1920||46890|11858|Selva dei Molini|Mühlwald
        L250|PV|1928||45060|8671|Torre Beretti e Castellaro
        C303|LU|1863||44152|10412|Castiglione di Garfagnana
        I609|OR|||39823|8939|Senis
        L913|LU|1890||43926|10645|Villa Basilica
        L834|AT|||44981|8357|Viarigi
        M094|TO|||45238|7373|Viù
        C210|ME|1862||37858|15277|Castelmola
        D156|VI|1866||45620|11226|Crespadoro
        D219|BI|||45627|8236|Curino
        A432|BN|||41030|14744|Arpaise
        C438|AT|||44864|7945|Cellarengo
        G037|MT|1863||40536|16185|Oliveto Lucano
        I260|SA|1881||40807|15326|Santomenna
        I701|TO|||45408|7994|Settimo Rottaro
        B756|RC|||38084|15766|Cardeto
        E091|RM|1871||41655|13107|Gorga
        F833|BI|||45561|7989|Muzzano
        G416|PU|||43696|12498|Peglio
        C143|IM|||43864|7869|Castellaro
        F748|CB|1863||41711|14781|Morrone del Sannio
        G374|FR|1871||41591|13244|Patrica
        C160|AL|||45074|8240|Castelletto Merli
        F908|PE|||42334|13986|Nocciano
        I164|CZ|||38637|16488|San Sostene
        L286|RI|1876||42351|12642|Torri in Sabina
        L335|UD|1866||46282|13075|Trasaghis
        E034|BN|||41280|15044|Ginestra degli Schiavoni
        G455|SA|||40299|15147|Perito
        I150|AL|1863||44786|9064|San Sebastiano Curone
        H346|VC|||45214|8417|Rive
        H684|TO|||45074|6887|Salbertrand|Salabertano
        I253|SA|||40105|15542|Santa Marina
        C302|GE|1863||44275|9517|Castiglione Chiavarese
        D759|AL|1873||44735|8731|Francavilla Bisio
        E837|AN|||43476|13120|Maiolati Spontini|Maiolati
        H030|VB|||45978|8596|Premeno
        A846|BG|||45773|9918|Bianzano
        L450|VB|||46122|8333|Trontano
        A097|OR|||40171|8857|Aidomaggiore
        D903|BG|||45991|9946|Gandellino
        E779|IS|||41559|14410|Macchiagodena
        C240|SP|||44100|10017|Castelnuovo Magra
        D744|CZ|1864||38996|16580|Fossato Serralta
        B697|TN|1920||46263|11338|Capriana
        D064|BS|||46166|10243|Corteno Golgi|Corteno
        E462|CO|||45882|9266|Lasnigo
        G234|ME|1914||37985|15360|Pagliara
        L459|CH|||41917|14626|Tufillo
        H754|TN|1920||46082|11523|Samone
        E570|CE|1862||41226|14290|Liberi
        F713|AL|||44605|8511|Morbello
        G397|AL|||44989|8670|Pecetto di Valenza|Pecetto
        H177|BG|||45788|9935|Ranzanico
        L977|LO|1878||45238|9482|Villanova del Sillaro
        B481|RC|||38432|16483|Camini
        D175|GE|||44581|9024|Crocefieschi
        E159|AT|1868||45040|8311|Grazzano Badoglio|Grazzano Monferrato
        F270|OR|||39864|8859|Mogorella
        F670|PV|1863||45111|9513|Monticelli Pavese
        C346|CB|||41618|14559|Castropignano
        E028|VB|||45864|8509|Gignese
        G320|CS|||39872|15906|Papasidero
        I661|MC|1862||43072|12952|Serravalle di Chienti
        A235|CH|||42100|14333|Altino
        A762|CS|1863||39164|16082|Belmonte Calabro
        C322|TE|||42533|13917|Castilenti
        C779|PE|||42364|13885|Civitella Casanova
        G505|TO|||45287|7415|Pessinetto
        L492|KR|||39353|16918|Umbriatico
        A051|IS|||41671|14148|Acquaviva d'Isernia
        C600|SS|||40505|8726|Cheremule
        L607|VV|||38647|16297|Vallelonga
        M200|UD|1866||46458|13026|Zuglio
        D640|OR|||40265|8538|Flussio
        F569|CB|1902||41888|14647|Montemitro
        G002|AQ|||42325|13759|Ofena
        B048|SV|||44278|8232|Bormida
        E248|CB|||41434|14543|Guardiaregia
        H732|SA|||40591|15458|Salvitelle
        H992|CS|1863||39490|16110|San Martino di Finita
        L384|SI|1877||43187|11668|Trequanda
        A338|IM|||43880|7660|Apricale
        C024|LC|||45932|9479|Cassina Valsassina
        G441|CH|||42105|14396|Perano
        H250|AT|1863||44858|8160|Revigliasco d'Asti
        I364|FR|1872||41517|13310|Villa Santo Stefano
        C771|PE|||42326|13900|Civitaquana
        E523|ME|1910||38555|14825|Leni
        E546|CN|||44401|7969|Lesegno
        E825|OR|||40263|8523|Magomadas
        G358|AT|1929||45056|8019|Passerano Marmorito
        I636|SO|||46224|10205|Sernio
        I642|CS|||39090|16126|Serra d'Aiello
        G193|AL|||45054|8340|Ottiglio
        I286|MC|||43098|13397|Sant'Angelo in Pontano
        I698|AT|||44962|8114|Settime
        I736|NO|||45521|8441|Sillavengo
        L211|TN|1920||46074|11450|Torcegno
        D706|VB|||46377|8426|Formazza
        A385|RC|||38192|16167|Ardore
        C083|AQ|||42365|13726|Castel del Monte
        D511|CN|||44806|7585|Faule
        B572|BO|||44171|11088|Camugnano
        E795|VB|1928||45792|8370|Madonna del Sasso
        G476|SA|||40543|15450|Pertosa
        H702|TO|1863||45458|7851|Salerano Canavese
        C567|VB|||45834|8368|Cesara
        D777|AL|1863||45033|8387|Frassinello Monferrato
        G362|FR|||41468|13491|Pastena
        L040|BL|1866||46126|12419|Tambre
        F509|FM|||42944|13344|Montefortino
        H846|CZ|||38838|16519|San Floro
        I948|BZ|1920||46598|10546|Stelvio|Stilfs
        C764|CB|||41780|14689|Civitacampomarano
        G771|AN|||43511|13074|Poggio San Marcello
        M080|TO|||45441|7768|Vistrorio
        D573|TN|1920||46111|11318|Fierozzo
        D718|UD|1866||46586|12775|Forni Avoltri
        F639|VB|||46067|8232|Montescheno
        C245|BN|||41402|14807|Castelpagano
        F932|VB|||45846|8378|Nonio
        A325|VB|1864||45989|8345|Anzola d'Ossola
        C905|CS|||39119|16399|Colosimi
        D852|CZ|||38676|16461|Gagliato
        F322|CB|||41611|14810|Monacilioni
        G583|BG|||45993|9689|Piazzatorre
        B124|BS|||45990|10342|Braone
        B658|AQ|||42520|13301|Capitignano
        C316|TE|||42532|13880|Castiglione Messer Raimondo
        C554|CS|||39542|16127|Cervicati
        L473|SU|||39705|8917|Turri
        A768|CS|||39177|16287|Belsito
        B209|TO|||45117|8072|Brozolo
        D033|MI|1871||45354|8956|Morimondo
        F751|AL|||44665|8551|Morsasco
        I843|AV|1862||40917|14887|Sorbo Serpico
        M166|PV|||45110|9396|Zerbo
        A477|OR|||39809|8919|Assolo
        C829|NO|||45793|8500|Colazza
        F361|AT|||44849|8219|Mongardino
        A738|AL|1863||44625|8661|Belforte Monferrato
        B001|FC|||44032|12356|Borghi
        C270|IS|1928||41655|14062|Castel San Vincenzo
        L127|RC|1864||38322|16007|Terranova Sappo Minulio
        D890|AL|||44808|8541|Gamalero
        E266|CH|||41997|14479|Guilmi
        G411|CS|||39110|16305|Pedivigliano
        B840|AL|||44658|8831|Carrosio
        D776|RO|1878||44995|11699|Frassinelle Polesine
        I071|AN|1863||43455|13173|San Paolo di Jesi
        L038|AR|||43602|11787|Talla
        L730|SV|||44077|8071|Vendone
        B525|TN|1920||46258|11033|Campodenno
        F524|PU|||43868|12471|Monte Grimano Terme|Monte Grimano
        G680|PN|1867||46182|12944|Pinzano al Tagliamento
        I032|SA|||40122|15291|San Mauro la Bruca
        E817|TO|||45347|8013|Maglione
        H920|CB|||41591|14752|San Giovanni in Galdo
        I510|GR|1960||42908|10851|Scarlino
        A671|CN|||44611|7943|Barolo
        A827|SS|||40554|8728|Bessude
        B818|AL|||44678|8606|Carpeneto
        D910|AL|||44780|8998|Garbagna
        L143|AL|||44670|8422|Terzo
        H311|CB|||41690|14809|Ripabottoni
        E872|CS|||39601|16053|Malvito
        G692|AT|||45055|8050|Piovà Massaia|Piovà
        E923|CZ|||39027|16836|Marcedusa
        B640|TE|||42646|13804|Canzano
        F578|CH|||41977|14252|Montenerodomo
        G063|SA|||40249|15084|Omignano
        H204|PV|||45113|9155|Rea
        M179|BI|||45449|8037|Zimone
        B355|CO|||45871|9237|Caglio
        B890|CR|||45419|9783|Casaletto di Sopra
        B918|ME|1862||37958|15324|Casalvecchio Siculo
        B540|AO|||45624|7622|Champorcher|Campo Laris
        E450|CS|||39320|16311|Lappano
        H242|UD|1866||46374|13307|Resia
        C418|SO|||46149|9768|Cedrasco
        A312|AT|1880||44845|8135|Antignano
        D745|PG|1863||43296|12761|Fossato di Vico
        M131|FG|1862||41496|15052|Volturara Appula
        A534|VB|||46261|8319|Baceno
        D350|BI|||45426|8099|Dorzano
        G424|PR|1870||44730|9932|Pellegrino Parmense
        H107|VB|||45869|8363|Quarna Sotto
        D737|CB|1863||41673|14546|Fossalto
        B230|AO|||45759|7729|Brusson|Brussone
        C872|BL|1920||46449|12014|Colle Santa Lucia
        E539|CN|1863||44560|7882|Lequio Tanaro
        G447|SA|||40267|15017|Perdifumo
        G102|AQ|1908||42049|13039|Oricola
        D201|PE|||42307|13935|Cugnoli
        G090|PI|1862||43494|10512|Orciano Pisano
        B515|TE|||42727|13687|Campli
        B933|BI|||45616|8196|Casapinta
        E566|TO|1896||45317|7606|Levone
        G724|CH|||41922|14236|Pizzoferrato
        G940|VC|||45714|8229|Postua
        I555|AT|||44965|8279|Scurzolengo
        D203|CR|1862||45355|9836|Cumignano sul Naviglio
        I455|BN|||41375|14665|Sassinoro
        E229|PG|||42912|12557|Gualdo Cattaneo
        F404|AL|1863||44683|8588|Montaldo Bormida
        F689|CB|1864||41759|14933|Montorio nei Frentani
        C506|BG|||45867|9995|Cerete
        D246|TN|1920||46405|11093|Dambel
        E029|AO|||45780|7296|Gignod
        E360|AL|1877||45030|8849|Isola Sant'Antonio
        F599|FM|||43028|13582|Monte Rinaldo
        I861|OR|||40106|8932|Sorradile
        C266|RM|1872||41846|12895|Castel San Pietro Romano
        D258|SO|||46161|9601|Dazio
        I774|FM|1919||43005|13445|Smerillo
        B205|TO|||45492|7802|Brosso
        E242|CS|1863||39466|16000|Guardia Piemontese
        H071|VT|1871||42757|11829|Proceno
        H447|CN|||44342|7442|Roccasparvera
        A910|TO|||44809|7117|Bobbio Pellice
        B577|TN|1920||46157|11730|Canal San Bovo
        C532|BI|||45469|8068|Cerrione
        G064|NU|1895||40485|9443|Onanì
        B595|RI|1863||42130|12938|Orvinio
        L605|FR|1907||41366|13808|Vallemaio|Vallefredda
        D441|SS|||40385|8990|Esporlatu
        F407|TO|1863||45065|7850|Montaldo Torinese
        F452|LU|1881||43852|10667|Montecarlo
        A467|VI|1909||45305|11446|Asigliano Veneto|Asigliano
        G913|GE|||44303|9209|Portofino
        H588|AP|1869||42954|13558|Rotella
        L176|BZ|1920||46468|11527|Tires|Tiers
        L773|MI|1870||45316|9060|Vernate
        B453|AL|||45018|8430|Camagna Monferrato
        B472|RM|1872||42018|13110|Camerata Nuova
        B999|VA|1863||45932|8768|Cassano Valcuvia
        C497|TO|||45313|7390|Ceres|Cere
        D365|TN|1920||45969|10945|Drena
        E706|BS|||45986|10261|Lozio
        M055|CN|||44308|7176|Vinadio
        B897|NO|1869||45358|8524|Casalino
        G049|BG|1863||45970|9650|Olmo al Brembo
        D735|MS|||44133|10018|Fosdinovo
        F503|MO|1869||44354|10624|Montefiorino
        H799|PV|1863||45109|9281|San Cipriano Po
        I654|PU|||43492|12774|Serra Sant'Abbondio
        B172|CO|||45912|9131|Brienno
        C956|ME|||38174|15327|Condrò
        G241|LC|||46060|9403|Pagnona
        G577|BI|||45590|8135|Piatto
        G973|TO|||45014|6942|Pragelato
        I217|PI|||43471|10563|Santa Luce
        B457|BI|||45644|8100|Camandona
        M255|AQ|1889||42149|13735|Molina Aterno
        F810|VI|1889||45758|11566|Salcedo
        B063|SS|||40892|9044|Bortigiadas
        E030|CB|||41509|14740|Gildone
        E168|AO|||45773|7828|Gressoney-Saint-Jean
        H569|AL|1863||45081|8400|Rosignano Monferrato
        L617|PV|1871||45172|9234|Valle Salimbene
        A111|IM|||43871|7554|Airole
        D089|RC|||38275|15928|Cosoleto
        E060|SA|||40394|15108|Giungano
        E297|BS|||46220|10359|Incudine
        H327|BL|1867||46252|12023|Rivamonte Agordino|Rivamonte
        H681|BI|1863||45509|7958|Sala Biellese
        L047|CH|1881||42021|14171|Taranta Peligna
        A542|CZ|||38569|16525|Badolato
        F191|NO|||45802|8430|Miasino
        B856|TN|1920||46071|11494|Carzano
        C128|TE|||42677|13821|Castellalto
        C482|CO|1862||45944|9088|Cerano d'Intelvi
        D751|CN|||44291|7804|Frabosa Soprana
        G960|AL|||44878|9030|Pozzol Groppo
        D096|AP|||42984|13690|Cossignano
        D757|CH|||41906|14488|Fraine
        F948|TO|||45191|7014|Novalesa
        G873|FM|1862||43104|13660|Ponzano di Fermo
        I541|PA|||37822|13855|Sclafani Bagni|Sclafani
        L244|SO|1863||46234|9852|Torre di Santa Maria
        H272|AL|||44732|8468|Ricaldone
        I351|FR|||41602|13635|Santopadre
        F338|CN|||44571|7920|Monchiero
        C142|AL|||44905|8948|Castellar Guidobono
        L758|CN|||44666|7931|Verduno
        A397|CZ|||38681|16436|Argusto
        B555|SA|||40305|15292|Campora
        C845|PG|||42901|12436|Collazzone
        G240|CN|||44612|7426|Pagno
        H421|LT|1871||41679|12921|Rocca Massima
        I031|SA|||40226|15045|San Mauro Cilento
        A288|BS|||45766|10494|Anfo
        E669|IS|||41522|14247|Longano
        G796|SA|||40191|15057|Pollica
        A916|TN|1920||46119|10759|Bocenago
        C595|AO|||45744|7549|Chambave|Ciambave
        F145|AN|||43474|13035|Mergo
        A207|TR|1887||42812|11975|Allerona
        A242|TR|||42591|12298|Alviano
        A282|TO|||45526|7881|Andrate
        B934|RI|||42252|12804|Casaprota
        H425|PE|||42213|14025|Roccamorice
        L306|SA|||40142|15606|Tortorella
        A593|SV|1869||44124|8171|Balestrino
        A742|VB|||45841|8571|Belgirate
        D339|BI|1870||45526|7910|Donato
        A656|AQ|||42450|13281|Barete
        B919|FR|||41633|13714|Casalvieri
        E328|CZ|||38601|16520|Isca sullo Ionio
        H200|UD|1866||46434|12872|Raveo
        H303|MO|||44231|10653|Riolunato
        H552|TN|1920||46424|11153|Ronzone
        L643|AO|||45825|7326|Valpelline|Valpellina
        D395|NU|1958||39900|9532|Elini
        I558|AQ|||42151|13681|Secinaro
        E345|TO|||44906|7909|Isolabella
        F467|PU|||43840|12414|Monte Cerignone
        G770|RI|||42252|12843|Poggio San Lorenzo
        B846|PU|||43766|12883|Cartoceto
        F102|LO|||45120|9836|Meleti
        F397|AV|||41249|15248|Montaguto
        I511|TO|||45385|7841|Scarmagno
        E351|PU|||43738|12784|Isola del Piano
        A541|AR|||43709|12184|Badia Tedalda
        D315|CH|||41942|14635|Dogliola
        D885|ME|1952||37902|15294|Gallodoro
        H442|CH|||42062|14308|Roccascalegna
        A041|CS|||39496|15954|Acquappesa
        B887|LO|1870||45293|9362|Casaletto Lodigiano
        D114|IM|||43855|7941|Costarainera
        D839|AO|1952||45713|7882|Gaby
        G429|TN|1920||46088|10724|Pelugo
        M058|AT|||44811|8321|Vinchio
        B929|PV|||45094|9213|Casanova Lonati
        C392|TN|1920||46185|11033|Cavedago
        F852|AQ|||42237|13730|Navelli
        H033|VB|||46268|8338|Premia
        I292|VR|1929||45627|10952|Sant'Anna d'Alfaedo
        F312|CN|||44367|7968|Mombasiglio
        L580|CN|||44412|7381|Valgrana
        G866|SV|||44442|8436|Pontinvrea
        L164|CR|||45369|9828|Ticengo
        A863|TN|1920||46082|11556|Bieno
        L988|RO|1866||44992|11967|Villanova Marchesana
        H289|UD|1866||46554|12846|Rigolato
        I649|PE|||42248|14093|Serramonacesca
        M023|AQ|||42270|13537|Villa Sant'Angelo
        L981|AO|||45702|7207|Villeneuve|Villanova Baltea|Villaneuve
        C437|CS|||39218|16335|Cellara
        D310|CO|||45944|9100|Dizzasco
        D712|VC|||45429|8292|Formigliana
        E228|MC|||43066|13343|Gualdo
        E382|RM|1871||41889|13170|Jenne
        D187|VC|1891||45331|8211|Crova
        E245|AV|||40952|15209|Guardia Lombardi
        E587|AO|||45629|7841|Lillianes|Lilliana
        C108|CS|1863||39310|16195|Castrolibero
        C718|IM|||43852|7931|Cipressa
        D678|AT|||44753|8421|Fontanile
        F192|VB|||45976|8523|Miazzina
        I282|IS|||41882|14254|Sant'Angelo del Pesco
        A842|CS|||39101|16410|Bianchi
        C857|RI|1948||42208|12947|Colle di Tora
        E363|FG|1932||42121|15504|Isole Tremiti
        H132|VC|1864||45379|8362|Quinto Vercellese
        L183|PR|1863||44519|10198|Tizzano Val Parma
        C527|PG|1863||42822|12920|Cerreto di Spoleto
        D394|PE|||42523|13971|Elice
        E419|CS|||39936|15977|Laino Castello
        F806|BS|||45713|10342|Mura
        H059|CN|||44376|8093|Priero
        H716|CN|||44576|7791|Salmour|Salmore
        C115|CR|1862||45468|9718|Castel Gabbiano
        D770|AL|||44826|8531|Frascaro
        E947|LC|||46031|9382|Margno
        F118|BZ|1920||46587|11255|Meltina|Mölten
        F661|PI|||43178|10711|Monteverdi Marittimo|Monteverdi
        G607|IM|||43889|7903|Pietrabruna
        G905|RC|||38227|16203|Portigliola
        L257|BG|||45774|9480|Torre de' Busi
        L431|ME|||38047|15097|Tripi|Tripi - Abakainon
        L745|BZ|1920||46604|11226|Verano|Vöran
        I298|OR|||39859|8902|Villa Sant'Antonio|Sant'Antonio Ruinas
        C274|AL|||44806|8583|Castelspina
        D207|AT|||45040|8096|Cunico
        D444|AO|||45821|7231|Etroubles|Etroble
        B847|AL|||44590|8421|Cartosio
        E559|CH|||42003|14157|Lettopalena
        I454|LI|||43129|10644|Sassetta
        I721|OR|||39928|8763|Siapiccia
        M282|SS|1980||40867|8715|Tergu
        B020|IM|||43975|7944|Borgomaro
        C709|SO|||46158|9485|Cino
        H196|UD|1866||46525|12921|Ravascletto
        B871|CB|||41580|14528|Casalciprano
        D961|RN|||43904|12581|Gemmano
        F548|CB|||41737|14950|Montelongo
        F677|GR|||43131|11017|Montieri
        H988|BZ|1920||46682|11898|San Martino in Badia|St. Martin in Thurn|San Martino|St. Martin
        I677|SA|||40259|15076|Sessa Cilento
        C660|IM|||43967|7984|Chiusavecchia
        G040|LC|1927||45930|9284|Oliveto Lario
        C338|FR|1872||41508|13406|Castro dei Volsci
        C432|AL|1863||45074|8392|Cella Monte
        C472|CZ|||38729|16431|Centrache
        D943|BG|||45756|9887|Gaverina Terme|Gaverina
        H438|AV|||40950|15167|Rocca San Felice
        C755|IM|||43880|7952|Civezza
        B311|AL|1895||44675|9096|Cabella Ligure
        L399|AV|||41048|15233|Trevico
        L561|ME|||38194|15370|Valdina
        A480|OR|||39871|8946|Asuni
        B057|CH|||41917|14305|Borrello
        C679|TO|||45330|7759|Ciconio
        A204|OR|||39957|8864|Allai
        L614|FR|||41551|13914|Vallerotonda
        C982|PV|1869||45063|8970|Corana
        F310|PU|||43795|12855|Mombaroccio
        I742|OR|||39721|8828|Simala
        G887|SA|1871||40232|15093|Stella Cilento
        F665|FM|||43121|13489|Monte Vidon Corrado
        C699|PN|1866||46289|12438|Cimolais
        G523|IS|1863||41573|14278|Pettoranello del Molise|Pettoranello di Molise
        H343|AL|||44977|8716|Rivarone
        F025|PT|||43909|10744|Massa e Cozzile
        G435|CH|||42156|14194|Pennapiedimonte
        H120|TO|||45523|7833|Quassolo
        A135|SO|1863||46103|9590|Albaredo per San Marco
        C066|CB|||41753|14706|Castelbottaccio
        C123|CH|||41823|14523|Castelguidone
        C841|RI|1893||42135|13048|Collalto Sabino
        D958|PC|1888||44960|9549|Gazzola
        E649|NU|||40149|9219|Lodine
        B803|BG|||46021|9785|Carona
        F907|CS|||40099|16482|Nocara
        L292|PV|1863||45020|9174|Torricella Verzate
        M083|FR|1902||41525|13970|Viticuso
        A318|AQ|||41995|13804|Anversa degli Abruzzi|Anversa
        H491|PV|||45288|9090|Rognano
        B191|VA|1928||45949|8746|Brissago-Valtravaglia
        A233|FM|||43108|13796|Altidona
        D970|SU|||39743|8924|Genuri
        I121|AQ|||42284|13656|San Pio delle Camere
        I341|RC|1863||38219|16195|Sant'Ilario dello Ionio
        L579|BG|||45975|9914|Valgoglio
        M196|BI|||45493|7996|Zubiena
        D544|CZ|||38962|16388|Feroleto Antico
        M202|CS|||39311|16293|Zumpano
        A236|VI|1866||45614|11252|Altissimo
        D101|AT|||44990|8139|Cossombrato
        F473|PR|||44693|10421|Montechiarugolo
        L784|PV|||45040|9113|Verretto
        F891|PV|||45286|8668|Nicorvo
        A538|PV|||45121|9469|Badia Pavese|Badia
        F526|VA|1928||45974|8767|Montegrino Valtravaglia
        F484|MO|||44246|10718|Montecreto
        H677|AL|1863||45075|8361|Sala Monferrato
        I411|TN|1920||46366|11076|Sanzeno
        I476|BS|||46080|10398|Saviore dell'Adamello|Saviore
        D015|BG|||45831|9545|Corna Imagna
        D835|AL|||45157|8195|Gabiano
        E368|TO|||45446|7753|Issiglio
        F933|NU|||40224|8920|Noragugume
        H019|BZ|1920||47040|12107|Predoi|Prettau|San Valentino in Predoi
        D092|TO|1864||45388|7992|Cossano Canavese
        H634|TN|1920||46415|11178|Ruffrè-Mendola|Ruffrè
        F417|PV|1863||44978|9212|Montalto Pavese
        F747|TE|1864||42663|13921|Morro d'Oro
        G626|BN|||41348|14550|Pietraroja
        L150|VT|1871||42478|11791|Tessennano
        A609|OR|1868||39796|8821|Villa Verde|Bannari di Usellus
        G344|TR|||42866|12110|Parrano
        H333|TO|||45117|7888|Rivalba
        B482|AL|||45157|8294|Camino
        D111|BG|||45833|9742|Costa Serina
        F446|RI|||42368|12597|Montebuono
        C712|TN|1920||46057|11614|Cinte Tesino
        G699|ME|||38161|14861|Piraino
        H693|CB|||41746|14511|Salcito
        B109|AL|||45069|8606|Bozzole
        H654|SA|||40377|15378|Sacco
        B358|AQ|1864||42457|13228|Cagnano Amiterno
        E930|LI|1884||42793|10169|Marciana
        G992|AQ|1863||42278|13608|Prata d'Ansidonia
        H414|AL|||44671|8648|Rocca Grimalda
        C110|IM|1862||43928|7675|Castel Vittorio
        C090|AQ|||42114|13742|Castel di Ieri
        C723|MT|||40394|16172|Cirigliano
        I171|CS|1863||39586|16070|Santa Caterina Albanese
        A117|TO|1864||45315|7303|Ala di Stura
        C488|CB|||41460|14665|Cercepiccola
        D426|PN|1866||46276|12371|Erto e Casso
        E439|PV|||45215|8564|Langosco
        G664|SP|||44178|9723|Pignone
        I023|CB|||41493|14410|San Massimo
        I172|LE|1913||40036|18455|Santa Cesarea Terme|Santa Cesarea
        A245|AL|||45018|8881|Alzano Scrivia|Alzano
        L526|CH|||42298|14229|Vacri
        A421|FR|1871||41585|13388|Arnara
        A718|PV|1872||45275|9078|Battuda
        A987|PR|1919||44719|9792|Bore|Metti e Pozzolo
        A823|PC|||44987|9956|Besenzone
        D797|AL|||44783|8686|Fresonara
        F441|PE|1863||42417|13871|Montebello di Bertona
        H695|CN|1862||44395|8080|Sale delle Langhe
        A763|FR|1862||41577|13816|Belmonte Castello
        D093|CN|||44669|8199|Cossano Belbo
        D346|LC|||46100|9319|Dorio
        D681|AQ|||42230|13606|Fontecchio
        F409|AT|||44830|8259|Montaldo Scarampi
        G997|TO|||45353|7596|Pratiglione
        I007|CR|1868||45072|10316|San Martino del Lago
        I065|BZ|1960||46586|11086|San Pancrazio|St. Pankraz
        L991|OR|||39988|8752|Villanova Truschedu
        F766|BZ|1920||46832|11167|Moso in Passiria|Moos in Passeier|Moso|Moos|Piano in Passeria
        I214|RC|1864||38172|15757|Sant'Alessio in Aspromonte
        I894|PV|||45114|9349|Spessa
        L857|TO|||45431|7757|Vidracco
        B026|PU|||43658|12293|Borgo Pace
        C364|NO|||45602|8502|Cavaglietto
        F497|PU|||43735|12834|Montefelcino
        H400|AQ|||42238|13489|Rocca di Cambio
        B443|PZ|||40149|16144|Calvera
        F557|BN|1864||41169|14939|Sant'Arcangelo Trimonte
        A085|VA|||46037|8768|Agra
        C440|AT|1863||44857|8124|Celle Enomondo
        F985|OR|||39823|8975|Nureci
        G437|TE|||42594|13772|Penna Sant'Andrea
        A760|FM|1863||43092|13539|Belmonte Piceno
        D532|TO|||45036|7049|Fenestrelle
        E163|VC|||45451|8385|Greggio
        E613|PG|1864||43247|12143|Lisciano Niccone
        G307|CS|||39060|16454|Panettieri
        H165|CE|1862||41211|14410|Ruviano
        A709|CN|1862||44442|7894|Bastia Mondovì
        D072|AT|1863||44822|8358|Cortiglione
        G622|CS|||39487|16816|Pietrapaola
        I139|RC|||38211|15736|San Roberto
        G504|CR|1868||45185|10248|Pessina Cremonese
        G985|VC|||45281|8478|Prarolo
        L262|PV|||45150|9335|Torre de' Negri
        D555|PC|||44644|9497|Ferriere
        I876|BL|1866||46203|12303|Soverzene
        D214|OR|||39746|8832|Curcuris
        H672|AO|||45717|7167|Saint-Nicolas
        H938|BL|1867||46104|12027|San Gregorio nelle Alpi
        I714|TN|1920||46340|11124|Sfruz
        H715|PE|||42178|13961|Salle
        E571|ME|||38097|14959|Librizzi
        G785|VV|||38751|16312|Polia
        I545|VC|||45774|8094|Scopello
        C082|IS|||41855|14232|Castel del Giudice
        D222|BZ|1928||46808|10543|Curon Venosta|Graun im Vinschgau
        E255|AL|||45014|8848|Guazzora
        C230|AT|||44787|8284|Castelnuovo Calcea
        D589|VV|||38615|16031|Filandari
        E237|VC|||45702|8249|Guardabosone
        F550|CN|1862||44622|8047|Montelupo Albese
        G277|RC|||37967|15987|Palizzi
        G937|SO|||46174|9777|Postalesio
        H255|CO|||45867|9249|Rezzago
        I289|CB|||41693|14603|Sant'Angelo Limosano
        G861|AL|||44628|8365|Ponti
        H987|AT|1898||44818|8110|San Martino Alfieri
        L611|RM|1871||41926|13231|Vallepietra
        B367|AV|||40896|15371|Cairano
        F666|CN|||44377|8141|Montezemolo
        F722|FM|1910||43087|13730|Moresco
        G471|VC|||45236|8417|Pertengo
        A527|AT|1863||44873|8267|Azzano d'Asti|Azzano del Tanaro
        F922|VI|1867||45560|11288|Nogarole Vicentino
        G591|FR|||41646|13868|Picinisco
        C727|TN|1920||46398|11003|Cis
        G514|PU|||43779|12732|Petriano
        C768|CH|||41945|14301|Civitaluparella
        D557|RC|||38037|16089|Ferruzzano
        H436|CE|||41274|14222|Roccaromana
        L933|BI|||45617|8278|Villa del Bosco
        A119|VC|1864||45852|7938|Alagna Valsesia
        G727|IS|||41673|14037|Pizzone
        B813|CS|||39148|16305|Carpanzano
        C778|AQ|||41765|13943|Civitella Alfedena
        D127|PV|1890||45192|8611|Cozzo
        H427|RI|||42321|12694|Roccantica
        C290|CR|||45305|9941|Castelvisconti
        C742|PG|||43499|12114|Citerna
        G379|OR|||39792|8802|Pau
        I901|AL|1863||44543|8334|Spigno Monferrato
        G807|AL|1863||45062|8596|Pomaro Monferrato
        I002|BN|1873||41065|14835|San Martino Sannita
        C534|IS|1863||41654|14103|Cerro al Volturno
        D109|PV|1863||45132|9379|Costa de' Nobili
        H845|GO|1921||45981|13589|San Floriano del Collio|Števerjan|San Floriano del Collio-Å Teverjan|Comune Di San Floriano Del Collio-Občina Števerjan|San Floriano
        B221|AT|||44793|8440|Bruno
        C946|RI|||42322|12985|Concerviano
        F479|SA|||40234|14985|Montecorice|Ortodonico
        B635|RM|1871||41943|13038|Canterano
        B685|LI|||43051|9843|Capraia Isola
        M003|VC|||45438|8337|Villarboit
        B760|LU|||44120|10325|Careggine
        G593|AT|||45027|8071|Piea
        L301|AV|||41034|14814|Torrioni
        A778|CO|1862||46029|9184|Bene Lario
        D750|VI|1866||45897|11631|Foza
        E911|VR|1867||45556|10916|Marano di Valpolicella
        G079|AQ|||41778|13829|Opi
        L367|CN|1957||44690|8088|Treiso
        B158|TN|1920||46412|10968|Bresimo
        G612|PV|||45021|9230|Pietra de' Giorgi
        H015|PG|||42881|13037|Preci
        A629|CN|||44723|8082|Barbaresco
        C701|AT|||44975|8100|Cinaglio
        E476|UD|1866||46424|12932|Lauco
        F002|VA|||45938|8858|Marzio
        F927|TO|1894||45536|7860|Nomaglio
        G137|FM|||43030|13605|Ortezzano
        A517|BG|||45798|9771|Aviatico
        F894|CN|||44513|8080|Niella Belbo
        G255|PR|||44436|10194|Palanzano
        H106|VB|||45873|8374|Quarna Sopra
        B167|CN|||44396|7876|Briaglia
        I910|CB|||41544|14487|Spinete
        L890|BL|1866||46499|12471|Vigo di Cadore|Vigo
        C063|SV|||44114|8075|Castelbianco
        E759|TO|||44803|7247|Lusernetta
        F564|CO|||46179|9371|Montemezzo
        G155|SV|||44281|8201|Osiglia
        L468|BS|1920||45761|10595|Valvestino|Turano
        B680|CR|1868||45159|10230|Cappella de' Picenardi
        E370|BG|||45477|9759|Isso
        F487|AP|||42973|13590|Montedinove
        H812|CN|1862||44488|7256|San Damiano Macra
        I051|CO|1863||46089|9127|San Nazzaro Val Cavargna
        L205|CE|||41340|14024|Tora e Piccilli
        B765|AL|||44829|8471|Carentino
        B906|PZ|1863||40036|16335|San Paolo Albanese|Casalnuovo Lucano
        C772|CB|1875||41658|14460|Duronia
        D493|RI|1863||42208|12730|Fara in Sabina
        E677|CS|||39211|16075|Longobardi
        L314|TE|1894||42545|13646|Tossicia
        F226|SV|||44492|8414|Mioglia
        A130|VC|1862||45426|8381|Albano Vercellese
        B624|AQ|1904||42004|14013|Cansano
        C308|PE|1863||42236|13898|Castiglione a Casauria
        G497|IS|||41878|14294|Pescopennataro
        G696|PC|1877||44925|9496|Piozzano
        H608|VR|1866||45593|11070|Roverè Veronese|Roverè di Velo
        H959|RC|||38011|15834|San Lorenzo
        H411|RM|1871||42051|12899|Roccagiovine
        L432|AL|||44661|8586|Trisobbio
        C503|AL|||45087|8318|Cereseto
        M197|SV|||44110|8118|Zuccarello
        B364|BZ|1920||46698|11171|Caines|Kuens
        B734|IM|||43993|7958|Caravonica
        C977|AL|||45020|8456|Conzano
        D095|SV|||44368|8235|Cosseria
        F315|TO|1863||45046|7921|Mombello di Torino
        G817|OR|||39725|8796|Pompu
        H713|RI|||42259|12748|Salisano
        G540|SA|1873||40344|15368|Valle dell'Angelo
        A126|OR|||39787|8862|Albagiara|Ollasta|Ollastra Usellus
        C914|MS|1919||44293|10131|Comano
        F731|SA|||40141|15555|Morigerati
        G444|RM|1899||42095|12910|Percile
        G621|PE|||42276|13911|Pietranico
        H192|SO|||46101|9553|Rasura
        F096|AL|||44644|8425|Melazzo
        A227|AL|1863||44994|8376|Altavilla Monferrato
        D355|CO|||46164|9273|Dosso del Liro
        D931|TO|||44837|7374|Garzigliana
        E757|TN|1920||45923|11323|Luserna
        F622|MC|||43032|13440|Monte San Martino
        F540|PG|1863||42650|12952|Monteleone di Spoleto
        B605|TO|||45375|7596|Canischio
        F876|RI|||42157|13069|Nespolo
        F998|AL|||45072|8206|Odalengo Piccolo
        H392|AT|||44872|8285|Rocca d'Arazzo
        I332|PE|1863||42126|14027|Sant'Eufemia a Maiella
        B064|SS|||40522|8744|Borutta
        E838|RN|||43873|12311|Maiolo
        F517|FM|||43091|13631|Monte Giberto
        I523|PG|1895||42713|12830|Scheggino
        I936|RC|1885||38000|16033|Staiti
        L735|ME|||38193|15381|Venetico
        C585|BS|||46003|10352|Ceto
        F343|AT|1863||45067|7932|Moncucco Torinese
        I911|AL|||44837|8874|Spineto Scrivia|Spineto
        L430|IM|||43993|7764|Triora
        M065|BS|||46248|10448|Vione
        C169|TE|||42485|13712|Castelli
        I871|TN|1920||46222|11316|Sover
        C867|TO|||45422|7680|Colleretto Castelnuovo
        C941|IS|1911||41495|14007|Conca Casale
        G304|PV|1873||45075|9051|Pancarana
        B591|RC|||38505|16086|Candidoni
        B695|ME|1862||38087|14730|Capri Leone
        E767|SA|||40288|15068|Lustra
        F972|CN|||44340|8060|Nucetto
        H460|IM|1862||43890|7601|Rocchetta Nervina
        I263|PG|1895||42733|12836|Sant'Anatolia di Narco
        L172|OR|||40269|8548|Tinnura
        A499|IM|||43983|7923|Aurigo
        L807|AT|||44635|8227|Vesime
        M136|CN|||44564|7579|Vottignasco
        B270|CS|||39689|15884|Buonvicino
        E807|FM|1862||43138|13587|Magliano di Tenna
        G665|CO|||45957|9126|Pigra
        G978|TO|1895||44889|7051|Prali|Praly
        H038|UD|1866||46394|12866|Preone
        L105|FR|||41552|13778|Terelle
        L221|CR|||45417|9595|Torlino Vimercati|Torlino
        M189|BL|1866||46386|12174|Zoppè di Cadore|Zoppè
        A533|BG|||45979|10113|Azzone
        F455|AL|||44949|8686|Montecastello
        H575|AN|||43483|13068|Rosora
        I190|AL|1863||44785|8921|Sant'Agata Fossili
        M042|VB|||46132|8534|Villette
        A197|AL|1863||44726|8451|Alice Bel Colle
        A812|AT|1863||45094|7954|Berzano di San Pietro
        C620|IS|||41678|14384|Chiauci
        G434|CH|||42004|14323|Pennadomo
        G849|CE|||41195|14248|Pontelatone
        A234|CS|||39130|16253|Altilia
        B562|MC|1863||43132|13266|Camporotondo di Fiastrone
        D752|CN|||44302|7798|Frabosa Sottana
        A774|CN|1862||44494|7974|Belvedere Langhe
        G513|RI|1863||42294|13068|Petrella Salto
        H417|GR|||42786|11508|Roccalbegna
        I569|MC|||43147|12949|Sefro
        D746|RC|1890||37983|15758|Montebello Jonico
        F608|CN|1862||44408|7323|Monterosso Grana
        G988|TO|||45367|7617|Prascorsano
        H505|PV|||44841|9328|Romagnese
        I526|CH|1863||41813|14487|Schiavi di Abruzzo
        G982|TO|||44908|7191|Pramollo
        H042|AO|||45764|6986|Pré-Saint-Didier|San Desiderio Terme
        B952|VC|||45498|8327|San Giacomo Vercellese|Cascine San Giacomo
        I660|PT|1863||43906|10833|Serravalle Pistoiese
        B633|AT|||44902|8028|Cantarana
        B676|BS|||45753|10544|Capovalle|Hano
        C776|CH|1863||42089|14217|Civitella Messer Raimondo
        D051|AT|||45014|8089|Cortanze
        G247|BS|1928||46079|10293|Paisco Loveno
        F600|AN|||43481|13138|Monte Roberto
        G851|PV|1928||44852|9097|Ponte Nizza
        H375|PV|1877||45048|9150|Robecco Pavese
        I544|VC|||45793|8114|Scopa
        C795|CS|1863||39090|16158|Cleto
        D850|AQ|1864||42126|13700|Gagliano Aterno
        F171|PV|1873||45095|9032|Mezzana Rabattone
        H459|CE|1862||41237|14158|Rocchetta e Croce
        C098|RI|1864||42214|12971|Castel di Tora
        D502|PC|1868||44713|9569|Farini|Farini d'Olmo
        G788|PC|1882||45021|9950|San Pietro in Cerro
        L437|FR|1871||41776|13272|Trivigliano
        L597|TE|||42736|13497|Valle Castellana
        F408|CN|||44768|7925|Montaldo Roero
        B927|SV|1863||44032|8047|Casanova Lerrone
        D131|LC|||46023|9379|Crandola Valsassina|Crandola
        D233|BG|||45991|9602|Cusio
        H633|CN|||44706|7604|Ruffia
        C231|SA|||40218|15178|Castelnuovo Cilento
        D016|BG|||45849|9746|Cornalba
        L116|BI|||45589|8114|Ternengo
        A445|TE|||42503|13785|Arsita|Bacucco
        A581|IM|||43904|7725|Bajardo
        C478|VB|1866||45971|8067|Ceppo Morelli
        D523|CN|||44544|8105|Feisoglio
        L586|BI|||45603|8150|Vallanzengo
        B838|SP|||44272|9609|Carro
        C022|AT|||44690|8303|Cassinasco
        A305|AO|||45806|7587|Antey-Saint-André|Antei Sant'Andrea
        A550|PV|1863||44827|9123|Bagnaria
        A610|VB|||45984|8146|Bannio Anzino|Bannio
        G519|AV|||41032|14798|Petruro Irpino|Petruro
        H782|CB|||41715|14590|San Biase
        I585|PG|1879||42887|12923|Sellano
        C253|AT|||44718|8415|Castel Rocchero
        C400|TN|1920||46367|10958|Cavizzana
        C606|AV|||41046|14789|Chianche
        C656|UD|1867||46407|13306|Chiusaforte
        H535|BG|1863||45956|9752|Roncobello
        E402|RC|||38174|15741|Laganadi
        E847|UD|1928||46507|13439|Malborghetto Valbruna
        E917|AT|||44760|8478|Maranzana
        H069|CN|||44245|8021|Priola
        I238|IS|||41553|14368|Santa Maria del Molise|Sant'Angelo in Grotte
        L722|VR|1893||45607|11095|Velo Veronese
        B569|AQ|||42559|13368|Campotosto
        C348|CS|||39992|16478|Castroregio
        F007|VA|1863||45918|8781|Masciago Primo
        H100|TO|||45427|7781|Quagliuzzo
        B677|AQ|||42008|13278|Cappadocia
        G465|TO|1895||44938|7113|Perrero
        C149|NO|1863||45513|8487|Castellazzo Novarese
        C939|CE|1862||41332|13991|Conca della Campania
        I507|IS|||41614|14059|Scapoli
        D682|FR|1862||41668|13675|Fontechiari
        F549|FM|||43018|13537|Montelparo
        I126|TO|1863||45351|7671|San Ponso|San Ponso Canavese
        A221|TO|||45409|7578|Alpette
        I599|PV|||45137|8730|Semiana
        L324|PN|1866||46310|12790|Tramonti di Sopra
        G507|RI|||42135|13010|Turania|Petescia
        L625|RM|1871||42085|12996|Vallinfreda
        B097|RC|||37995|15932|Bova
        D232|CO|||46075|9153|Cusino
        F037|BI|||45492|8165|Massazza
        G041|IM|1890||43879|7515|Olivetta San Michele
        G736|UD|1866||46249|13342|Taipana|Platischis
        C183|TN|1920||45914|10603|Castel Condino|Castello
        C855|CH|||42004|14201|Colledimacine
        C954|RC|||38004|15858|Condofuri
        G350|BG|||45739|10035|Parzanica
        H257|IM|||44021|7872|Rezzo
        D420|VR|1866||45640|11001|Erbezzo
        D670|PN|1866||45292|11662|Fontanafredda
        G970|CN|||44418|7281|Pradleves|Pradleve
        B466|IS|1896||41575|14471|Sant'Elena Sannita
        C866|AQ|||42221|13781|Collepietro
        D133|CN|||44574|8127|Cravanzana
        G934|RI|||42526|13097|Posta
        E835|CS|1876||39717|15850|Maierà
        M019|AT|||45005|8135|Villa San Secondo
        A716|CN|||44320|8011|Battifollo
        G951|RI|||42159|12964|Pozzaglia Sabina|Pozzaglia Sabino
        H244|UD|1866||46394|13218|Resiutta
        A189|AL|1863||45049|8207|Alfiano Natta
        A427|VB|||45809|8358|Arola
        B928|VC|1863||45400|8294|Casanova Elvo
        C381|CO|||46091|9112|Cavargna
        F290|IM|1904||43989|7775|Molini di Triora
        A004|LO|||45312|9594|Abbadia Cerreto
        B693|AR|||43640|11985|Caprese Michelangelo|Caprese
        C757|VC|||45808|8294|Civiasco
        D881|FR|1948||41655|13798|Gallinaro
        E624|TN|1920||46405|11019|Livo
        I902|LT|1863||41314|13709|Spigno Saturnia
        L922|PE|1914||42382|13859|Villa Celiera
        B003|TO|||45418|7670|Borgiallo
        F340|PR|||44412|10124|Monchio delle Corti|Monchio
        G292|SA|1862||40663|15292|Palomonte
        L879|AT|1863||44834|8229|Vigliano d'Asti
        C716|CE|1898||41450|14158|Ciorlano
        E269|VB|||46085|8568|Gurro
        F570|AP|||42899|13330|Montemonaco
        M062|NO|||45323|8520|Vinzaglio
        C314|CN|||44623|7975|Castiglione Falletto
        F500|TE|1863||42546|13885|Montefino
        G124|AL|1863||44690|8563|Orsara Bormida
        G215|AL|||44821|8891|Paderna
        G931|VI|1866||45791|11262|Posina
        H354|RI|||42517|12856|Rivodutri
        H405|ME|||37931|15267|Roccafiorita
        A945|PE|||42218|13960|Bolognano
        I598|SS|||40398|8725|Semestene
        A306|BZ|1920||46278|11367|Anterivo|Altrei
        D293|IM|||43950|8042|Diano Arentino
        L809|IM|||44046|7960|Vessalico
        L829|AT|||45000|8050|Viale
        A173|AT|||45078|7971|Albugnano
        B425|AT|||44740|8227|Calosso
        C610|TO|||45149|7170|Chianocco|Chianoc
        C766|AQ|||41886|13472|Civita d'Antino
        F323|AT|||44938|8072|Monale
        I757|OR|||39712|8775|Siris
        L830|TO|||45381|7818|Vialfrè
        A640|PN|1866||46191|12561|Barcis
        A968|TN|1920||45806|10550|Bondone
        D785|RI|1863||42229|12807|Frasso Sabino
        E464|SU|||39680|8984|Las Plassas
        F403|AL|||44667|8730|Montaldeo
        G076|SV|||44070|8052|Onzo
        H712|VR|1867||45565|11112|San Mauro di Saline
        M095|RM|1872||42101|13006|Vivaro Romano
        A113|CN|||44314|7220|Aisone
        D804|PN|1866||46212|12726|Frisanco
        F123|IM|||44077|7806|Mendatica
        L225|CR|1868||45104|10431|Tornata
        B617|RC|||38315|16200|Canolo
        G018|VC|||45403|8381|Oldenico
        G154|NU|||40524|9221|Osidda
        I017|AT|1863||44754|8295|San Marzano Oliveto
        C060|AN|||43487|13145|Castelbellino
        E880|NO|1863||45496|8460|Mandello Vitta
        I336|AQ|1863||42290|13524|Sant'Eusanio Forconese
        L764|FC|||43794|12005|Verghereto
        A032|FR|1902||41543|13953|Acquafondata
        C267|MC|1913||42894|13155|Castelsantangelo sul Nera|Castelsantangelo
        C657|IM|||43973|7992|Chiusanico
        G302|CN|||44277|7914|Pamparato
        C317|CN|||44725|8190|Castiglione Tinella
        D255|GE|1891||44466|9087|Davagna
        F502|RN|1863||43889|12611|Montefiore Conca|Montefiorito
        D026|PR|||44474|10090|Corniglio
        H673|AO|||45824|7214|Saint-Oyen|Sant'Eugendo
        C155|BI|||45521|8225|Castelletto Cervo
        F279|CN|||44321|7390|Moiola
        F390|AT|||44989|8025|Montafia
        L693|IM|||43933|7954|Vasia
        L715|CO|||45909|9181|Veleso
        B687|RM|1871||41863|12951|Capranica Prenestina|Capranica
        B379|RC|||38185|15723|Calanna
        D489|TE|||42552|13538|Fano Adriano
        E814|SA|||40347|15237|Magliano Vetere
        I969|TO|||45423|7770|Strambinello
        A782|CN|||44630|8105|Benevello
        C684|PV|||45033|9245|Cigognola
        F276|BG|1863||45952|9701|Moio de' Calvi
        G499|PE|||42255|13885|Pescosansonesco
        H661|OR|||40262|8578|Sagama
        I389|AQ|1864||41845|13536|San Vincenzo Valle Roveto
        I817|CN|||44535|8008|Somano
        H566|CH|||41901|14349|Rosello
        I543|AQ|||41747|14039|Scontrone
        I651|MC|||43177|13190|Serrapetrona
        L345|TO|||45509|7749|Traversella
        E615|CN|||44307|7979|Lisio
        G195|PC|||44623|9333|Ottone
        G676|AT|1863||45057|7986|Pino d'Asti
        H868|SO|1864||46338|9371|San Giacomo Filippo
        L475|PE|||42263|14029|Turrivalignani
        D172|CN|||44700|7156|Crissolo
        H923|CH|||41844|14563|San Giovanni Lipioni
        D595|IS|1884||41546|14058|Filignano
        F536|FM|1893||43048|13529|Monteleone di Fermo
        G118|BG|||45989|9578|Ornica
        I484|CN|||44333|7986|Scagnello
        B630|IS|1864||41522|14393|Cantalupo nel Sannio
        C323|CN|||44618|8182|Castino
        E623|CO|||46168|9304|Livo
        F319|RI|||42248|12751|Mompeo
        G837|CN|||44621|7030|Pontechianale
        D873|PV|||45098|8819|Galliavola
        G480|LU|||43965|10413|Pescaglia
        G790|TR|||42584|12844|Polino
        H666|TN|1920||46195|11943|Sagron Mis
        L642|BG|||45949|9689|Valnegra
        B979|MS|1863||44200|10177|Casola in Lunigiana
        C918|UD|1866||46516|12866|Comeglians
        I108|CS|||39137|16112|San Pietro in Amantea
        B028|PV|1928||44966|9148|Borgo Priolo
        D817|BG|||45854|9528|Fuipiano Valle Imagna
        G142|AQ|||41998|13729|Ortona dei Marsi
        H949|RN|||43896|12345|San Leo
        I648|SA|||40245|15032|Serramezzana
        C435|CR|1869||45095|10221|Cella Dati
        D364|VV|||38666|15911|Drapia
        F114|CN|||44562|7319|Melle
        C543|RM|1881||41988|13068|Cervara di Roma
        D149|AL|||44637|8586|Cremolino
        G169|BL|1866||46328|12323|Ospitale di Cadore|Ospitale
        G173|TN|1920||46307|10738|Ossana
        I429|AL|||44752|8896|Sardigliano
        L413|CO|||46172|9352|Trezzone
        A283|PN|1866||46201|12614|Andreis
        C507|AL|1863||44843|8930|Cerreto Grue|Ceretto Grue
        D512|GE|1863||44452|9260|Favale di Malvaro
        I697|FR|||41670|13851|Settefrati
        A590|TO|1863||45410|7744|Baldissero Canavese
        C604|TO|||45363|7344|Chialamberto
        F724|PC|1870||44723|9702|Morfasso
        F802|MS|||44316|9891|Mulazzo
        H401|RM|1909||41846|12945|Rocca di Cave
        I715|TS|1921||45736|13747|Sgonico|Zgonik|Sgonico-Zgonik
        A019|RI|||42695|13248|Accumoli
        B969|BO|1896||44163|11035|Castel di Casio
        C278|AQ|1906||42311|13687|Castelvecchio Calvisio
        I478|UD|1866||46158|13531|Savogna
        L023|OR|||40110|8884|Tadasuni
        L146|IM|||43852|7898|Terzorio
        L325|PN|1866||46285|12796|Tramonti di Sotto
        B672|AQ|||42250|13675|Caporciano
        D688|BG|||46043|9758|Foppolo
        F445|GE|||44526|9248|Montebruno
        F450|PU|||43811|12632|Montecalvo in Foglia
        G415|CO|||46160|9295|Peglio
        L229|PR|1893||44485|9627|Tornolo
        L333|VB|||46034|8670|Trarego Viggiona|Trarego
        A008|PE|||42224|14010|Abbateggio
        D892|PV|1867||45029|8763|Gambarana
        G296|TN|1920||46130|11351|Palù del Fersina|Palù
        H263|AO|||45652|7154|Rhêmes-Saint-Georges
        G054|BG|||45915|9945|Oltressenda Alta
        I556|IM|||43827|7696|Seborga
        E760|UD|1866||46275|13269|Lusevera
        A172|SO|||46147|9854|Albosaggia
        D984|VB|||45893|8388|Germagno
        L568|PV|||45151|8861|Valeggio
        M063|CN|||44291|7965|Viola
        F498|CH|||41954|14389|Monteferrante
        L707|BG|||45891|9539|Vedeseta
        C791|PN|1866||46229|12917|Clauzetto
        E191|AL|||44696|8965|Grondona
        L931|AL|||45072|8168|Villadeati
        F360|TV|1866||45831|11920|Monfumo
        C811|AQ|||42033|13775|Cocullo
        E719|IM|||43966|7960|Lucinasco
        C774|AR|1862||43417|11723|Civitella in Val di Chiana
        D483|FR|1871||41504|13523|Falvaterra
        L046|RI|1871||42356|12595|Tarano
        B055|OR|||40113|8870|Boroneddu
        B629|AL|1863||44718|9046|Cantalupo Ligure
        D424|SV|||44137|8104|Erli
        D560|RI|||42265|13124|Fiamignano
        E353|BG|1928||45979|9747|Isola di Fondra
        D802|AT|||45004|8172|Frinco
        E981|BZ|1920||46555|10780|Martello|Martell
        H378|CN|||44306|7892|Roburent|Roburento
        H429|AQ|1865||41934|13977|Rocca Pia
        D677|GE|||44545|9305|Fontanigorda
        G430|AT|||45033|8252|Penango
        H259|CO|1928||46073|9112|Val Rezzo|Rezzo Cavargna
        F261|OR|||40275|8530|Modolo
        F313|AL|1863||45133|8250|Mombello Monferrato
        M156|CO|||45905|9181|Zelbio
        A904|CO|||45959|9098|Blessagno
        C508|PV|1863||45245|8672|Ceretto Lomellina|Cerretto Lomellino
        G232|RI|||42190|12997|Paganico Sabino
        M361|TN|2016||45097|8360|Tre Ville
        L403|AL|||45097|8360|Treville
        L647|AO|||45592|7210|Valsavarenche|Valsavaranche|Valsavara
        H387|RM|1871||41957|13022|Rocca Canterano
        I594|VR|1893||45611|11138|Selva di Progno
        E480|SA|1862||40301|15039|Laureana Cilento
        H539|TO|1863||45501|7547|Ronco Canavese
        C442|FG|1862||41326|15181|Celle di San Vito
        E800|BS|1920||45781|10616|Magasa
        M127|CR|1869||45112|10333|Voltido
        B827|PE|1863||42334|13861|Carpineto della Nora
        B694|VB|||45982|8563|Caprezzo
        H379|BL|1877||46434|11977|Rocca Pietore
        H690|VC|||45326|8264|Salasco
        A884|AQ|||41921|13758|Bisegna
        B769|AL|||44807|8901|Carezzano|Carezzano Maggiore|Carezzano Inferiore
        I613|OR|||40212|8556|Sennariolo
        D782|CN|||44572|7275|Frassino
        C658|AT|1863||44987|8119|Chiusano d'Asti
        A705|VA|1863||46089|8733|Tronzano Lago Maggiore
        A765|RI|1872||42315|12892|Belmonte in Sabina
        B845|CN|||44478|7286|Cartignano
        G610|CB|||41683|14519|Pietracupa
        F654|CN|1870||44781|7934|Monteu Roero
        C859|RI|||42175|13038|Collegiove
        E695|GE|||44434|9277|Lorsica
        F294|CB|||41631|14493|Molise
        I994|LC|||46086|9334|Sueglio
        A511|BG|||45988|9632|Averara
        F186|BG|||46013|9666|Mezzoldo
        I705|SU|||39723|8940|Setzu
        L631|CN|1863||44338|7374|Valloriate
        C050|PV|||45027|9272|Castana
        G872|AL|1863||45085|8266|Ponzano Monferrato
        I646|CN|1890||44610|7999|Serralunga d'Alba
        E167|AO|||45830|7823|Gressoney-La-Trinité
        C793|TO|||44939|6752|Claviere|Clavieres
        D029|LO|1866||45137|9799|Cornovecchio
        F847|SV|||44114|8032|Nasino
        F882|PR|||44583|10316|Neviano degli Arduini
        D480|CH|||41938|14324|Fallo
        G608|TE|||42523|13554|Pietracamela
        D734|LU|||44115|10458|Fosciandora
        H323|MC|||43142|13367|Ripe San Ginesio
        I464|UD|1866||46466|12709|Sauris
        L239|BI|||45499|7954|Torrazzo
        D217|VA|||46061|8805|Curiglia con Monteviasco|Curiglia
        I122|CB|1864||41459|14493|San Polo Matese
        I659|CN|1862||44560|8059|Serravalle Langhe|Serravalle delle Langhe
        A856|OR|||40113|8936|Bidonì
        C064|AT|1863||44722|8380|Castel Boglione
        M021|AQ|1910||42333|13778|Villa Santa Lucia degli Abruzzi
        C528|AT|1863||45052|8035|Cerreto d'Asti
        C749|RI|||42616|13158|Cittareale
        E540|CN|1862||44606|8098|Lequio Berria
        H495|CH|1863||41912|14374|Roio del Sangro
        L783|AO|||45763|7535|Verrayes
        G830|BZ|1920||46597|11531|Ponte Gardena|Waidbruck|Ponte all'Isarco
        H393|FR|||41587|13585|Rocca d'Arce
        C672|BL|1866||46389|12287|Cibiana di Cadore|Cibiana
        I477|ME|||37953|15340|Savoca
        D124|RI|||42408|12686|Cottanello
        F523|RN|||43858|12690|Montegridolfo
        F862|GE|||44455|9191|Neirone
        L168|AT|||44886|8077|Tigliole
        M194|VI|1866||45429|11504|Zovencedo
        C167|CN|||44495|8188|Castelletto Uzzone
        C578|IM|||44008|7975|Cesio
        E111|CN|||44512|8135|Gorzegno
        D564|MC|||43037|13154|Fiastra
        D990|SO|1863||46060|9550|Gerola Alta
        G613|CH|||41969|14375|Pietraferrazzana
        D717|VI|1866||45859|11346|Tonezza del Cimone|Tonezza|Forni
        L522|PT|1895||43897|10704|Uzzano
        L531|AT|1863||44796|8339|Vaglio Serra
        L952|VI|1866||45403|11535|Villaga
        G877|AL|||44588|8459|Ponzone
        C715|TO|||45095|7924|Cinzano
        H326|CN|||44351|7398|Rittana
        H461|SP|1863||44251|9758|Rocchetta di Vara
        I750|CN|||44600|8020|Sinio
        L336|VB|||46213|8213|Trasquera
        C959|RI|||42425|12644|Configni
        L846|PE|||42341|13897|Vicoli
        D385|VA|||45914|8738|Duno
        D894|CN|||44630|7347|Gambasca
        H083|CB|||41718|14823|Provvidenti
        H473|CN|||44574|8019|Roddino
        M105|GE|1901||44601|9039|Vobbia
        H773|AQ|1947||42184|13770|San Benedetto in Perillis
        A018|AQ|||42177|13718|Acciano
        A770|AT|1863||44830|8329|Belveglio
        B882|AL|1863||44634|8730|Casaleggio Boiro
        E369|AO|||45685|7854|Issime
        A464|RI|||42198|12995|Ascrea
        E393|RI|||42526|12801|Labro
        L516|TO|||45233|7220|Usseglio
        D781|TO|||45438|7609|Frassinetto
        M162|PV|||45054|9327|Zenevredo
        A947|MC|||42993|13227|Bolognola
        B030|PV|1863||44929|9194|Borgoratto Mormorolo
        E821|BI|||45463|8003|Magnano
        F528|IM|1863||44066|7816|Montegrosso Pian Latte
        L173|AQ|||42204|13636|Tione degli Abruzzi|Tione
        D433|TO|||45098|6929|Exilles|Esille
        H466|AT|||44707|8345|Rocchetta Palafea
        H804|TO|1870||45382|7621|San Colombano Belmonte
        L926|LU|||44159|10398|Villa Collemandina
        C493|SO|||46158|9508|Cercino
        C583|AT|||44649|8244|Cessole
        H102|AT|||44751|8449|Quaranti
        A777|SO|||46108|9564|Bema
        B112|BG|||45823|9708|Bracca
        B382|AQ|||42326|13697|Calascio
        E465|VI|1866||45915|11274|Lastebasse
        G338|AL|1873||44670|8759|Parodi Ligure
        H446|RI|1876||42272|12925|Rocca Sinibalda
        I778|OR|||40130|8878|Soddì
        A643|AO|||45609|7745|Bard
        D052|AT|||44979|8061|Cortazzone
        E960|PT|||43934|10770|Marliana
        F542|SS|1862||40472|8561|Monteleone Rocca Doria
        I460|RN|||43892|12510|Sassofeltrio
        B692|CN|||44116|7955|Caprauna
        D076|TE|1869||42622|13508|Cortino
        E365|SA|||40087|15558|Ispani
        F579|RI|||42281|12814|Montenero Sabino
        G336|LC|||46018|9345|Parlasco
        D853|MC|||43238|13068|Gagliole
        E685|VB|||45907|8371|Loreglia
        G458|CN|||44332|8086|Perlo
        D566|MC|||43375|13080|Poggio San Vicino|Ficano
        B505|VC|||45799|8032|Campertogno
        L623|BG|||46028|9744|Valleve
        C247|IS|||41521|14292|Castelpizzuto
        D046|AT|||45001|8145|Corsione
        H040|UD|1878||46045|13479|Prepotto
        L525|RI|||42381|12645|Vacone
        F254|AT|||44764|8278|Moasca
        C582|MC|||43108|13258|Cessapalombo
        E927|RI|||42227|13046|Marcetelli
        G334|AL|1880||44516|8382|Pareto
        H779|FR|1864||41613|13928|San Biagio Saracinisco
        C241|TO|1928||45438|7695|Castelnuovo Nigra
        C934|PR|1893||44496|9662|Compiano
        F193|RI|||42452|13053|Micigliano
        F619|RI|1882||42327|12779|Monte San Giovanni in Sabina
        G594|BI|||45690|7955|Piedicavallo
        F225|LU|||44170|10208|Minucciano
        C711|TO|||45428|7688|Cintano
        D666|AO|||45647|7860|Fontainemore
        E188|AL|||44630|8493|Grognardo
        F405|CN|1862||44322|7867|Montaldo di Mondovì
        E304|VB|||45995|8574|Intragna
        H362|CN|||44270|7456|Roaschia
        F048|VB|1884||45912|8320|Massiola
        C246|IS|||41560|14346|Castelpetroso
        F374|AL|||44884|8974|Monleale
        B268|CH|||41987|14324|Montebello sul Sangro|Buonanotte
        H085|CN|||44489|8144|Prunetto
        I360|AQ|1863||42343|13645|Santo Stefano di Sessanio
        D470|BL|1866||46355|11857|Falcade
        F657|LC|||45705|9381|Montevecchia
        H577|VC|||45833|8124|Rossa
        L655|BG|||45977|9535|Valtorta
        C804|AT|||44728|8145|Coazzolo
        H462|CN|||44636|8175|Rocchetta Belbo
        L943|IM|||43968|8090|Villa Faraldi
        C276|SV|1863||44130|8117|Castelvecchio di Rocca Barbena
        D356|AO|||45819|7306|Doues|Dovia di Aosta
        B448|MI|||45326|9028|Calvignasco
        E325|BS|||45771|10285|Irma
        H951|UD|1866||46119|13531|San Leonardo
        D898|CH|||41905|14208|Gamberale
        H089|UD|1929||46174|13484|Pulfero
        H262|AO|||45570|7119|Rhêmes-Notre-Dame
        I645|AL|1863||45101|8281|Serralunga di Crea
        C200|IS|1893||41767|14398|Castelverrino
        E164|AL|||44796|9107|Gremiasco
        F283|LU|||44072|10418|Molazzana
        L676|RI|1873||42240|13021|Varco Sabino
        A352|AT|||45101|8000|Aramengo
        B193|PE|||42315|13860|Brittoli
        D278|CR|1868||45110|10248|Derovere
        D965|AN|||43430|12935|Genga
        I985|CN|||44507|7127|Stroppo
        F535|CH|||41963|14342|Montelapiano
        H465|AL|||44707|9050|Rocchetta Ligure
        H707|VC|1864||45310|8329|Sali Vercellese
        I781|AT|||44996|8078|Soglio
        B862|FR|||41622|13726|Casalattico
        C214|CN|1862||44354|8129|Castelnuovo di Ceva
        F045|TN|1920||46141|10773|Massimeno
        F883|CN|||44692|8117|Neviglie
        H376|AT|||45102|8102|Robella
        H554|TO|||44792|7199|Rorà
        F046|SV|||44300|8071|Massimino
        H770|CN|1862||44490|8058|San Benedetto Belbo
        C040|TE|1863||42543|13716|Castel Castagna
        E115|CN|||44460|8168|Gottasecca
        F308|AT|||44570|8333|Mombaldone
        B707|AT|||45004|8009|Capriglio
        E681|RI|1863||42273|12967|Longone Sabino
        L152|SV|||44006|8026|Testico
        M373|BI|2016||45663|8000|Campiglia Cervo
        L620|BI|||45607|8141|Valle San Nicolao
        C007|BG|||45967|9612|Cassiglio
        C161|AT|||44751|8433|Castelletto Molina
        C596|AO|||45685|7657|Champdepraz
        D316|UD|1866||46448|13315|Dogna
        F068|TN|1920||46457|11700|Mazzin|Mazin
        A914|VC|||45830|8113|Boccioleto
        C995|GE|1888||44388|9261|Coreglia Ligure
        G442|BL|1866||46394|12356|Perarolo di Cadore|Perarolo
        G588|BG|||45980|9671|Piazzolo
        L386|MS|1869||44254|9913|Tresana
        L799|SO|||46253|10241|Vervio
        A600|VC|||45819|8141|Balmuccia
        C838|PC|1868||44746|9415|Coli
        E066|SV|||44448|8394|Giusvalla
        H599|GE|||44577|9279|Rovegno
        A437|AP|1862||42772|13294|Arquata del Tronto
        A601|VC|||45456|8281|Balocco
        G093|GE|||44408|9267|Orero
        C414|PV|||44851|9080|Cecima
        C884|VC|||45397|8348|Collobiano
        B192|AO|||45726|7393|Brissogne
        B200|CN|||44601|7406|Brondello
        B725|AQ|1874||42299|13686|Carapelle Calvisio
        H670|AO|||45753|7555|Saint-Denis
        L269|PV|1872||45218|9077|Torre d'Isola
        B491|AO|||45839|7619|Chamois|Camosio
        D807|PU|||43765|12377|Frontino
        H395|CN|||44424|7761|Rocca de' Baldi
        C081|CN|||44590|7070|Casteldelfino
        C513|PC|||44678|9351|Cerignale
        G042|AL|||45037|8368|Olivola
        A238|CN|||44109|8002|Alto
        A507|BZ|1920||46646|11224|Avelengo|Hafling|Aveligna
        A308|AO|1883||45810|7619|La Magdeleine|La Maddalena d'Aosta
        E520|TO|||45229|7292|Lemie
        G685|VC|||45771|8053|Piode
        A614|OR|||39722|8897|Baradili
        D102|AL|1863||44816|8927|Costa Vescovato
        A497|VB|||46000|8588|Aurano
        D549|VR|1866||45674|10859|Ferrara di Monte Baldo
        E973|CN|||44453|7980|Marsaglia
        G545|AO|||45607|7686|Pontboset|Pont Bozet|Pianboseto
        H746|CN|||44335|7079|Sambuco
        A139|CN|1862||44596|8065|Albaretto della Torre
        I424|RM|1871||42003|12953|Saracinesco
        I808|AL|||45129|8283|Solonghello
        A599|TO|||45302|7219|Balme
        A637|PD|1866||45103|11705|Barbona
        H561|BI|1906||45676|7977|Rosazza
        F629|PG|1863||43437|12162|Monte Santa Maria Tiberina
        I928|SO|||46220|9864|Spriana
        F386|AT|||44699|8391|Montabone
        B410|SP|1863||44243|9837|Calice al Cornoviglio
        F309|CN|||44468|8088|Mombarcaro
        G459|AO|||45614|7808|Perloz
        G625|CN|||44344|7034|Pietraporzio
        M119|PV|||44954|9298|Volpara
        A418|IM|||44088|7915|Armo
        C154|AT|||44925|8074|Castellero
        F329|CN|1862||44328|7943|Monasterolo Casotto|Monasterolo Cassoto
        G012|AO|||45851|7383|Oyace|Oiasse
        G758|PG|||42712|12933|Poggiodomo
        I372|CN|1871||44788|7941|Santo Stefano Roero
        L978|BI|1863||45482|8194|Villanova Biellese
        B240|MI|1870||45407|9108|Buccinasco
        D050|AT|||44959|8058|Cortandone
        F430|RI|||42385|12681|Montasola
        G183|CN|||44693|7189|Ostana
        H734|TO|1892||44940|7052|Salza di Pinerolo
        G987|AL|||44639|8552|Prasco
        A993|IM|1877||44057|7981|Borghetto d'Arroscia|Borghetto di Arroscia
        C186|SO|||46145|10016|Castello dell'Acqua
        E481|BZ|1920||46454|11062|Lauregno|Laurein
        B082|PV|||45064|9357|Bosnasco
        F906|TO|||45453|7315|Noasca
        F041|TO|||44959|7057|Massello
        E548|PR|1897||44610|10090|Terenzo
        M121|AL|||44893|8959|Volpeglino
        B752|VC|||45909|8050|Carcoforo
        C530|CN|1862||44575|8098|Cerretto Langhe|Cerretto delle Langhe
        D128|MT|||40380|16437|Craco
        F131|AL|||44519|8298|Merana
        L917|PV|||45091|8787|Villa Biscossi
        B217|BG|||45855|9501|Brumano
        E081|PV|||44961|9306|Golferenzo
        H366|AT|||44952|8027|Roatto
        G339|CN|||44432|8072|Paroldo
        A107|BI|||45698|8221|Ailoche
        F562|AL|||44848|8994|Montemarzino
        A016|CN|||44475|6991|Acceglio
        I603|BZ|1974||46511|11110|Senale-San Felice|Unsere Liebe Frau im Walde-St. Felix
        L252|CN|||44563|8154|Torre Bormida
        A523|AL|||44803|8965|Avolasca
        D277|AL|||44767|9050|Dernice
        H266|SV|||44227|8261|Rialto
        A146|AL|1863||44702|9067|Albera Ligure
        A205|AO|||45807|7273|Allein|Allain|Alleno
        H451|AT|||44592|8272|Roccaverano
        I465|TO|1882||44941|6860|Sauze di Cesana
        G457|CN|||44599|8213|Perletto
        H258|GE|1918||44526|9388|Rezzoaglio
        I678|AT|||44671|8337|Sessame
        A521|AO|||45709|7140|Avise
        E327|CN|||44588|7382|Isasca
        F337|AL|||45155|8161|Moncestino
        F746|RI|1863||42522|12834|Morro Reatino
        B175|CN|1947||44083|7749|Briga Alta
        G045|AO|||45850|7311|Ollomont|Ollomonte
        G289|AP|||42899|13459|Palmiano
        B626|PO|||44022|11080|Cantagallo
        C629|TO|||45417|7656|Chiesanuova
        D641|VC|||45890|8158|Fobello
        F598|SI|||43390|11223|Monteriggioni
        F638|PV|||45032|9284|Montescano
        H391|CN|||44445|7951|Rocca Cigliè
        M165|PC|||44666|9288|Zerba
        H188|VC|||45768|8012|Rassa
        C387|AL|||44631|8453|Cavatore
        C463|SV|||44384|8198|Cengio
        F122|PV|||44797|9279|Menconico
        H532|TN|1920||46068|11435|Ronchi Valsugana|Ronchi
        I974|UD|1866||46127|13578|Stregna
        F863|CN|||44712|8134|Neive
        L515|TO|||45049|7029|Usseaux
        M288|SU|1986||39237|9500|Castiadas
        E944|AT|||44945|8034|Maretto
        L410|CN|1862||44677|8108|Trezzo Tinella
        L716|PV|1864||45163|8737|Velezzo Lomellina
        L281|CN|1862||44434|8037|Torresina
        D886|CE|||41352|13954|Galluccio
        E109|GE|||44605|9291|Gorreto
        G741|SV|||44354|8247|Plodio
        M106|VC|||45833|8196|Vocca
        B941|AL|||44827|9006|Casasco
        D732|PV|||44922|9185|Fortunago
        G532|CN|1928||44539|8194|Pezzolo Valle Uzzone
        G666|VC|||45770|8081|Pila
        A836|SP|||44198|9785|Beverino
        C681|CN|||44437|7927|Cigliè
        D321|GO|1921||46031|13479|Dolegna del Collio|Dolegna
        E403|VI|1866||45824|11272|Laghi
        D132|VC|||45848|8202|Cravagliana
        F297|VC|||45817|8030|Mollia
        L582|AO|||45630|7064|Valgrisenche|Valgrisanche|Valgrisenza
        L970|AL|||45135|8171|Villamiroglio
        C505|TO|1863||45432|7235|Ceresole Reale
        D553|TO|1864||45204|6985|Moncenisio|Ferrera Cenisio
        F483|VB|||46164|8326|Montecrestese
        E842|SP|||44337|9536|Maissana
        F997|AL|||45109|8167|Odalengo Grande
        H073|GE|||44565|9186|Propata
        C137|AL|||44798|8930|Castellania Coppi|Castellania
        D993|CR|||45090|10051|Gerre de' Caprioli
        L527|BZ|1920||46414|11305|Vadena|Pfatten
        C792|CN|||44483|7911|Clavesana
        D272|AL|||44599|8333|Denice
        B510|TO|1929||45522|7549|Valprato Soana
        B621|CN|||44456|7083|Canosio
        F320|AL|||44838|9034|Momperone
        H546|GE|||44563|9218|Rondanina
        D402|AO|||45725|7690|Emarèse
        A328|BN|||41120|14931|Apice
        A798|CN|||44548|8183|Bergolo
        F327|TO|1863||45302|7440|Monastero di Lanzo
        F469|AL|1863||44594|8379|Montechiaro d'Acqui
        E633|AT|||44669|8258|Loazzolo
        E789|CN|1928||44500|7180|Macra
        A979|CN|1887||44504|8018|Bonvicino
        F558|CN|1862||44437|7375|Montemale di Cuneo
        G410|SO|||46082|9549|Pedesina
        H704|CN|1948||44399|8078|Sale San Giovanni
        B467|CN|||44423|8141|Camerana
        C176|CN|1862||44428|7981|Castellino Tanaro
        D775|TN|1920||46090|11297|Frassilongo
        C738|CN|||44563|8030|Cissone
        E870|AL|||44559|8413|Malvicino
        E451|PT|1897||43834|10890|Larciano
        E564|CN|||44538|8155|Levice
        F815|SI|||43161|11388|Murlo
        A295|TO|||44844|7224|Angrogna
        B079|CN|||44602|8147|Bosia
        B117|PV|||44751|9282|Brallo di Pregola|Pregola
        D179|TE|||42588|13489|Crognaleto
        A813|AL|1863||44877|8951|Berzano di Tortona
        A877|AO|||45874|7423|Bionaz|Biona
        L056|SO|||46106|9679|Tartano
        E777|LO|||45147|9855|Maccastorna
        E963|CN|||44458|7094|Marmora
        H406|AL|1863||44678|9028|Roccaforte Ligure
        G066|CN|||44677|7190|Oncino
        C205|CN|||44409|7212|Castelmagno
        C156|AL|||44626|8394|Castelletto d'Erro
        B799|BZ|1920||46490|11406|Cornedo all'Isarco|Karneid|Cornedo|Carnedo
        M101|VA|1869||45626|8697|Vizzola Ticino
        B836|AL|1895||44619|9176|Carrega Ligure
        C548|VC|||45883|8162|Cervatto
        E024|BI|||45493|8232|Gifflenga
        F365|AL|1863||44634|9065|Mongiardino Ligure
        H899|AT|||44611|8242|San Giorgio Scarampi
        B447|PV|||44983|9169|Calvignano
        D509|GE|||44583|9221|Fascia
        F518|AL|||44842|8963|Montegioco
        F644|PV|||44907|9126|Montesegale
        B018|CN|||44620|8132|Borgomale
        E282|CN|||44443|8013|Igliano
        G032|PV|1863||45006|9173|Oliva Gessi
        I637|AT|||44554|8260|Serole
        A193|BG|1927||45826|9722|Algua|Algua di Costa Serina
        D078|PE|||42275|13874|Corvara
        F387|AL|||44766|9105|Montacuto
        H270|TO|||45433|7502|Ribordone
        H293|VC|||45908|8182|Rimella
        G048|AT|1863||44586|8247|Olmo Gentile
        E199|TO|||45368|7258|Groscavallo
        D401|CN|||44540|7090|Elva
        E301|TO|||45466|7571|Ingria
        H503|SA|1863||40610|15448|Romagnano al Monte
        D559|AL|||44591|8878|Fraconalto|Fiaccone
        A396|CN|||44583|8111|Arguello
        H675|AO|||45836|7184|Saint-Rhémy-en-Bosses|Saint-Rhémy|San Remigio
        A903|BG|||45838|9571|Blello
        H363|CN|||44417|8022|Roascio
        F758|LC|||45875|9482|Morterone
        H450|PV|||44913|9097|Rocca Susella
        M376|PT|2017||44083|10745|Abetone Cutigliano
        A065|RC|||38256|16048|Africo
        M397|AL|2018||44847|8633|Alluvioni Piovera
        M375|BL|2016||46271|12146|Alpago
        M386|PC|2018||44897|9340|Alta Val Tidone
        M383|CO|2017||45941|9045|Alta Valle Intelvi
        M349|TN|2016||46128|11090|Altavalle
        M369|BO|2016||44163|10974|Alto Reno Terme
        M389|VC|2018||45516|8245|Alto Sermenza
        M350|TN|2016||46128|11090|Altopiano della Vigolana
        M351|TN|2016||46128|11090|Amblar-Don
        A344|IM|1862||43914|7855|Aquila d'Arroscia
        A394|CN|||44526|7754|Argentera
        M401|VI|2018||45414|11549|Barbarano Mossano
        M408|FI|2019||43551|11172|Barberino Tavarnelle
        A730|TN|1920||46128|11090|Bedollo
        A750|CN|||44526|7754|Bellino
        A925|VB|1928||46014|8414|Bognanco
        B005|SV|1933||44159|8308|Borgio Verezzi
        M352|TN|2016||46128|11090|Borgo Chiese
        M353|TN|2016||46128|11090|Borgo Lares
        M396|MN|2018||45029|11118|Borgo Mantovano
        M421|BL|2019||46063|12084|Borgo Valbelluna
        M402|PD|2018||45346|11794|Borgo Veneto
        M340|MN|2014||45085|10769|Borgo Virgilio
        M429|TN|2020||46128|11090|Borgo d'Anaunia
        M406|MN|2019||45041|11219|Borgocarbonara
        M370|VB|2016||46055|8205|Borgomezzavalle
        B179|AL|1928||44925|8885|Brignano-Frascata
        B259|UD|1866||46140|13167|Buja
        B332|PC|||44925|9638|Cadeo
        B346|CO|||45866|9145|Cadorago
        M425|VA|2019||45794|8649|Cadrezzate con Osmate
        B417|BI|||45574|8101|Callabiana
        B546|VE|1867||45324|12044|Campolongo Maggiore
        B581|CE|||41073|14027|Cancello ed Arnone
        B606|AQ|||42100|13636|Canistro
        B653|CO|1928||45866|9145|Capiago Intimiano|Salvadera
        B661|BG|||45742|9750|Capizzone
        B708|BI|||45574|8101|Caprile
        B881|CR|1934||45432|9714|Casale Cremasco-Vidolasco
        M385|CS|2017||39283|16335|Casali del Manco
        M327|PI|2014||43550|10577|Casciana Terme Lari
        C030|AL|||44847|8633|Cassinelle
        M439|VI|2026||45442|11584|Castegnero Nanto
        C102|AR|||43571|11799|Castel Focognano
        M354|TN|2016||46128|11090|Castel Ivano
        C078|VR|1866||45417|11060|Castel d'Azzano
        C062|BZ|1929||47006|11506|Castelbello-Ciardes|Kastelbell-Tschars
        M322|AR|2014||43712|11634|Castelfranco Piandiscò
        M393|LO|2018||45198|9735|Castelgerundo
        C217|PN|1867||46058|12721|Castelnovo del Friuli
        M308|VE|1999||45553|12398|Cavallino-Treporti
        C441|CN|1862||44526|7754|Celle di Macra
        M398|VC|2018||45516|8245|Cellio con Breia
        M355|TN|2016||46128|11090|Cembra Lisignago
        C457|BG|||45742|9750|Cenate Sotto
        M394|CO|2018||45963|9085|Centro Valle Intelvi
        C531|AL|||44847|8633|Cerrina Monferrato
        C630|BL|1866||46271|12146|Chies d'Alpago
        C641|UD|1921||46140|13167|Chiopris-Viscone
        C700|TN|1920||46128|11090|Cimone
        C713|PD|1867||45346|11794|Cinto Euganeo
        C785|SO|||46208|9763|Civo
        C787|CO|||45866|9145|Claino con Osteno
        M426|VI|2019||45768|11597|Colceresa
        C836|FR|1923||41587|13585|Colfelice
        M419|PV|2019||44911|9276|Colli Verdi
        M380|PU|2017||43722|12938|Colli al Metauro
        M336|CO|2014||45866|9145|Colverde
        M314|TN|2010||45891|10718|Comano Terme
        C925|BS|1927||45632|10239|Comezzano-Cizzago
        C943|VR|1866||45417|11060|Concamarise
        M356|TN|2016||46128|11090|Contà
        M403|CS|2018||39586|16577|Corigliano-Rossano
        D021|LO|1879||45239|9567|Cornegliano Laudense
        D054|PC|||44925|9638|Corte Brugnatella
        D068|LO|||45239|9567|Corte Palasio
        D087|IM|1862||43914|7855|Cosio d'Arroscia
        D141|CR|1928||45303|9655|Credera Rubbiano
        M328|PI|2014||43550|10577|Crespina Lorenzana
        D227|MN|1872||45133|10758|Curtatone
        M366|TN|2016||46332|10872|Dimaro Folgarida
        D366|UD|1866||46140|13167|Drenchia
        D388|AT|1928||44880|8188|Dusino San Michele
        D445|CO|1927||45789|9129|Eupilio
        D447|AL|1863||44847|8633|Fabbrica Curone
        M319|LU|2014||43998|10428|Fabbriche di Vergemoli
        D465|AQ|1863||42100|13636|Fagnano Alto
        D491|BG|1864||45742|9750|Fara Olivana con Sola
        M323|FE|2014||44793|11972|Fiscaglia
        M400|UD|2018||46140|13167|Fiumicello Villa Vicentina
        D628|MC|||43201|13291|Fiuminata
        D667|FR|1863||41606|13562|Fontana Liri
        D680|TV|1866||45801|12217|Fonte
        M309|RM|2001||42015|12683|Fonte Nuova
        D821|BZ|1920||46669|11409|Funes|Villnöß
        D834|CR|1928||45216|10220|Gabbioneta-Binanuova
        D928|TN|1920||46128|11090|Garniga Terme|Garniga
        D934|RE|||44667|10583|Gattatico
        M416|NO|2019||45698|8524|Gattico-Veruno
        D957|VR|1867||45417|11060|Gazzo Veronese
        E026|SA|||40447|15145|Giffoni Sei Casali
        E136|BO|1875||44439|11330|Granarolo dell'Emilia
        M315|CO|2011||46145|9297|Gravedona ed Uniti
        E152|PV|||45116|9085|Gravellona Lomellina
        E160|RI|||42322|12870|Greccio
        E179|UD|1866||46140|13167|Grimacco|Garmak
        E217|CR|1868||45273|10007|Grumello Cremonese ed Uniti|Grumello con Farvengo Cremonese
        E491|BZ|1920||46669|11409|La Valle|Wengen
        M348|LC|2015||45737|9367|La Valletta Brianza
        M392|AR|2018||43486|11701|Laterina Pergine Valdarno
        E492|TN|1920||46128|11090|Lavarone
        M313|TN|2010||45891|10718|Ledro
        E737|GE|||44448|9127|Lumarzo
        G143|SP|||44185|9757|Luni|Ortonovo
        M427|VI|2019||45768|11597|Lusiana Conco
        E342|SO|1863||46208|9763|Madesimo|Isolato
        M357|TN|2016||46128|11090|Madruzzo
        E938|BZ|1920||46669|11409|Marebbe|Enneberg
        F028|LO|1879||45239|9567|Massalengo
        F033|PD|1866||45346|11794|Massanzago
        M432|TP|2021||37889|12723|Misiliscemi
        F372|CO|||45866|9145|Monguzzo
        M387|IM|2018||43944|7856|Montalto Carpasio
        F460|MC|1863||43201|13291|Monte Cavallo
        F532|BS|1928||45632|10239|Monte Isola
        F627|BO|||44439|11330|Monte San Pietro
        F478|RN|||43930|12484|Montecopiolo
        F516|AP|||42926|13653|Montegallo
        M368|RN|2016||43919|12547|Montescudo-Monte Colombo
        M302|AT|1998||45065|8099|Montiglio Monferrato
        F687|RI|1880||42322|12870|Montopoli di Sabina
        M330|AV|2013||40817|14798|Montoro
        M434|AT|2023||45116|8014|Moransengo-Tonengo
        F725|TV|1866||45801|12217|Morgano
        F858|GE|1876||44448|9127|Ne
        M430|TN|2020||46128|11090|Novella
        F962|PD|1867||45346|11794|Noventa Padovana
        F996|AQ|||42100|13636|Ocre
        G179|BS|||45632|10239|Ossimo
        G353|PN|1866||46058|12721|Pasiano di Pordenone
        G398|TO|||45188|7577|Pecetto Torinese
        G419|TN|1920||46128|11090|Peio
        G488|MI|1863||45472|9140|Peschiera Borromeo
        M418|CR|2019||45130|10333|Piadena Drizzona
        G627|PU|||43737|12704|Pietrarubbia
        M422|TV|2019||45828|11846|Pieve del Grappa
        M365|TN|2016||46128|11090|Pieve di Bono-Prezzo
        G672|TO|||45188|7577|Pinasca
        M324|RN|2014||44006|12397|Poggio Torriana
        G776|VI|1866||45635|11506|Pojana Maggiore
        M367|PR|2016||45018|10110|Polesine Zibello
        G821|CO|||45866|9145|Ponna
        G834|SA|1911||40679|14945|Pontecagnano Faiano
        M358|TN|2016||46128|11090|Porte di Rendena
        G917|MN|1866||45133|10758|Porto Mantovano
        H011|CN|||44526|7754|Prazzo
        M344|TN|2015||46128|11090|Predaia
        H027|IM|||43914|7855|Prelà
        M428|LE|2019||39905|18255|Presicce-Acquarica
        M359|TN|2016||46128|11090|Primiero San Martino di Castrozza
        H081|BZ|1920||46669|11409|Proves|Proveis
        H086|BS|||45632|10239|Puegnago del Garda|Puegnago
        M414|BI|2019||45621|8164|Quaregna Cerreto
        H146|TN|1920||46128|11090|Rabbi
        H161|UD|1866||46140|13167|Ragogna
        H180|IM|||43914|7855|Ranzo
        M391|LI|2018||42813|10413|Rio
        M410|FE|2019||44895|11873|Riva del Po
        M317|UD|2014||45865|13049|Rivignano Teor
        H440|TE|||42664|13788|Rocca Santa Maria
        H398|CE|||41175|14215|Rocca d'Evandro
        H396|PV|||45116|9085|Rocca de' Giorgi
        H390|AP|1882||42926|13653|Roccafluvione
        H622|PD|1866||45346|11794|Rovolon
        H802|GE|1863||44448|9127|San Colombano Certenoli
        H883|MN|1867||45133|10758|San Giorgio Bigarello|San Giorgio di Mantova
        H900|TO|||45188|7577|San Giorio di Susa
        D690|CH|1895||42097|14380|San Giovanni Teatino
        M390|TN|2018||46424|11681|San Giovanni di Fassa|Sèn Jan|San Giovanni di Fassa-Sèn Jan|Sèn Jan di Fassa
        M345|TN|2015||46128|11090|San Lorenzo Dorsino
        M377|PT|2017||44083|10745|San Marcello Piteglio
        I063|BL|1868||46271|12146|San Nicolò di Comelico
        I347|BL|1866||46271|12146|San Tomaso Agordino|San Tomaso
        I346|GE|1878||44448|9127|Sant'Olcese
        I375|PD|1866||45346|11794|Sant'Urbano
        I442|AO|||45726|7458|Sarre
        M413|PU|2019||43802|12535|Sassocorvaro Auditore
        D290|CS|||39521|16253|Scigliano
        M360|TN|2016||46128|11090|Sella Giudicarie
        M347|LU|2015||44217|10275|Sillano Giuncugnano
        I745|CZ|||38871|16473|Simeri Crichi
        M325|PR|2014||44948|10267|Sissa Trecasali
        I777|UD|1866||46140|13167|Socchieve
        I782|BS|||45632|10239|Soiano del Lago
        M412|CO|2019||45800|8925|Solbiate con Cagno
        M411|PR|2019||44846|10444|Sorbolo Mezzani
        I942|LU|||44026|10411|Stazzema
        I946|SV|||44225|8263|Stella
        I980|BI|||45574|8101|Strona
        F260|LO|1879||45239|9567|Tavazzano con Villavesco|Villavesco
        L100|PD|1866||45346|11794|Teolo
        M210|ME|1966||38099|15210|Terme Vigliatore
        M379|PU|2017||43722|12938|Terre Roveresche
        M407|TN|2019||46160|11101|Terre d'Adige
        M381|FE|2017||44808|11421|Terre del Reno
        L169|BS|||45632|10239|Tignale
        L200|TN|1928||46128|11090|Ton
        M318|AN|2014||43683|13098|Trecastelli
        M341|CO|2014||45866|9145|Tremezzina
        L372|BS|||45632|10239|Tremosine sul Garda|Tremosine
        M399|UD|2018||46140|13167|Treppo Ligosullo
        M409|FE|2019||44895|11873|Tresignana
        L406|BS|1867||45632|10239|Treviso Bresciano
        M435|CO|2024||45828|8972|Uggiate con Ronago
        L517|MC|1913||42934|13081|Ussita
        L533|LU|||44026|10411|Vagli Sotto
        M334|BG|2014||45827|9568|Val Brembilla
        M384|VI|2017||45412|11461|Val Liona
        M405|TO|2019||45472|7777|Val di Chy
        L562|PV|1891||45116|9085|Val di Nizza
        M374|BL|2016||46271|12146|Val di Zoldo
        L544|BG|1927||46035|10008|Valbondione
        L545|BG|1928||45719|9609|Valbrembo
        M423|VI|2019||45860|11696|Valbrenta
        L546|GE|1893||44448|9127|Valbrevenna
        M415|TO|2019||45472|7777|Valchiusa
        L554|VI|1940||45862|11396|Valdastico
        L557|SO|||46208|9763|Valdidentro
        M417|BI|2019||45621|8164|Valdilana
        M382|MC|2017||43063|13084|Valfornace
        L576|SO|||46208|9763|Valfurva
        L595|BZ|1929||46669|11409|Valle Aurina|Ahrntal
        M404|VB|2019||46072|8610|Valle Cannobina
        L601|BZ|1929||46669|11409|Valle di Casies|Gsies
        M331|PU|2014||43824|12761|Vallefoglia
        M362|TN|2016||46128|11090|Vallelaghi
        L627|PG|1881||43042|12530|Vallo di Nera
        L641|PR|||44727|10117|Valmozzola
        M320|BO|2014||44469|11098|Valsamoggia
        C936|CO|1927||45689|9421|Valsolda|Comune della Valsolda
        M395|LC|2018||46080|9344|Valvarrone
        M346|PN|2015||45996|12858|Valvasone Arzene
        L660|BZ|1929||46807|11840|Vandoies|Vintl
        L666|VB|1875||46014|8414|Vanzone con San Carlo
        L698|TO|||45188|7577|Vauda Canavese|Vauda di Front
        L702|PI|||43537|10641|Vecchiano
        M364|RE|2016||44361|10304|Ventasso
        M337|LC|2014||45667|9437|Verderio
        M424|MI|2019||45392|8982|Vermezzo con Zelo
        L801|UD|1866||46140|13167|Verzegnis
        L886|TN|1955||46128|11090|Vignola-Falesina
        L985|RO|1866||45023|11704|Villanova del Ghebbo
        L979|PD|1867||45346|11794|Villanova di Camposampiero
        L980|PC|1895||44925|9638|Villanova sull'Arda
        M363|TN|2016||46128|11090|Ville d'Anaunia
        M431|TN|2020||46128|11090|Ville di Fiemme
        M085|PN|1866||46058|12721|Vito d'Asio
        Z135|||1992|55752|37618|Unione Repubbliche Socialiste Sovietiche|Soviet Union|Union of Soviet Socialist Republics
        Z111|||1990|52524|13411|Repubblica Democratica Tedesca|East Germany
        Z350||1916|1964|-6172|35739|Tanganica|Tanganyika
        Z201|||1975|15355|44206|Federazione dell'Arabia Meridionale|Federation of South Arabia
        Z202|||1975|15355|44206|Protettorato dell'Arabia Meridionale|Protectorate of South Arabia
        Z250||1975|1990|15355|44206|Yemen del Sud|South Yemen
        Z105|||1993|50088|14421|Cecoslovacchia|Czechoslovakia
        Z118|||2003|44804|20465|Jugoslavia|Yugoslavia
        Z157||2003|2006|44804|20465|Serbia e Montenegro|Serbia and Montenegro|State Union of Serbia and Montenegro|Unione Statale di Serbia e Montenegro
        Z136|||1994|41691|44834|Georgia|Georgia
        F159|VE|1866|1926|45492|12245|Mestre
        D620|FU|1924|1947|45327|14442|Fiume
        C706|MI||1928|45558|9215|Cinisello
        M149|ZA|1921|1947|44116|15225|Zara
        A342|MS|1938|1946|44079|10098|Apuania
        G573|NA||1926|40859|14173|Pianura
        F647|PE|1922|1928|42511|14145|Montesilvano Marina
        G863|NA||1925|40854|14330|Ponticelli
        G778|PL|1921|1947|44868|13848|Pola
        I560|NA||1926|40900|14267|Secondigliano
        I776|NA||1926|40846|14193|Soccavo
        G911|MC|1913|1938|43305|13721|Porto Civitanova
        F888|CZ||1968|38971|16313|Nicastro
        A675|NA||1925|40843|14318|Barra
        G706|NA||1865|40893|14234|Piscinola
        B665|PL|1921|1977|45548|13730|Capodistria
        E018|CT|1939|1945|37724|15182|Ionia|Giarre Riposto
        H908|NA||1925|40838|14306|San Giovanni a Teduccio
        B737|BA|1863|1928|41067|16867|Carbonara di Bari
        H742|CZ||1968|38967|16283|Sambiase
        I094|NA||1925|40886|14290|San Pietro a Patierno
        E293|CO||1906|45809|9226|Incino
        B422|BG|1892|1927|45795|9438|Calolzio
        D053|BG|1892|1927|45795|9438|Corte
        D583|FI|1864|2013|43620|11472|Figline Valdarno
        G422|RC||1927|38017|15650|Pellaro
        A247|BG||1927|45737|9726|Alzano Maggiore
        D466|MI||1869|45670|8860|Fagnano sul Naviglio|Fagnano
        E275|RC||1928|38355|16013|Iatrinoli
        H619|PL|1921|1947|45083|13635|Rovigno d'Istria|Rovigno
        E355|PL|1921|1977|45537|13660|Isola d'Istria
        D515|VE|1873|1926|45499|12283|Favaro Veneto
        F873|GE||1926|44383|9033|Nervi
        D558|CE|1929|1946|40998|14197|Fertilia
        B407|BG||1927|45613|9885|Calepio
        E909|TN|1920|1929|45696|11432|Marano
        G332|PL|1921|1947|45226|13595|Parenzo
        E667|BS||2007|45461|10477|Lonato
        E495|VA||1928|45909|8620|Laveno
        B833|PD|1866|1995|45293|11818|Carrara San Giorgio
        F694|AV||2013|40817|14798|Montoro Superiore
        D215|BG|1927|1947|45689|9609|Curdomo
        H123|MN|1883|2014|45118|10789|Virgilio
        L067|FI|1893|2018|43562|11172|Tavarnelle Val di Pesa|Tavarnelle
        I845|PR||2018|44846|10444|Sorbolo
        L491|PL|1921|1977|45431|13524|Umago
        L732|VA|1928|1960|45752|8897|Venegono
        G027|CO|1928|1953|45730|9403|Olgiate Calco
        L960|CO||1928|45797|9189|Vill'Albese
        A726|BO||2013|44502|11087|Bazzano
        A170|PL|1921|1947|45095|14120|Albona
        A009|FU|1931|1947|45337|14308|Abbazia
        E766|PL|1921|1947|44531|14469|Lussinpiccolo
        H047|LE||2019|39901|18263|Presicce
        D005|CS|1863|2018|39596|16519|Corigliano Calabro
        A404|CE|1928|1946|41027|14498|Arienzo San Felice
        F691|VR|1867|1927|45458|11066|Montorio Veronese
        M154|VE|1866|1926|45515|12208|Zelarino
        F056|TN|1920|1926|46009|11130|Mattarello
        H579|CS||2018|39576|16634|Rossano
        L068|MI||1869|45328|9405|Tavazzano
        I514|FI||2013|43994|11354|Scarperia
        C423|BA|1863|1928|41050|16867|Ceglie del Campo
        A042|LE||2019|39910|18247|Acquarica del Capo
        G948|TN|1920|1926|46067|11155|Povo
        I971|TO|1928|1946|45380|7890|Strambino Romano
        E296|FI|1863|2013|43655|11449|Incisa in Val d'Arno
        A890|FU|1921|1927|45568|14246|Bisterza
        L935|FU|1927|1947|45568|14246|Villa del Nevoso
        F807|VE|1866|1924|45459|12357|Murano
        D158|BO||2013|44512|11132|Crespellano
        D157|TV|1867|2019|45828|11834|Crespano del Grappa|Crespano Veneto
        D627|UD|1921|2018|45792|13410|Fiumicello
        E697|BA||1937|41042|16849|Loseto
        G828|CO|1862|1928|45825|9225|Ponte Lambro
        B800|BG||1928|45664|9830|Carobbio
        G700|PL|1921|1977|45528|13571|Pirano
        A003|TO|1864|1928|44886|7315|Abbadia Alpina
        G709|PL|1921|1947|45239|13939|Pisino
        L436|BI||2018|45660|8174|Trivero
        L390|FE|1961|2018|44816|11895|Tresigallo
        A595|CO||1927|45896|9423|Ballabio Inferiore
        A596|CO||1927|45896|9423|Ballabio Superiore
        C809|VA||1927|45863|8688|Cocquio
        F026|FE||2013|44810|12007|Massa Fiscaglia
        E151|CO||2011|46146|9301|Gravedona
        I879|VI|1866|2024|45527|11446|Sovizzo
        L768|MI||2019|45396|8979|Vermezzo
        L487|CO|1938|2023|45823|8960|Uggiate-Trevano
        A923|GE|1928|1946|44381|9069|Bogliasco Pieve
        H728|RO|1866|1928|44599|10769|Salvaterra
        A558|BO|1882|2015|44163|10974|Porretta Terme|Bagni della Porretta
        F060|FU|1921|1947|45362|14325|Mattuglie
        H352|UD|1866|2013|45876|13042|Rivignano
        I186|BS|1862|1928|45521|10283|Sant'Eufemia della Fonte
        I502|BG|1863|1928|45719|9609|Scano al Brembo
        I334|CZ|1935|1968|38920|16252|Sant'Eufemia Lamezia
        G536|CR||2018|45129|10371|Piadena
        H866|BZ|1920|1929|46456|11334|San Giacomo|St. Jakob In Ahrn|San Giacomo in Valle Aurina
        H869|TN|1920|1928|46456|11334|San Giacomo
        I385|BS||1928|45608|10194|San Vigilio
        F235|FE|1959|2016|44823|11457|Mirabello
        L260|PV|1871|1929|45252|9130|Torre del Mangano
        I349|BG|1927|2014|45808|9536|Sant'Omobono Terme|Sant'Omobono Imagna
        F466|RM|1872|1937|42021|12744|Montecelio
        D301|PL|1921|1947|44959|13852|Dignano d'Istria
        G341|VR|1867|1927|45479|10944|Parona di Valpolicella|Parona all'Adige
        H201|TN|1920|1926|46039|11112|Ravina
        H832|BS|1863|1928|45583|10554|San Felice di Scovolo
        B053|BS||1927|45594|10041|Bornato
        A279|VC||1929|45611|8056|Andorno Cacciorna
        D937|NO|1877|2018|45707|8520|Gattico
        A693|TN|1920|1968|46132|11246|Baselga di Vezzano|Baselga
        I085|FI||2013|43963|11324|San Piero a Sieve
        C374|CO||2016|45810|9033|Cavallasca
        I209|FE||2016|44792|11385|Sant'Agostino
        E478|FU|1921|1947|45292|14274|Laurana
        A744|CO||2014|45988|9262|Bellagio
        E211|VT|1871|1928|42517|12172|Grotte Santo Stefano
        F198|FE|1883|2013|44770|11933|Migliarino
        A395|PV|1873|1928|45078|9131|Bressana
        L755|LC|1905|2014|45666|9433|Verderio Inferiore
        B273|VE|1866|1924|45485|12417|Burano
        G425|VE|1866|1923|45277|12302|Pellestrina
        E935|TN|1920|1927|45843|11009|Marco
        L756|LC|1905|2014|45668|9440|Verderio Superiore
        D846|CO||1928|45808|8964|Gaggino
        A559|PI|1927|2013|43527|10618|Casciana Terme|Bagni di Casciana
        E721|CO||1928|45784|9043|Lucino
        B983|CS|1864|2017|39284|16332|Casole Bruzio
        I952|AR||2013|43799|11709|Stia
        G552|AR||2013|43642|11545|Pian di Sco
        L457|TN|1920|2015|46328|11023|Tuenno
        H995|VT|1872|1928|42370|12125|San Martino al Cimino
        G675|PL|1921|1947|45409|13967|Pinguente
        E324|NU|1928|1946|40410|9631|Irgoli di Galtelli
        C748|PL|1921|1977|45315|13558|Cittanova d'Istria
        L422|BL|1866|2019|46081|12141|Trichiana
        B140|BG||2014|45822|9597|Brembilla
        A500|TS|1921|1928|45750|13673|Aurisina|Nabresina
        C798|BS|1873|1927|45662|10000|Clusane sul Lago
        E672|BL|1866|2014|46266|12300|Longarone
        C601|PL|1921|1947|44961|14412|Cherso
        I731|CA||1927|39918|8622|Silì
        B004|SV||1933|44159|8308|Borgio
        H008|AR||2013|43787|11724|Pratovecchio
        H009|AR|1929|1934|43787|11724|Pratovecchio Stia
        H248|MN|1866|2017|45052|11131|Revere
        G708|CZ||1937|38664|16111|Piscopio
        F402|SI||2016|43054|11489|Montalcino
        F076|TN|1920|1926|46125|11118|Meano
        B260|PL|1921|1977|45410|13662|Buie d'Istria
        I378|BZ|1920|1929|47006|11506|San Valentino al Brennero|Brenner
        L606|BI||2018|45631|8148|Valle Mosso|Valle Inferiore Mosso
        H053|AQ||1927|42378|13296|Preturo
        A917|VA||1928|45790|8751|Bodio
        C112|AR||2013|43622|11559|Castelfranco di Sopra
        B095|RO|1866|1929|45026|12082|Bottrighe
        D067|PV||2015|45158|9372|Corteolona
        L329|TN|1920|2015|46174|11833|Transacqua
        I898|CS||2017|39290|16342|Spezzano Piccolo
        B359|CO||2018|45811|8917|Cagno
        G221|TV|1867|2019|45829|11858|Paderno del Grappa|Paderno d'Asolo
        D713|FE|1909|2018|44842|11859|Formignana
        H596|LC||2015|45737|9371|Rovagnate
        L354|PR|1867|2013|44937|10273|Trecasali
        G400|CS||2017|39276|16336|Pedace
        G845|BG||1928|45866|9884|Ponte di Nossa
        C196|PZ|1928|1935|40002|15981|Castelluccio
        D326|GO|1921|1928|45601|13859|Dol-Ottelza|Dol-Otliza
        E861|BZ|1920|1928|46688|10547|Mallas|Mals|Malles
        D506|BL|1866|2016|46121|12359|Farra d'Alpago
        H680|CO|1863|1928|45821|9362|Sala al Barro
        H345|IM|1928|1954|43839|7897|Riva Santo Stefano
        F091|PD|1866|2018|45217|11516|Megliadino San Fidenzio
        E525|CO||2014|45973|9191|Lenno
        H317|CR|1875|1928|45332|9692|Ripalta Nuova
        A806|FE|1909|2018|44977|11977|Berra
        B146|VA|1863|1928|45861|8878|Brenno Useria
        H124|BL|1866|2013|45921|11932|Quero
        I763|PR|1867|2013|44959|10261|Sissa
        C452|TN|1920|2015|46175|11222|Cembra
        M304|BI|1999|2018|45650|8138|Mosso
        L657|PN|1866|2014|45993|12867|Valvasone
        L896|TN|1920|2015|46005|11198|Vigolo Vattaro
        E051|CO||2014|45801|9003|Gironico
        F094|BL|1866|2019|46064|12090|Mel
        L560|AO|1929|1935|45757|7041|Valdigna d'Aosta
        F199|FE|1963|2013|44799|11974|Migliaro
        F019|VI|1869|2019|45719|11607|Mason Vicentino
        E175|BG||1928|45618|9542|Grignano
        E775|VA||2014|46044|8734|Maccagno|Maccagno Superiore
        M191|MI||1929|45200|9616|Zorlesco
        I792|CO||2018|45790|8933|Solbiate
        H830|CO||2017|45968|9081|San Fedele Intelvi|San Fedele
        H950|BZ|1920|1928|46813|11246|San Leonardo|St. Leonhard|San Leonardo in Passiria
        C005|AL||2017|44766|8862|Cassano Spinola
        D618|FC||1925|44143|11987|Fiumana
        B347|VA||2019|45799|8643|Cadrezzate
        F804|MN|1869|2017|45002|11114|Villa Poma
        H705|PD|1866|2018|45474|11860|Saletto
        H980|PT|1863|2016|44056|10794|San Marcello Pistoiese
        H167|BZ|1920|1928|46777|11951|Riscone|Reischach|Raissa
        E580|SA||1928|40054|15364|Licusati
        L932|PL|1921|1977|45550|13814|Villa Decani|Decani
        M142|TN|1920|2018|46152|11096|Zambana
        I450|AQ||1927|42352|13299|Sassa
        G562|BG||1928|45789|9995|Pian Gaiano
        L060|TN|1920|2015|46343|11045|Tassullo
        G329|CO||2014|45811|9009|Parè
        H092|BL|1866|2016|46142|12362|Puos d'Alpago
        C994|TN|1920|2014|46349|11090|Coredo
        G127|PL|1921|1947|45149|13605|Orsera
        A121|BL|1867|2024|45907|11908|Alano di Piave
        C953|TN|1920|2015|45882|10594|Condino
        D726|BL|1866|2016|46350|12179|Forno di Zoldo
        H158|BS||1928|45570|10530|Raffa
        H504|TN|1920|1926|46018|11106|Romagnano
        H360|FE|1909|2018|44947|11760|Ro
        G950|TN|1920|2017|46428|11687|Pozza di Fassa|Pozza
        D581|CO|1928|1948|45780|8945|Mirabello Comasco|Figliaro
        C562|BL|1867|2019|46045|12021|Lentiai
        I091|GO|1921|1927|46114|13483|San Pietro di Gorizia|San Pietro
        M160|MI||2019|45388|8985|Zelo Surrigone
        L585|BG||1928|45761|9826|Vall'Alta
        G089|PU||2016|43689|12972|Orciano di Pesaro
        A627|VI|1866|2018|45409|11543|Barbarano Vicentino|Barbarano
        G641|TN|1928|2015|45942|10640|Pieve di Bono
        I226|PD|1867|2018|45212|11558|Santa Margherita d'Adige
        B344|TN|1920|1926|46090|11068|Cadine
        E552|BI||2015|45587|8194|Lessona
        D405|BG||1928|45790|9976|Endine
        H112|MI||1869|45358|9418|Quartiano
        A645|VA||2022|45836|8697|Bardello
        I979|TN|1920|2015|46067|11522|Strigno
        D382|TS|1921|1928|45773|13604|Duino
        F291|BZ|1920|1929|46899|11943|Molini di Tures|Mühlen
        E140|CO||1927|46025|9213|Grandola
        H545|TN|1920|2015|45983|10668|Roncone
        E444|CO|1862|2016|45979|9022|Lanzo d'Intelvi
        G578|TV|1866|1929|45764|12527|Piavon
        B874|CR|1862|1934|45432|9714|Casale Cremasco
        E468|AR||2017|43502|11717|Laterina
        L101|UD|1866|2013|45854|13056|Teor
        L870|PR|1866|1962|44720|10330|Vigatto
        L033|TN|1920|2014|46321|11066|Taio
        H322|AN||2013|43669|13106|Ripe
        E186|CS||1948|39725|15856|Grisolia Cipollina
        G448|LC|1870|2015|45738|9363|Perego
        H103|BI||2018|45581|8164|Quaregna
        M034|UD|1921|2018|45814|13393|Villa Vicentina
        A456|PN|1866|2014|46000|12850|Arzene
        A633|FI|1893|2018|43540|11172|Barberino Val d'Elsa
        H521|CO||2023|45832|8984|Ronago
        L371|CO||2014|45984|9216|Tremezzo
        B523|SV||1929|44071|8197|Campochiesa
        L818|BZ|1920|1928|46079|10997|Vezzano|Vezzan|Vezzano in Venosta
        L821|TN|1920|2015|46079|10997|Vezzano
        L201|TN|1920|2015|46181|11839|Tonadico
        H305|LI|1882|2017|42814|10426|Rio Marina
        C182|TN|1920|1928|45570|10509|Castello
        D302|TN|1920|2015|46326|10873|Dimaro
        A442|PL|1937|1947|45080|14079|Arsia
        I474|BO||2013|44392|11075|Savigno
        C965|CO||2011|46143|9293|Consiglio di Rumo
        H082|BS||1928|45631|10073|Provezze
        F984|CA||1927|39938|8599|Nuraxinieddu
        E725|BS||1927|45448|9933|Ludriano
        H306|BZ|1920|1928|46797|11668|Riomolino|Mühlbach
        C788|FU|1925|1947|45447|14377|Clana
        D663|TN|1920|2019|46439|11137|Fondo
        H254|TN|1920|2019|46392|11058|Revò
        L760|CO|1863|1937|45794|9375|Villa Vergano
        A659|MI||1878|45240|9447|Bargano
        E601|MI||1934|45447|9272|Linate al Lambro|Mezzate
        E609|VA||1928|45739|8599|Lisanza
        I784|CA||1928|39930|8553|Solanas
        F286|TN|1920|2009|45871|10774|Molina di Ledro
        F853|TN|1920|2018|46168|11105|Nave San Rocco
        G908|MI||1870|45662|9476|Porto d'Adda|Porto
        B011|MN|1872|2014|45052|10750|Borgoforte
        B263|CO||1928|45724|9055|Bulgorello
        B211|BS||1927|45720|10231|Brozzo
        L893|TN|1920|2017|46419|11674|Vigo di Fassa|Vich
        E455|PI||2013|43566|10592|Lari
        D529|MN|1866|2017|44979|11354|Felonica
        L798|NO||2018|45689|8529|Veruno
        F769|BI||1998|45650|8137|Mosso Santa Maria
        A336|FU|1921|1931|45336|14276|Apriano
        F641|RN|1862|2015|43918|12541|Montescudo
        G427|CO||2016|45980|9059|Pellio Intelvi
        G928|BS||1927|45401|10196|Porzano
        I345|BL|1890|2016|46375|12127|Zoldo Alto
        A406|AQ||1927|42418|13341|Arischia
        L162|TN|1920|2009|45891|10672|Tiarno di Sopra
        L602|PL|1921|1947|45041|13784|Valle d'Istria
        I650|CS||2017|39279|16346|Serra Pedace
        G182|CO||2014|45970|9180|Ossuccio
        L650|VI|1866|2019|45851|11666|Valstagna
        G996|BZ|1920|1931|46900|11465|Prati|Wiesen
        H597|VA||1928|45710|8846|Rovate
        M099|BZ|1920|1931|46900|11465|Vizze|Pfitsch
        A753|AV||1938|40890|14798|Bellizzi Irpino|Bellizzi
        D369|CO||2014|45815|8995|Drezzo
        I459|PU||2018|43783|12499|Sassocorvaro
        F181|CO||2014|45982|9205|Mezzegra
        F850|CO||1928|45762|9363|Nava
        B739|MN|1867|2018|45035|11229|Carbonara di Po
        L941|BZ|1920|1928|46865|11948|Villa Ottone|Uttenhein|Villa d'Uta
        B343|BS||1928|45361|10058|Cadignano
        C077|BZ|1920|1929|46799|11841|Casteldarne|Ehrenburg|Castello di Pusteria
        C061|BZ|1920|1929|46629|10907|Castelbello|Kastelbell
        D073|BS|1862|1928|45424|10120|Corticelle Pieve
        E712|AL||2019|45002|8486|Lu
        I246|VR|1866|1927|45493|11035|Santa Maria in Stelle
        L148|BZ|1920|1929|46769|12114|Tesido|Taisten
        M174|PR||2015|45018|10130|Zibello
        I427|TN|1920|1926|46064|11096|Sardagna
        L289|PV|1872|1929|45262|9120|Torriano
        L375|CS||2017|39285|16321|Trenta
        G633|MN|1867|2017|45034|11108|Pieve di Coriano
        D448|CO|1863|1928|45751|9196|Fabbrica Durini
        G409|TN|1920|1929|45920|11021|Pedersano
        E856|VA||2022|45828|8676|Malgesso
        L697|TN|1920|2015|45994|11218|Vattaro
        C299|CO|1863|2017|45958|9090|Castiglione d'Intelvi
        E765|PL|1921|1947|44517|14505|Lussingrande
        H854|BG||1928|45563|10308|San Gallo
        I395|CR||1867|45417|9014|San Vito e Modesto|San Vito
        H139|BS||1928|45419|10098|Quinzanello
        L107|TN|1920|2015|46097|11045|Terlago
        B131|VA||2022|45826|8688|Bregano
        I835|BI||2018|45639|8199|Soprana
        L910|TN|1920|2015|46054|11528|Villa Agnedo
        B277|BZ|1920|1928|46711|10529|Burgusio|Burgeis
        E032|PL|1921|1947|45143|13909|Gimino
        B386|TN|1920|2015|46046|10984|Calavino
        E768|BZ|1920|1929|46949|11918|Lutago|Luttach
        B723|TN|1920|2019|46292|11440|Carano
        C833|BZ|1920|1928|46623|10826|Coldrano|Goldrain|Colderano
        C942|RO|1866|1927|45094|11730|Concadirame
        C949|VI|1866|2019|45800|11610|Conco
        F341|TN|1920|2015|46334|10886|Monclassico
        D164|TN|1920|1928|45941|10640|Creto
        B560|UD|1921|1928|46510|13539|Camporosso in Valcanale|Camporosso
        F252|VR|1866|1933|45479|11060|Mizzole
        L678|TN|1920|2019|46306|11458|Varena
        E442|ME|1928|1947|37918|15055|Lanza
        C362|LO||2017|45190|9742|Cavacurta
        H886|PU||2016|43722|12980|San Giorgio di Pesaro
        F485|PL|1921|1977|45501|13718|Monte di Capodistria|Paugnano
        H297|LI|1882|2017|42812|10401|Rio nell'Elba
        L662|BZ|1920|1929|46816|11722|Vandoies di Sotto|Niedervintl
        L012|TN|1920|1929|46051|11221|Susà
        E529|VA|1892|2019|45789|8655|Osmate|Osmate Lentate
        G668|BS||1927|45674|10081|Pilzone
        G695|AL||2017|44958|8736|Piovera
        G112|BZ|1920|1929|46630|10646|Oris|Eyrs
        H721|PU||2016|43753|12899|Saltara
        H902|BZ|1920|1929|46980|11942|San Giovanni|St. Johann In Ahrn|San Giovanni in Valle Aurina
        C944|TN|1952|2009|45906|10729|Concei
        L918|RO|1867|1928|45109|11436|Villa d'Adige
        B749|PD|1866|2024|45195|11621|Carceri
        A833|NO||1928|46080|8298|Beura
        I229|TN|1920|1928|45798|11026|Santa Margherita
        C056|VI|1866|2026|45442|11584|Castegnero
        C825|TN|1920|1928|46353|10693|Cogolo
        L098|BZ|1920|1928|46803|11952|Teodone|Dietenheim|Teodona
        I521|PG||1878|43404|12666|Scheggia
        I047|VI|1866|2019|45840|11689|San Nazario
        C671|BZ|1920|1929|46639|10942|Ciardes|Tschars|Ciars
        D516|TN|1920|2015|46181|11237|Faver
        L587|BZ|1920|1929|46843|11727|Vallarga|Weitental
        E926|VR|1866|1928|45461|11107|Marcellise
        G440|CO||1927|45810|9258|Penzano
        B078|TN|1920|2015|46002|11223|Bosentino
        A307|BZ|1920|1928|46859|12100|Anterselva|Antholz
        D140|CR|1868|1928|45303|9655|Credera
        B545|UD|1921|2008|45864|13397|Campolongo al Torre|Campolongo
        B585|PU||1929|43857|12888|Candelara
        G214|TN|1920|2015|46060|10985|Padergnone
        I760|TN|1920|2015|46188|11831|Siror
        G472|UD|1921|1928|45852|13383|Perteole
        D017|PV||2014|45043|8911|Cornale
        L793|PL|1921|1977|45381|13629|Verteneglio
        C797|TN|1920|2019|46416|11086|Cloz
        H741|RC||1927|38179|15693|Sambatello
        G783|PR|1869|2015|45017|10090|Polesine Parmense
        L161|TN|1928|1947|45894|10684|Tiarno
        L163|TN|1920|2009|45894|10684|Tiarno di Sotto
        E501|BZ|1920|1929|46670|11551|Lazfons|Latzfons
        E461|TN|1920|2015|46024|10984|Lasino
        A086|NO||1928|45846|8415|Agrano
        A967|TN|1920|2015|46000|10692|Bondo
        H241|BZ|1920|1928|46828|10521|Resia|Reschen|Resia all'Adige
        D243|TN|1920|2019|46302|11449|Daiano
        E943|BZ|1920|1928|46892|11349|Mareta|Mareit
        H496|AQ|1863|1927|42328|13357|Roio Piano
        B657|SA|1928|1946|40077|15550|Capitello|Policastro del Golfo
        I272|BZ|1920|1941|46699|11678|Sant'Andrea in Monte|St. Andrä
        M074|PL|1921|1947|45276|13721|Visignano d'Istria|Visignano
        C754|CO||2014|45940|9271|Civenna
        C164|PV|1871|1928|45069|9101|Castelletto Po
        F757|BZ|1920|1928|46607|10823|Morter
        L054|BZ|1920|1928|46607|10876|Tarres|Tarsch|Tarres di Sotto
        I575|TN|1920|1929|46306|11075|Segno
        H381|VC|1862|1929|45793|8276|Rocca Pietra
        L385|TN|1920|2014|46322|11097|Tres
        C575|TR|1875|1927|42611|12585|Cesi
        B547|VI|1878|2019|45827|11701|Campolongo sul Brenta
        H190|BZ|1920|1928|46790|12057|Rasun di Sopra|Oberrasen
        B571|SO||1938|46146|9590|Campovico
        H711|ME|1867|1910|38561|14871|Salina
        L878|PD|1867|2024|45176|11625|Vighizzolo d'Este
        I379|BZ|1920|1928|46764|10534|San Valentino alla Mutta|St. Valentin Auf Der Haide|San Valentino alla Muta
        B039|IM||1923|43904|8010|Borgo Sant'Agata
        I515|BS||1927|45378|10049|Scarpizzolo
        A966|BG||1927|46035|10008|Bondione
        B125|GO|1921|1928|45976|13454|Brazzano
        G667|TN|1920|1928|45771|11001|Pilcante
        C238|FU|1921|1947|45522|14146|Castelnuovo d'Istria
        I087|BZ|1920|1929|46641|11683|San Pietro|St. Peter In Ahrn|San Pietro in Valle Aurina
        A839|TN|1920|2009|45897|10718|Bezzecca
        M049|BG||1927|45998|10095|Vilminore
        C138|TN|1920|1929|45924|11007|Castellano
        A151|BZ|1920|1928|46677|11631|Albes|Albeins
        C682|BS||1928|45372|10105|Cignano
        G537|PU||2016|43734|12969|Piagge
        L467|PV||1929|45293|9168|Turago Bordone
        F759|PC||1923|45077|9756|Mortizza
        G930|BG||1928|45784|9688|Poscante
        C734|VI|1866|2019|45920|11728|Cismon del Grappa|Cismon
        D160|PI|1902|2013|43573|10564|Crespina
        H506|TN|1920|2019|46397|11066|Romallo
        B668|VA||1927|45794|8810|Capolago
        E105|VA||1928|45754|8861|Gornate-Superiore
        C146|BL|1866|2014|46285|12306|Castellavazzo
        G451|AR|1869|2017|43470|11686|Pergine Valdarno|Pergine
        I159|BZ|1920|1929|46812|11803|San Sigismondo|St. Sigmund
        D248|TN|1920|2014|45947|10621|Daone
        C526|BI|1863|2018|45564|8161|Cerreto Castello
        D206|TN|1920|2015|46286|11035|Cunevo
        B600|TN|1920|1929|46078|11277|Canezza
        B456|LO||2017|45205|9727|Camairago
        L209|BS||1928|45612|9984|Torbiato
        C666|TN|1920|1928|45812|11007|Chizzola
        M148|CR||1928|45333|9673|Zappello
        L381|UD|1869|2018|46533|13043|Treppo Carnico
        G637|MC||2016|43063|13084|Pievebovigliana
        D648|BZ|1920|1929|46592|11147|Foiana|Völlan
        A639|PU||2016|43673|12928|Barchi
        G094|BG||1927|45805|9822|Orezzo
        D498|BS||1927|45368|9979|Farfengo
        F945|BZ|1920|1929|46743|11648|Novacella|Neustift
        E408|TV|1866|1868|45986|12215|San Giorgio di Lago|Lago
        A426|TN|1928|1947|46007|10698|Bondo Breguzzo|Arnò
        B135|TN|1920|2015|46007|10698|Breguzzo
        L661|BZ|1920|1929|46815|11745|Vandoies di Sopra|Obervintl
        D743|PV|1883|1939|45194|9220|Fossarmato
        D820|BZ|1920|1929|46889|11706|Fundres|Pfunders|Fundoles
        E477|BZ|1920|1928|46679|10532|Laudes|Laatsch
        B022|BS|1867|1928|45621|10018|Borgonato
        F593|AN||2013|43697|13091|Monterado
        E762|VI|1866|2019|45784|11575|Lusiana
        H513|GO|1921|1928|45899|13019|Romans
        E322|UD|1866|1928|46043|13410|Ipplis
        D397|SV||1929|44365|8465|Ellera
        D242|NO||1928|45782|8535|Dagnente
        E657|CO||1928|45703|9358|Lomaniga
        A862|NO|1880|1928|45952|8512|Bieno
        F474|PU||2020|43824|12803|Monteciccardo
        B458|AQ||1927|42395|13499|Camarda
        D572|TN|1920|2015|46176|11829|Fiera di Primiero
        E916|BZ|1920|1929|46815|11660|Maranza|Meransen|Maranza in Pusteria
        L646|VI|1866|1938|45787|11689|Valrovina
        E002|NO||1928|45782|8503|Ghevio
        L387|VI|1906|1928|45839|11429|Treschè Conca
        I772|TN|1920|2014|46343|11110|Smarano
        L903|TN|1920|2015|46080|10721|Vigo Rendena
        M151|PV|1929|1956|44868|9267|Zavattarello Valverde
        I550|RN||2013|43985|12385|Torriana|Scorticata
        I516|BZ|1920|1929|46769|11666|Sciaves|Schabs|Scaves
        L692|BL|1866|2013|45938|11936|Vas
        B601|PL|1921|1947|45122|13839|Canfanaro
        D631|TN|1920|2015|46298|11030|Flavon
        L249|PV||1928|45060|8671|Torre Beretti
        C103|TN|1920|2019|46456|11118|Castelfondo
        I889|TN|1920|2015|46070|11509|Spera
        B165|TN|1920|2019|46432|11106|Brez
        F678|AT||1998|45065|8099|Montiglio
        I766|BS||1928|45715|10080|Siviano
        F837|TN|1920|2015|46315|11047|Nanno
        M254|FU|1941|1947|45238|14252|Valsantamarina
        D778|AL|1928|1950|45033|8387|Frassinello-Olivola
        E614|TN|1920|2015|46161|11188|Lisignago
        D125|TN|1920|1928|45979|11070|Covelo
        A311|PL|1921|1947|45218|13839|Antignana
        L548|TO|1863|2018|45493|7779|Vico Canavese|Valchiusa
        D387|AL||1928|44926|7972|Dusino
        H162|TN|1920|2015|46054|10779|Ragoli
        B013|MN|1867|2018|45047|11209|Borgofranco sul Po
        I285|PU||2013|43827|12801|Sant'Angelo in Lizzola
        F885|PC||2017|44905|9328|Nibbiano
        L800|TN|1920|2014|46310|11120|Vervò
        D833|CR||1928|45216|10220|Gabbioneta
        D055|CR||1867|45273|10007|Corte de' Cortesi
        I218|PI|1927|1957|43471|10563|Santa Luce Orciano
        E166|AO|1928|1946|45773|7828|Gressoney|Gressonei
        C840|RE|1872|2015|44347|10274|Collagna
        D235|PT||2016|44101|10756|Cutigliano
        F683|PL|1921|1947|45337|13829|Montona
        M006|TN|1920|2015|46063|10712|Villa Rendena
        A316|NO||1928|46061|8115|Antronapiana
        H863|VI|1867|2017|45402|11471|San Germano dei Berici
        C694|TN|1920|2015|45912|10613|Cimego
        E866|TN|1920|2019|46436|11146|Malosco
        D370|CR|1868|2018|45142|10350|Drizzona
        G644|TN|1920|2009|45888|10731|Pieve di Ledro
        L695|CO||1927|45930|9284|Vassena
        D973|PV||2015|45180|9348|Genzone
        H039|TN|1920|2015|46047|10760|Preore
        A199|TO||2018|45461|7779|Alice Superiore
        G654|RE|1873|2015|44413|10277|Ramiseto
        I737|LU||2014|44223|10302|Sillano
        L705|VA|1928|2014|46071|8799|Veddasca
        G638|BL|1866|2016|46167|12353|Pieve d'Alpago
        B360|TN|1920|2019|46394|11041|Cagnò
        E688|PI||2013|43535|10535|Lorenzana
        H911|SI|1877|2016|43153|11589|San Giovanni d'Asso
        E222|TN|1920|2015|46221|11293|Grumes
        A933|TN|1920|2015|46033|10738|Bolbeno
        M198|TN|1920|2015|46034|10751|Zuclo
        D194|AL|1863|2019|44994|8458|Cuccaro Monferrato
        F768|VI|1866|2018|45420|11554|Mossano
        I010|BZ|1920|1929|46811|12227|San Martino in Casies|St. Martin In Gsies
        I343|NO||1928|45956|8519|Santino
        C367|VB|1927|2018|46071|8631|Cavaglio-Spoccia
        G989|TN|1920|2014|45950|10636|Praso
        D032|BZ|1920|1928|46808|10543|Curon|Graun|Corona alla Muta
        L137|TN|1920|2015|46310|11023|Terres
        H171|CO|1928|2016|45997|9066|Ramponio Verna
        D349|TN|1920|2014|46073|10897|Dorsino
        C450|VC|1865|2017|45755|8312|Cellio
        C830|PU|1869|2013|43820|12721|Colbordolo
        A808|TN|1920|2014|45944|10633|Bersone
        D902|VI|1866|2024|45588|11439|Gambugliano
        E521|CO||1928|45858|9160|Lemna
        G810|PV|1936|1947|44928|9273|Pometo
        F555|PU|1862|2016|43737|12945|Montemaggiore al Metauro
        M075|PL|1921|1947|45329|13759|Visinada
        E727|TO||2018|45445|7782|Lugnacco
        F396|TN|1920|2015|46058|10751|Montagne
        E585|RE||2015|44316|10342|Ligonchio
        D991|BG||2014|45850|9572|Gerosa
        F406|IM|1864|2017|43929|7845|Montalto Ligure
        D336|TN|1920|2015|46389|11136|Don
        G677|VA|1863|2014|46101|8739|Pino sulla Sponda del Lago Maggiore
        E846|UD|1921|1928|46507|13439|Malborghetto
        I386|PL|1921|1947|45088|13884|Sanvincenti
        H837|BZ|1920|1974|46494|11130|San Felice|St. Felix
        B283|RE||2015|44369|10323|Busana
        D182|BI||2015|45603|8149|Crosa
        L813|LC||2017|46083|9325|Vestreno
        A624|PL|1921|1947|45064|14014|Barbana d'Istria
        B320|CR|1869|2018|45120|10277|Ca' d'Andrea
        D457|TN|1920|2019|46192|11161|Faedo
        G715|PT||2016|44028|10766|Piteglio
        L550|TN|1920|2015|46207|11265|Valda
        B479|PC||2017|44910|9308|Caminata
        D449|LU||2013|43998|10428|Fabbriche di Vallico|Trassilico
        H057|TN|1920|2015|45935|10633|Prezzo
        G014|SV||1929|44488|8590|Olba
        A260|TN|1920|2015|46395|11147|Amblar
        B206|NO||1928|45842|8532|Brovello
        G396|TO||2018|45452|7777|Pecco
        A711|PV||2014|45040|8922|Bastida de' Dossi
        D481|VB||2018|46073|8589|Falmenta
        A493|PU||2018|43821|12572|Auditore
        I670|PU|1872|2016|43747|12875|Serrungarina
        F264|TN|1920|1929|45781|10616|Moerna
        L368|LC||2017|46076|9366|Tremenico
        E452|TN|1920|2015|45969|10661|Lardaro
        C467|TN|1920|2015|45969|11232|Centa San Nicolò
        G755|RN||2013|44026|12409|Poggio Berni
        A012|PT|1936|2016|44146|10664|Abetone
        H329|VC|1862|2018|45831|7957|Riva Valdobbia
        I619|VB||2015|46058|8217|Seppiana
        B185|TN|1920|2015|45895|10590|Brione
        E183|PL|1921|1977|45379|13724|Grisignana
        E150|TN|1920|2015|46230|11298|Grauno
        G399|PC||2017|44876|9384|Pecorara
        E586|UD|1866|2018|46540|13075|Ligosullo
        E308|LC||2017|46081|9341|Introzzo
        B814|IM||2017|43960|7866|Carpasio
        L731|LC||2019|46034|9329|Vendrogno
        B489|CN||2018|44695|8194|Camo
        I596|BI|1863|2016|45620|8087|Selve Marcone
        L864|VB||2015|46052|8194|Viganella
        C140|CN||2018|44621|7437|Castellar
        B508|BI|1863|2015|45663|8000|Campiglia Cervo
        E608|PV||2026|44994|9257|Lirio
        E059|LU||2014|44211|10247|Giuncugnano
        D941|AL||2017|44776|8886|Gavazzana
        E138|VI|1866|2017|45422|11452|Grancona
        L338|TO||2018|45490|7763|Trausella
        H292|VC||2017|45860|8064|Rimasco
        B136|VC||2017|45765|8306|Breia
        G915|PL|1921|1947|45382|13826|Portole
        F476|RN||2015|43920|12552|Monte Colombo
        F709|AT||2022|45115|8025|Moransengo
        L204|AT||2022|45118|8002|Tonengo
        E440|PL|1929|1947|45407|14116|Lanischie
        M186|GO|1921|1947|45717|13810|Zolla
        A807|CN||1928|44380|6969|Bersezio
        H648|VC||2017|45857|8236|Sabbia
        F164|TO||2018|45490|7779|Meugliano
        D224|NO||1928|46099|8568|Cursolo
        F121|SO||2015|46299|9361|Menarola
        L645|AO||1929|45522|7549|Valprato
        H291|VC||2017|45885|7999|Rima San Giuseppe
        H637|PV||2018|44911|9276|Ruino
        L884|TN|1920|1929|46044|11277|Vignola
        L636|CN||2018|44544|7346|Valmala
        A002|CO|1863|1928|46037|9129|Abbadia Sopra Adda
        A011|VA||1928|45708|8908|Abbiateguazzone
        A021|BZ|1920|1929|46669|11409|Acereto|Ahornach
        A031|MC||2016|43201|13291|Acquacanina
        A036|BS||1927|45348|9968|Acqualunga
        A046|CO||1924|45866|9145|Acquate
        A063|MI|1884|1923|45464|9190|Affori
        A066|NO||1928|45633|8517|Agaro
        A078|NO||1928|45574|8554|Agnellengo
        A079|VC||1928|45720|8275|Agnona
        A090|TN|1920|1928|45942|10640|Agrone
        A095|GO|1921|1928|45871|13520|Aiba
        A099|GO|1921|1947|45948|13513|Aidussina
        A104|CS|1864|1928|39521|16253|Aiello in Calabria
        A114|CO||1927|45866|9145|Aizurro
        A133|CE|1928|1946|41175|14215|Albanova
        A134|PV|1863|2023|45094|9246|Albaredo Arnaboldi
        A140|CN|1863|1928|44500|7180|Albaretto Valle di Macra
        A142|CO||1943|45808|9083|Albate
        A144|BG||1928|45674|9612|Albegno
        A148|TS|1921|1927|45695|13729|Alber di Sesana|Auber
        A152|CO||1928|45798|9152|Albese
        A168|CO||1927|45866|9145|Albogasio
        A169|NO||1928|45633|8517|Albogno
        A209|BZ|1920|1929|46669|11409|Alliz|Allitz
        A211|AL||2017|44766|8862|Alluvioni Cambiò
        A212|CN||1928|44500|7180|Alma
        A213|TN|1920|1928|46128|11090|Almazzago
        M305|BG|1927|1951|45748|9617|Almè con Villa
        A219|BS||1928|45695|10321|Alone
        A248|BG||1927|45737|9726|Alzano Sopra
        A250|NO|1863|1928|45574|8554|Alzate con Linduno
        A276|TN|1920|1928|46128|11090|Andogno
        A277|CN||1928|44278|7398|Andonno
        A289|BS||1928|45632|10239|Anfurro
        A298|GO|1921|1928|45871|13520|Anicova Corada|Anhovo
        A322|NO||1928|45633|8517|Anzino
        A331|GE||1926|44405|8944|Apparizione
        A349|NO||1928|45680|8344|Ara
        A353|VC||1928|45720|8275|Aranco
        A356|VA||1928|45960|8762|Arbizzo
        A364|CO||1928|45809|9226|Arcellasco
        A378|VA||1928|45865|8752|Arcumeggia
        A381|VA||1928|45945|8890|Ardena
        A408|CA||1927|39332|9015|Arixi
        A410|NO|1911|1927|45633|8517|Arizzano Inferiore
        A411|NO|1911|1928|45633|8517|Arizzano Superiore
        A416|VA||1928|46066|8802|Armio
        A417|TN|1920|1929|46128|11090|Armo
        A420|TN|1920|1928|46128|11090|Arnago
        A428|VA||1928|45812|8782|Arolo
        A450|NO||1928|45633|8517|Artò
        A457|IM|1889|1929|43914|7855|Arzeno d'Oneglia
        A469|CO||1928|45866|9145|Asnago
        A483|CE|1928|1946|40956|14272|Atella di Napoli
        A498|TS|1921|1927|45695|13729|Auremo di Sopra
        A504|NO||1928|45633|8517|Auzate
        A505|GO|1921|1928|45871|13520|Auzza
        A510|BS||1928|45705|10397|Avenone
        A513|VR|1866|1927|45439|10994|Avesa
        A524|TO||1928|45054|7876|Avuglione e Vernone
        A543|CO||1928|45866|9145|Bagaggera
        A545|MI|1869|1923|45464|9190|Baggio
        A548|VT|1871|1928|42518|12144|Bagnaja
        A556|AL||1928|44847|8633|Bagnasco d'Asti
        A563|AQ||1927|42100|13636|Bagno
        A582|CO||1928|45866|9145|Baiedo
        A583|AO||1929|45726|7458|Baio Dora|Baio
        A585|TO|1929|1955|45188|7577|Bairo Torre
        A598|VA|1879|1928|45812|8782|Ballarate
        A602|MI||1928|45558|9215|Balsamo
        A608|TN|1920|1968|46366|11076|Banco
        A641|BS||1927|45632|10239|Barco
        A642|CO||1927|45866|9145|Barcone
        A644|TO||1928|45188|7577|Bardassano
        A648|SV||1929|44176|8270|Bardino Nuovo
        A649|SV||1929|44176|8270|Bardino Vecchio
        A654|BG||1927|45913|9742|Baresi
        A679|BG||1927|45811|9898|Barsizza
        A680|CO||1928|45759|9345|Bartesate
        A682|VA||1928|45768|8724|Barza
        A685|CR|1868|1928|45243|9879|Barzaniga
        A688|VA||1928|45776|8579|Barzola
        A695|PV||1929|45284|9140|Baselica Bologna
        A715|GO|1921|1928|45871|13520|Battaglia della Bainsizza|Bate
        A723|ME||1929|38217|15496|Bauso
        A724|GE||1926|44405|8944|Bavari
        A727|TO||1928|45036|6834|Beaulard
        A767|BS|1863|1928|45632|10239|Bel Prato
        A754|RO|1924|1929|45026|12082|Bellombra
        A758|VR|1866|1928|45657|10894|Belluno Veronese
        A790|FU|1921|1924|45327|14442|Berdo San Giovanni
        A797|GO|1921|1947|45948|13513|Bergogna
        A803|CO|1862|1937|45756|9073|Bernate Rosales|Bernate di Como
        A824|FU|1922|1929|45327|14442|Bersezio del Quarnaro|Bersez
        A822|TN|1929|1947|45938|11102|Beseno
        A828|IM||1928|43938|8015|Bestagno
        A838|VR|1928|1947|45225|11376|Bevilacqua-Boschi
        A840|TN|1920|1928|45916|10843|Biacesa
        A858|VA||1928|46066|8802|Biegno
        A865|SV||1928|44328|8279|Biestro
        A866|MN|1866|2018|45133|10758|Bigarello
        A867|GO|1921|1928|45871|13520|Biglia
        A868|GO|1921|1928|45871|13520|Bigliana
        A869|CO||1927|45866|9145|Biglio
        A871|CR||1928|45250|9944|Binanuova
        A873|CO||1927|45866|9145|Bindo
        A888|AL||1873|44735|8731|Bisio
        A899|VA||1927|45821|8825|Bizzozero
        A900|TN|1928|1947|46064|10761|Bleggio
        A901|TN|1920|2009|46128|11090|Bleggio Inferiore
        A907|RO|1868|1927|45070|11790|Boara Polesine
        A908|VA||1927|45821|8825|Bobbiate
        A915|PR||1927|44727|10117|Boccolo de' Tassi
        A924|PL|1921|1947|44868|13848|Bogliuno
        A926|NO||1928|45633|8517|Bognanco Dentro
        A927|NO||1928|45633|8517|Bognanco Fuori
        A928|VA||1928|45911|8716|Bogno
        A935|TN|1920|1928|46128|11090|Bolentina
        A936|NO||1928|45633|8517|Boleto
        A943|TN|1920|1929|46128|11090|Bollone
        A951|GE|1878|1926|44405|8944|Bolzaneto
        A969|BG||1928|45764|9799|Bondo Petello
        A980|TO||1928|45368|7258|Bonzo
        A985|BG||1927|45913|9742|Bordogna
        A997|TN|1920|1928|46128|11090|Borghetto
        A994|IM|1863|1928|43800|7720|Borghetto San Nicolò
        B027|BO||1937|44494|11339|Borgo Panigale
        B045|BG|1928|1947|45723|9900|Borgounito
        B047|GO|1921|1928|45871|13520|Boriano|Berie
        B052|VC||1927|45685|8308|Bornate
        B059|VA|1913|1928|45812|8782|Borsano
        B060|RO|1866|1927|45070|11790|Borsea
        B065|TN|1920|1928|46128|11090|Borzago
        B066|GE||1926|44405|8944|Borzoli
        B072|VA|1863|1928|45911|8716|Bosco Valtravaglia
        B074|IM||1928|43889|7903|Boscomare
        B089|PV|1895|1928|45078|9131|Bottarone
        B092|BS||1928|45530|10311|Botticino Mattina
        B093|BS||1928|45530|10311|Botticino Sera
        B096|TO|1882|1928|44953|6792|Bousson
        B103|TO||1928|45188|7577|Bovile
        M299|RM|1993|1995|41770|12659|Boville
        B108|TN|1920|1928|46128|11090|Bozzana
        B113|BG|1928|1948|45826|9722|Bracca di Costa Serina
        B122|PV||1928|45069|9098|Branduzzo
        B127|CO||1943|45808|9083|Breccia
        B133|CO||1928|45939|9261|Breglia
        B139|BG||1928|45742|9750|Brembate di Sotto
        B151|VR|1866|1928|45657|10894|Brentino
        B155|VR|1866|1929|45417|11060|Breonio
        B163|GO|1921|1928|45871|13520|Brestovizza in Valle
        B164|GO|1921|1928|45871|13520|Bretto|Loga di Plezzo
        B168|CO||1928|45866|9145|Brianzola
        B174|CN|1862|1947|44275|7324|Briga Marittima
        B177|AL|1863|1928|44837|8874|Brignano del Curone
        B186|PL|1934|1947|44868|13848|Brioni Maggiore
        B189|NO||1927|45633|8517|Brisino
        B190|VA||1928|46010|8749|Brissago
        B208|SV||1929|44225|8263|Brovida
        B210|FI||1928|43777|11254|Brozzi
        B222|BG||1927|45742|9750|Bruntino
        B224|AL||1929|45145|8272|Brusaschetto
        B226|TO|1928|1957|45153|8055|Brusasco Cavagnolo
        B241|CO||1928|45866|9145|Buccinigo
        B244|TS|1921|1947|45695|13729|Bucuie
        B245|GO|1921|1928|45871|13520|Budagne
        B252|CO||1928|45866|9145|Buggiolo
        B253|CO||1928|45866|9145|Bugiallo
        B257|NO||1928|45633|8517|Bugnate
        B290|RO|1867|1927|45070|11790|Buso Sarzano
        B291|IM||1928|43800|7720|Bussana
        B298|TO|1864|1928|45188|7577|Bussolino Gassinese
        B308|NO||1928|45633|8517|Buttogno
        B348|RO|1882|1929|45023|11704|Ca' Emo
        B339|CR|1868|1927|45174|10165|Ca' de' Stefani
        B340|PV||1871|45116|9085|Ca' de' Tedioli
        B342|VR|1866|1927|45439|10994|Ca' di David
        B318|TS|1921|1925|45695|13729|Caccia
        B321|NO||1928|45633|8517|Caddo
        B325|VA|1908|1928|45960|8762|Cadegliano
        B334|VA|1877|1928|46066|8802|Cadero con Graglio
        B353|CO||1928|45866|9145|Cagliano
        B372|MI||1924|45472|9140|Cajello
        B373|BS||1928|45530|10311|Cajonvico
        B401|GO|1921|1947|45948|13513|Cal di Canale
        B414|BS||1927|45584|10023|Calino
        B421|NO||1928|45633|8517|Calogna
        B438|ME|1866|1929|38217|15496|Calvaruso
        B449|BN|1863|1958|41062|14861|Calvi San Nazzaro|San Nazzaro Calvi
        B454|TO|1863|1927|45188|7577|Camagna di Torino
        B459|VC||1929|45814|8258|Camasco
        B793|GO|1921|1928|45871|13520|Camigna|Camnie
        B478|BS||1928|45632|10239|Camignone
        B480|BZ|1920|1929|46669|11409|Caminata in Tures|Kematen
        B488|CO|1893|1928|45866|9145|Camnago Faloppia
        B487|CO|1863|1943|45808|9083|Camnago Volta
        B495|VA|1863|1928|45812|8782|Campagnano Vedasca
        B503|NO|1862|1929|45633|8517|Campello Monti
        B518|TN|1920|1928|46160|10764|Campo
        B517|AO|1863|1929|45549|7833|Campo Canavese
        B568|PV|1928|1948|45094|9246|Campospinoso Albaredo
        B316|BS||1927|45607|10520|Campoverde|Caccavero
        B575|GO|1921|1947|45948|13513|Canale d'Isonzo
        B583|IM||1926|43975|7944|Candeasco
        B596|GE||1928|44373|9105|Canepa
        B599|PV||2018|45116|9085|Canevino
        B611|BA|1863|1927|41007|16790|Canneto di Bari
        B614|RC||1927|38110|15661|Cannitello
        B622|CR||1867|45250|9944|Canova del Morbasco
        B625|CR||1867|45250|9944|Cansero
        B638|PV||1936|45116|9085|Cantonale
        B652|CO||1928|45798|9235|Capiago
        B654|CO||1928|45866|9145|Capiate
        B673|GO|1921|1947|45948|13513|Caporetto
        B700|BS|1927|1957|45465|10125|Capriano Azzano
        B702|BG|1889|1928|45613|9530|Capriate d'Adda
        B713|TS|1921|1927|45695|13729|Capriva nel Carso|Capriva
        B714|VA||1928|45776|8579|Capronno
        B721|IM|1862|1923|43889|8039|Caramagna Ligure
        B728|CO|1862|1927|45928|9280|Carate Lario
        B747|CO||1928|45800|9185|Carcano
        B750|TN|1920|1928|46128|11090|Carciato
        B751|BS||1928|45619|10206|Carcina
        B753|VA||1928|45911|8716|Cardana
        B757|NO||1928|45633|8517|Cardezza
        B761|CO||1927|45767|8999|Carella con Mariaga
        B764|CO||1928|45939|9261|Careno
        B770|AL||1928|44807|8901|Carezzano Superiore
        B773|NO||1928|45633|8517|Cargiago
        B775|RC||1928|38524|16135|Caridà
        B786|CO||1928|45866|9145|Carlazzo Valsolda
        B806|VA||1928|45812|8815|Caronno Corbellaro
        B811|CR|1868|1928|45186|10105|Carpaneta con Dosimo
        B821|PV|1872|1929|45284|9140|Carpignago
        B831|NO||1928|45633|8517|Carpugnino
        B834|PD|1866|1995|45292|11824|Carrara Santo Stefano
        B843|IM||1929|43914|7855|Cartari e Calderara
        B852|CO|1929|1950|45738|9218|Carugo Arosio|Carugo con Arosio
        B855|BS||1928|45632|10239|Carzago della Riviera|Carzago
        B863|CE|1928|1946|41175|14215|Casalba
        B884|NO|1928|1948|45501|8490|Casaleggio Castellazzo
        B908|CR||1868|45110|10248|Casalorzo Geroldi
        B909|MN||1873|45294|10473|Casalpoglio
        B926|CO|1864|1928|45799|9102|Casanova Lanza|Casanova di Uggiate
        B942|CO|1863|2017|45866|9145|Casasco d'Intelvi
        B964|TN|1920|1968|46366|11076|Casez
        B970|CO||1880|45866|9145|Casirago
        B973|CO||1928|45866|9145|Casletto
        B975|CO|1863|1928|45866|9145|Caslino al Piano
        B976|CO||1937|45756|9073|Casnate
        B992|VI|1920|1940|45862|11396|Casotto
        B995|CO||1927|45866|9145|Cassago
        C001|CO|1862|1928|45798|9152|Cassano Albese
        C016|CO||1928|45866|9145|Cassina Mariaga
        C029|CR||1929|45390|9570|Cassine Gandine
        C043|TN|1920|1929|46128|11090|Castagnè
        C068|VT|1871|1927|42628|12090|Castel Cellesi
        C071|AN||2013|43521|13202|Castel Colonna|Tomba di Senigallia
        C099|GO|1928|1947|45948|13513|Castel Dobra
        C124|FU|1921|1947|45327|14442|Castel Iablanizza|Iablanizza
        C131|PV||1872|45116|9085|Castel Lambro
        C264|AL|1863|1929|45145|8272|Castel San Pietro Monferrato
        C087|AL||1928|44729|8943|Castel de' Ratti
        C084|UD|1866|1878|46045|13479|Castel del Monte Udinese
        C132|PE||1927|42333|13981|Castellammare Adriatico|Castellammare
        C144|PV||1928|45060|8671|Castellaro de' Giorgi
        C151|VC||1930|45516|8245|Castellengo
        C163|CN||1930|44583|7968|Castelletto Monforte
        C168|VC||1929|45605|8285|Castelletto Villa
        C171|NO|1928|1948|45773|8396|Castelli Cusiani
        C180|CO|1869|1924|45866|9145|Castello Sopra Lecco
        C179|CO|1862|1927|45866|9145|Castello Valsolda
        C191|BO|1862|2013|44439|11330|Castello di Serravalle
        C192|CB||1928|41683|14732|Castellone al Volturno
        C193|RM||1928|41942|12744|Castellonorato
        C249|CR||1934|45053|10302|Castelponzone
        C256|SA||1929|40120|15454|Castelruggiero
        C277|IM|1862|1923|43889|8039|Castelvecchio di Santa Maria Maggiore
        C281|AL|1863|1928|44847|8633|Castelvero d'Asti
        C295|AL|1863|1929|44847|8633|Castiglione d'Asti
        C305|NO|1862|1928|45633|8517|Castiglione d'Ossola
        C326|VR|1868|1928|45586|10739|Castione Veronese
        C333|BS||1928|45632|10239|Castrezzone
        C350|RC|1873|1927|38110|15661|Cataforio
        C355|RC|1867|1927|38110|15661|Catona
        C358|TN|1920|1927|46128|11090|Cauria|Gfrill
        C366|NO|1862|1927|45633|8517|Cavaglio San Donnino
        C379|NO||1927|45633|8517|Cavandone
        C391|TS|1921|1947|45695|13729|Cave Auremiane|Britova
        C397|CO||1928|45799|9102|Caversaccio
        C402|VA||1928|45812|8782|Cavona
        C416|GO|1921|1928|45871|13520|Ceconico
        C425|FU|1921|1924|45327|14442|Ceglie
        C427|TN|1920|1928|46128|11090|Celentino
        C434|PV|1864|1929|45116|9085|Cella di Bobbio
        C445|TN|1920|1928|46128|11090|Celledizzo
        C431|VA||1928|45812|8782|Cellina
        C454|BG|1927|1929|45713|9822|Cenate
        C455|BG|1929|1947|45701|9812|Cenate d'Argon
        C462|SV||1929|44098|8133|Cenesi
        C464|BZ|1920|1929|46669|11409|Cengles|Tschengls
        C465|IM||1928|44021|7872|Cenova
        C473|BG|1928|1948|45659|9539|Centrisola
        C475|BG||1927|45742|9750|Cepino
        C491|MI||1928|45538|9051|Cerchiate
        C519|GO|1921|1947|45948|13513|Cernizza Goriziana
        C522|CO|1928|1966|45866|9145|Cernusco Montevecchia
        C535|VA|1863|1928|45909|8620|Cerro Lago Maggiore
        C546|VC||1929|45814|8258|Cervarolo
        C572|CO|1927|1955|45754|9428|Cesello Brianza
        C579|AO||1929|45726|7458|Cesnola
        C586|BS|1927|1947|45632|10239|Ceto-Cerveno
        C590|BZ|1920|1931|46669|11409|Ceves|Tschöfs|Zedes|Tshöfs
        C592|AO|1928|1946|45726|7458|Challant Saint Anselme Et Challant Saint Victor|Villa Sant'Anselmo|Challant
        C597|TO||1928|44953|6792|Champlas-Du-Col
        C602|TO||1928|45188|7577|Chiabrano
        C603|NA|1863|1926|40852|14268|Chiaiano ed Uniti
        C607|AV||1928|41042|14822|Chianchetelle
        C611|GO|1921|1947|45948|13513|Chiapovano
        C617|MI|1870|1923|45464|9190|Chiaravalle Milanese
        C622|VC|1880|1940|45516|8245|Chiavazza
        C626|TN|1920|1924|46128|11090|Chienis
        C636|NO|1862|1927|45633|8517|Chignolo Verbano
        C647|VE|1866|1926|45436|12231|Chirignago
        C667|TN|1920|1928|46079|10997|Ciago
        C687|BS||1928|45520|10354|Ciliverghe
        C688|CO||1928|46037|9129|Cima
        C690|NO||1928|45633|8517|Cimamulera
        C692|BS|1927|1947|45632|10239|Cimbergo-Paspardo
        C720|GO|1921|1947|45948|13513|Circhina
        C721|NO||1928|45633|8517|Cireggio
        C731|UD|1866|1928|46140|13167|Ciseriis
        C753|CO||1928|45866|9145|Civello
        C761|BS|1928|1947|45946|10270|Cividate Malegno
        C762|CO||1943|45808|9083|Civiglio
        C786|BS||1927|45471|9950|Cizzago
        C799|BZ|1920|1928|46669|11409|Clusio|Schleis
        C805|GO|1921|1928|45871|13520|Cobbia|Cobilaglava
        C822|TN|1920|1926|46068|11121|Cognola
        C827|NO||1928|45633|8517|Coimo
        C828|NO|1868|1928|45821|8446|Coiromonte
        C906|TO||1927|45238|7373|Col San Giovanni
        C834|IM|1882|1928|43800|7720|Col di Rodi
        C831|AT||1998|44880|8188|Colcavagno
        C832|CO||1883|45751|9218|Colciago
        C837|TN|1920|1925|46128|11090|Colfosco
        C861|BZ|1920|1929|46669|11409|Colle in Casies|Pichl In Gsies
        C873|TR||1927|42652|12362|Collescipoli
        C874|TR||1927|42652|12362|Collestatte
        C881|BZ|1920|1929|46669|11409|Colli in Pusteria|Pichlern
        C889|CO||1928|45866|9145|Cologna
        C892|TN|1920|1928|45942|10640|Cologna in Giudicarie
        C891|TN|1920|1929|45919|10832|Cologna-Gavazzo
        C896|BG|1863|1927|45696|9667|Colognola del Piano
        C898|BS||1928|45632|10239|Colombaro
        C907|BZ|1920|1929|46669|11409|Colsano|Galsaun
        C913|PV||1871|45116|9085|Comairano
        C915|TN|1920|1928|46160|10764|Comano
        C916|TN|1920|1928|46128|11090|Comasine
        C921|GO|1921|1947|45948|13513|Comeno|Comen
        C923|BS||1928|45695|10321|Comero
        C924|BS||1927|45632|10239|Comezzano
        C932|NO||1928|45633|8517|Comnago
        C945|CO||1929|45866|9145|Concenedo
        C961|IM||1928|43975|7944|Conio
        C966|CO||1928|45866|9145|Consonno
        C967|RO|1873|1994|45027|12218|Contarina
        C970|CO||1928|45866|9145|Contra
        C989|NO||1928|45633|8517|Corciago
        C997|CO|1864|1928|45866|9145|Corenno Plinio
        D002|TS|1921|1947|45695|13729|Corgnale
        D025|GE|1880|1926|44405|8944|Cornigliano Ligure
        D031|GO|1921|1928|45935|13463|Corona
        D039|VR|1866|1928|45417|11060|Correzzo
        D047|CO||1927|45866|9145|Cortabbio
        D063|BS||1927|46178|10333|Cortenedolo
        D069|AL||1928|44847|8633|Corteranzo
        D059|BZ|1920|1929|46669|11409|Corti in Pusteria|Hofern|Corte in Pusteria
        D074|PR||1943|44799|10326|Cortile San Martino
        D080|BZ|1920|1928|46669|11409|Corvara in Passiria|Rabenstein
        D083|BZ|1920|1928|46669|11409|Corzes|Kortsch
        D084|GO|1921|1928|46031|13479|Cosbana del Collio|Cosbana
        D090|TS|1921|1947|45695|13729|Cossana
        D097|VC||1940|45516|8245|Cossila
        D098|BS||1929|45477|10011|Cossirano
        D104|IM|1862|1923|43889|8039|Costa d'Oneglia
        D116|TN|1920|1929|46128|11090|Costasavina
        C401|BZ|1920|1928|46669|11409|Covelano|Göflan|Cavolano
        D130|NO||1928|45633|8517|Crana Gattugno
        D135|NO||1928|45633|8517|Cravegna
        D138|GO|1921|1928|45888|13442|Creda
        D146|BS||1927|45632|10239|Cremezzano
        D148|CO||1929|45738|9218|Cremnago
        D152|MI||1924|45472|9140|Crenna
        D153|TS|1921|1947|45695|13729|Crenovizza
        D155|MI||1923|45464|9190|Crescenzago
        D163|CO||1927|45866|9145|Cressogno
        D167|CO||1928|45866|9145|Crevenna
        D169|VC|1862|1929|45814|8258|Crevola Sesia
        D173|CO||1928|46021|9239|Croce
        D174|VC||1929|45516|8245|Croce di Mosso
        D176|RO|1866|1928|45023|11704|Crocetta
        D183|VI|1866|1938|45745|11662|Crosara
        D191|NO||1928|45633|8517|Crusinallo
        D212|AL||1928|44752|8896|Cuquello
        D220|BG||1928|45674|9612|Curnasco
        D225|VB|1928|2018|45978|8596|Cursolo-Orasso
        D241|NO||1928|46019|8301|Cuzzago
        D249|TN|1920|1929|46128|11090|Dardine
        D252|TN|1920|1928|46128|11090|Darzo
        D250|TN|1920|2015|46128|11090|Darè
        D254|CO||1927|45866|9145|Dasio
        D262|BS||1928|45665|10466|Degagna
        D263|TN|1920|1928|46128|11090|Deggiano
        D274|TN|1920|1928|46128|11090|Dercolo
        D276|TN|1920|1929|46128|11090|Dermulo
        D282|GO|1921|1928|45871|13520|Descla
        D283|BG|1863|1928|45764|9799|Desenzano al Serio
        D285|TO||1928|44953|6792|Desértes
        D288|BG|1928|1947|45977|10098|Dezzo di Scalve
        D294|IM||1924|43914|7855|Diano Borello
        D295|IM||1924|43914|7855|Diano Calderina
        D306|NO||1928|45633|8517|Dissimo
        D307|TS|1940|1947|45695|13729|Divaccia Grotte del Timavo
        D308|TS|1927|1940|45695|13729|Divaccia San Canziano
        D313|VC||1928|45720|8275|Doccio
        D322|GO|1921|1928|45871|13520|Dol Grande|Valgrande
        D320|GO|1921|1928|45871|13520|Dole
        D335|CA||1927|39332|9015|Domusnovas Canales
        D337|RO|1866|1994|45027|12218|Donada
        D340|PV||1929|44988|9300|Donelasco
        D342|CA|1862|1927|39332|9015|Donigala Fenughedu
        D343|CA|1862|1927|39332|9015|Donigala Siurgus
        D359|CO||1927|45866|9145|Dozio
        D362|PL|1922|1928|45239|13939|Draguccio
        D363|CO||1927|45866|9145|Drano
        D368|GO|1921|1928|45888|13442|Dresenza
        D375|AO||1929|45726|7458|Drusacco
        D091|VA|1863|1928|45812|8782|Due Cossani
        D378|CR|1868|1920|45273|10007|Duemiglia
        D389|TS|1921|1947|45695|13729|Duttogliano
        D393|RM|1897|1927|41942|12744|Elena
        D396|BZ|1920|1928|46669|11409|Elle|Ellen
        D400|FU|1921|1947|45327|14442|Elsane|Gelsane
        D404|BG||1928|45794|9660|Endenna
        D409|TN|1920|1928|45976|10748|Enguiso
        D413|BZ|1920|1929|46669|11409|Eores|Afers
        D417|CO|1906|1928|45809|9226|Erba Incino
        D418|BS||1929|45632|10239|Erbanno
        D425|PL|1923|1947|44868|13848|Erpelle-Cosina
        D427|GO|1921|1928|45871|13520|Ersel in Monte
        D432|CA||1927|39796|8821|Escovedu
        D435|CO||1927|45866|9145|Esino Inferiore
        D437|CO||1927|45866|9145|Esino Superiore
        D438|NO||1928|45633|8517|Esio
        D439|BG||1928|45782|10026|Esmate
        D446|VA||1928|45812|8782|Fabiasco
        D460|TO||1928|45188|7577|Faetto
        D478|TN|1920|1929|46128|11090|Falesina
        D479|CH||1928|42024|14259|Fallascoso
        D485|TS|1921|1927|45695|13729|Famie|Famlie
        D517|BS||1928|45632|10239|Faverzano
        D519|BZ|1920|1928|46669|11409|Favogna di Sotto|Unterfennberg
        D521|TO|1927|1946|45336|7690|Favria-Oglianico
        D525|UD|1867|1928|46103|13222|Feletto Umberto
        D535|TO||1927|45188|7577|Fenile
        D536|TO||1928|44953|6792|Fenils
        D563|PL|1921|1947|44868|13848|Fianona
        D584|CA||1928|39332|9015|Figu
        D598|SV|1877|1927|44225|8263|Finalborgo
        D601|SV||1927|44225|8263|Finale Marina
        D602|SV|1869|1927|44225|8263|Finale Pia
        D603|NO||1928|45633|8517|Finero
        D609|MC||2016|43201|13291|Fiordimonte
        D610|PU|1888|1929|43909|12916|Fiorenzuola di Focara
        D616|TN|1920|1928|46128|11090|Fisto
        D625|BG||1927|45742|9750|Fiumenero
        D632|VC||1928|45516|8245|Flecchia
        D633|BZ|1920|1929|46669|11409|Fleres|Pflersch
        D642|GE||1873|44405|8944|Foce
        D657|NO||1928|45633|8517|Folsogno
        D659|NO||1928|45633|8517|Fomarco
        D664|BG||1928|45742|9750|Fondra
        D669|FU|1921|1947|45327|14442|Fontana del Conte
        D698|VC|1862|1928|45720|8275|Foresto Sesia
        D699|TO|1864|1928|45140|7144|Foresto di Susa
        D716|NO|1884|1928|45633|8517|Fornero
        D721|VI|1926|1940|45862|11396|Forni di Val d'Astico
        D722|NO||1928|45633|8517|Forno
        D723|TN|1920|1928|46128|11090|Forno
        D724|TO|1873|1928|45368|7258|Forno Alpi Graje
        D729|AL||1928|44847|8633|Forotondo
        D739|CR||1868|45250|9944|Fossa Guazzona
        D747|NO||1928|45633|8517|Fosseno
        D772|AL||1928|44837|8874|Frascata
        D779|TO||1936|45116|7309|Frassinere
        D792|TN|1920|1928|46079|10997|Fraveggio
        D795|BG||1927|45742|9750|Frerola
        D800|CE||1952|40998|14179|Frignano Maggiore
        D806|BS||1927|45632|10239|Frontignano
        D809|PU|1928|1946|43503|12756|Frontone-Serra
        D816|BG|1864|1928|45742|9750|Fuipiano al Brembo
        D831|UD|1921|1928|46140|13167|Fusine in Valromana|Roccalba
        D837|GO|1921|1928|45871|13520|Gabria|Gaberie
        D838|GO|1921|1928|45871|13520|Gabrovizza
        D840|CR|1866|1928|45158|10116|Gadesco
        D857|CN|1928|1946|44526|7754|Gaiola Moiola
        D866|SA||1929|40559|15306|Galdo
        D877|RC||1927|38110|15661|Gallico
        D880|RC|1873|1927|38110|15661|Gallina
        D887|FI|1865|1928|43777|11254|Galluzzo
        D908|VA||1928|45812|8782|Garabiolo
        D916|TN|1920|1926|46068|11121|Gardolo al Piano
        D919|MI||1869|45472|9140|Garegnano
        D922|GO|1921|1947|45948|13513|Gargaro
        D939|AO||1929|45726|7458|Gauna
        D950|VA||1927|45780|8833|Gazzada
        D954|IM||1928|43953|7973|Gazzelli
        D985|CO||1924|45866|9145|Germanedo
        D986|CO||2011|45866|9145|Germasino
        D989|BS|1863|1928|45431|9989|Gerolanuova
        E035|PU||1929|43909|12916|Ginestreto
        E073|GO|1921|1928|45717|13810|Godovici
        E075|BS||1928|45632|10239|Goglione Sopra
        E076|BS||1928|45632|10239|Goglione Sotto
        E042|GO|1921|1928|45871|13520|Goiaci|Goiaze
        E077|PV||1928|45097|8737|Goido
        E080|PR||1943|44799|10326|Golese
        E095|GO|1921|1928|45871|13520|Goriano|Goriasco
        E099|MI|1864|1923|45464|9190|Gorlaprecotto|Gorla Primo
        E110|CN||1928|44539|8194|Gorrino
        E112|BS||1929|45632|10239|Gorzone
        E117|CO||1928|45866|9145|Gottro
        E119|GO|1921|1928|45871|13520|Gozza
        E121|GO|1921|1947|45948|13513|Gracova Serravalle
        E129|NO|1862|1928|45633|8517|Graglia Piana
        E135|BO||2015|44439|11330|Granaglione
        E162|MI|1863|1923|45464|9190|Greco Milanese
        E174|TN|1920|1925|46128|11090|Gries|Grìes di Bolzano
        E176|RO|1867|1927|45070|11790|Grignano di Polesine
        E181|BZ|1920|1928|46669|11409|Grimaldo|Greinwalden|Villa in Selva
        E190|CO||1927|46025|9213|Grona
        E198|AL||1928|44803|8949|Groppo
        E218|BG||1928|45794|9660|Grumello de' Zanchi
        E220|BG||1927|45696|9667|Grumello del Piano
        E225|TN|1920|1928|46144|11089|Grumo
        E247|CS|1928|1945|39481|15977|Guardia Piemontese Terme
        E257|BZ|1920|1929|46669|11409|Gudon|Gufidaun
        E262|ME||1928|38063|15036|Guidomandri
        E268|VA||1928|45865|8752|Gurone
        E276|TN|1920|1928|46063|10712|Iavrè
        E277|GO|1921|1928|45888|13442|Idresca d'Isonzo
        E278|GO|1921|1947|45948|13513|Idria
        E279|GO|1921|1928|45871|13520|Idria di Sotto
        E286|CO||1928|45866|9145|Imberido
        E298|CO|1879|1928|45866|9145|Indovero
        E302|CO||1928|45798|9235|Intimiano
        E303|NO||1939|45633|8517|Intra
        E312|TO||1928|44909|7242|Inverso Porte
        E315|NO||1928|45757|8487|Invorio Inferiore
        E316|NO||1928|45757|8487|Invorio Superiore
        E318|BS||1927|45632|10239|Inzino
        E319|UD|1921|1931|45873|13360|Ioannis|Joanniz
        E331|TN|1920|1929|46128|11090|Ischia
        E344|MI||1869|45472|9140|Isola Balba
        E347|CO|1928|1950|45964|9166|Isola Comacina
        E359|NO||1928|45633|8517|Isola San Giulio
        E361|VC||1928|45720|8275|Isolella
        C737|BZ|1920|1928|46669|11409|Issengo|Issing|Cissico
        E378|TN|1920|2016|46128|11090|Ivano-Fracena
        E385|MI|1892|1907|45472|9140|Jerago con Besnate ed Orago
        E399|BZ|1920|1929|46669|11409|Lacinigo|Latschinig|Lacigno
        E404|UD|1921|1928|46140|13167|Laglesie San Leopoldo|San Leopoldo Alaglesie
        E411|ZA|1921|1947|44116|15225|Lagosta
        E418|CS|1928|1947|39945|15975|Laino Bruzio
        E427|MI||1923|45464|9190|Lambrate
        E446|CO||1924|45866|9145|Laorca
        E449|BZ|1920|1928|46669|11409|Lappago|Lappach
        E460|TS|1921|1926|45695|13729|Lase
        E499|IM||1928|44021|7872|Lavina
        E508|GO|1921|1928|45871|13520|Ledine
        E511|VA|1928|1963|45875|8627|Leggiuno-Sangiano
        E516|TN|1920|1928|45916|10843|Legos
        E533|TN|1920|1929|45903|10948|Lenzima
        E534|TN|1920|1928|45976|10748|Lenzumo
        E545|NO|1928|1947|45831|8565|Lesa Belgirate
        E556|ME|1880|1952|38063|15036|Letojanni Gallodoro
        E567|BS||1928|45705|10397|Levrange
        E568|CO||1928|45866|9145|Lezza
        E572|GO|1921|1928|45888|13442|Libussina
        E577|NA|1886|1929|40899|14326|Licignano di Napoli
        E582|CO|1928|1956|45790|9023|Lieto Colle
        E598|CO||1927|45866|9145|Limonta
        E603|IM||1928|43852|7931|Lingueglietta
        E604|CO||1928|46037|9129|Linzanico
        E616|VA||1927|45821|8825|Lissago
        E619|BS||1928|45632|10239|Livemmo
        E628|TN|1920|1927|45890|11041|Lizzana
        E631|BG||1927|45742|9750|Lizzola
        E634|ME||1928|37962|15378|Locadi
        E636|VC||1929|45814|8258|Locarno
        E637|BG|1863|1928|45706|9590|Locate Bergamasco
        E641|GO|1921|1928|45871|13520|Locavizza di Aidussina
        E642|GO|1921|1928|45717|13810|Locavizza di Canale
        E643|TN|1920|1928|45976|10748|Locca
        E653|TN|1920|1928|46128|11090|Lodrone
        E658|TN|1928|2009|46125|10781|Lomaso
        E663|TN|1920|1928|46079|10997|Lon
        E676|BZ|1920|1928|46669|11409|Longiarù|Campill
        E686|BG||1928|45674|9612|Lorentino
        E696|GO|1921|1928|45871|13520|Lose
        E699|CN||1929|44488|7256|Lottulo
        E701|BS|1863|1928|45632|10239|Loveno Grumello
        E702|CO|1862|1929|46021|9239|Loveno Sopra Menaggio
        E703|TN|1920|1928|46128|11090|Lover
        E710|VA||1928|45812|8782|Lozzo
        E717|MI||1928|45538|9051|Lucernate
        E720|GO|1921|1927|45871|13520|Lucinico
        E732|GO|1921|1928|45888|13442|Luico
        E739|BS||1928|45562|10253|Lumezzane Pieve
        E740|BS|1921|1928|45562|10253|Lumezzane San Sebastiano
        E741|BS||1928|45562|10253|Lumezzane Sant'Apollonio
        E744|TN|1920|1928|46160|10764|Lundo
        E755|NA||1929|40899|14326|Lusciano e Ducenta
        E774|NO||1928|45633|8517|Luzzogno
        E776|VA||1928|45812|8782|Maccagno Inferiore
        E781|CO||1928|45866|9145|Maccio
        E792|BS||1928|45632|10239|Maderno
        E796|TN|1920|1929|46128|11090|Madrano
        E797|TN|1928|1953|46035|10984|Madruzzo
        E802|CO|1869|1928|45866|9145|Maggianico
        E823|BS||1927|45632|10239|Magno Sopra Inzino
        E824|NO||1928|45633|8517|Magognino
        E826|TN|1920|1928|46128|11090|Magras
        E827|BZ|1920|1928|46669|11409|Magrè|Margreid
        E828|VI|1866|1928|45713|11357|Magrè Vicentino|Magrè
        E831|TN|1920|1923|46128|11090|Maia Alta|Obermais
        E832|TN|1920|1923|46128|11090|Maia Bassa|Untermais
        E849|TS|1921|1928|45750|13673|Malchina|Manchinie
        E857|TN|1920|1928|46380|11097|Malgolo|Salter-Malgolo
        E867|CN||1928|44385|8028|Malpotremo
        E871|AL||1928|44752|8896|Malvino
        E890|TO||1928|45188|7577|Maniglia
        E895|BZ|1920|1928|46669|11409|Mantana|Montal|Monthal|Montale in Pusteria
        E898|TN|1920|1924|46128|11090|Manzano
        E913|RM||1928|41942|12744|Maranola
        E918|GE||1873|44405|8944|Marassi
        E937|TO||1928|45188|7577|Marcorengo
        E942|PL|1921|1977|44868|13848|Maresego
        E948|TN|1920|1928|46079|10997|Margone
        E950|BG|1863|1927|45649|9606|Mariano al Brembo
        E964|AL||1929|44847|8633|Marmorito
        E966|IM||1926|43975|7944|Maro Castello
        E985|SV|1863|1929|44487|8586|Martina Olba
        F008|MI|1862|1929|45472|9140|Masciago Milanese
        F014|TN|1920|1928|46128|11090|Masi di Vigo
        F018|VA||1927|45821|8825|Masnago
        F036|RO|1866|1928|45018|11315|Massa Superiore
        F031|CA||1927|39332|9015|Massama
        F039|SI||1869|43178|11498|Masse di San Martino
        F040|SI|1876|1904|43318|11331|Masse di Siena
        F049|TN|1920|1928|46128|11090|Mastellina
        F057|FU|1921|1947|45327|14442|Matteria
        F062|BZ|1920|1928|46669|11409|Mazia|Matsch
        F069|MI|1862|1928|45538|9051|Mazzo Milanese
        F071|BG||1927|45742|9750|Mazzoleni e Falghera
        F072|BS||1928|45632|10239|Mazzunno
        F075|TO||1928|44909|7242|Meano
        F077|TN|1920|1928|46128|11090|Mechel
        F079|GO|1921|1928|45871|13520|Medana
        F103|TO||1927|45075|6699|Melezet
        F124|IM|1928|1950|44072|7811|Mendatica Montegrosso
        F128|TO||1927|45036|7049|Mentoulles
        F143|NO||1928|45759|8557|Mercurago
        F150|GO|1921|1947|45948|13513|Merna
        F160|TN|1920|1928|46128|11090|Mestriago
        F169|VA|1902|1927|45682|8708|Mezzana Superiore
        F174|PR||2018|44727|10117|Mezzani
        F177|TN|1928|1947|46152|11799|Mezzano Imer
        F185|TN|1920|1928|45916|10843|Mezzolago
        F195|NO||1928|45633|8517|Migiandone
        F204|MI||1869|45472|9140|Mignette
        F211|BZ|1920|1928|46669|11409|Millan-Sarnes|Milland-Sarns
        F212|TO||1927|45075|6699|Millaures
        F215|BS||1927|45369|10217|Milzanello
        F222|CO||1929|45725|9073|Minoprio
        F227|TN|1920|1928|46128|11090|Miola
        F228|UD|1866|1871|46140|13167|Mione
        F237|PV|1883|1939|45116|9085|Mirabello ed Uniti di Pavia
        F253|IM||1928|44047|7916|Moano
        F255|TO||1936|45116|7309|Mocchie
        F273|CO||1928|45798|9235|Moiana
        F282|GE||1926|44405|8944|Molassana
        F285|CO||1928|45866|9145|Molina
        F289|BG||1927|45749|9906|Molini di Colognola
        F292|AL|1928|1946|44925|8885|Molino Alzano
        F296|TN|1920|1929|46128|11090|Mollaro
        F298|TO||1928|44953|6792|Mollières
        F300|AL|1863|1928|44729|8943|Molo di Borbera
        F303|IM|1871|1928|43889|8039|Moltedo Superiore
        F306|VI|1889|2019|45635|11506|Molvena
        F314|VA|1863|1928|45909|8620|Mombello Lago Maggiore
        F331|TO|1863|1928|45249|7519|Monasterolo Torinese
        F334|VA||1927|45804|8671|Monate
        F349|CO||1927|45866|9145|Mondonico
        F350|AL||1929|44847|8633|Mondonio
        F353|TO||1928|45315|7303|Mondrone
        F362|BZ|1920|1929|46669|11409|Monghezzo di Fuori|Getzenberg|Monghezzo Esterno
        F412|AL||1928|44847|8633|Montalero
        F425|CO|1863|1928|45784|9042|Montano Comasco
        F431|BZ|1920|1928|46669|11409|Montassilone|Tesselberg|Montassilo
        F584|NO||1928|45633|8517|Monte Ossolano
        F617|BZ|1920|1928|46669|11409|Monte San Candido|Innichberg
        F635|GO|1921|1928|45871|13520|Monte San Vito|San Vito al Monte
        F652|GO|1921|1928|45871|13520|Monte Urabice|Vrabice
        F436|BZ|1920|1928|46669|11409|Monte di Mezzodì|Sonnenberg|Monte a Mezzodì
        F438|BZ|1920|1928|46669|11409|Monte di Tramontana|Nördersberg|Monte a Tramontana
        F459|PT||1940|43881|10786|Montecatini di Val di Nievole
        F470|BZ|1920|1929|46669|11409|Montechiaro|Lichtenberg
        F472|AL|1929|1946|44597|8356|Montechiaro Denice
        F505|BZ|1920|1929|46669|11409|Montefontana|Tomberg
        F302|IM|1872|1928|43889|8039|Montegrazie
        F525|VA||1928|45911|8716|Montegrino
        F577|GO|1921|1947|45948|13513|Montenero d'Idria
        F588|BZ|1920|1928|46669|11409|Monteponente|Pfeffersberg
        F615|TN|1920|1928|46128|11090|Montes
        F624|PV|1863|1871|45235|9211|Montesano al Piano
        F633|PG||1879|43042|12530|Montesanto Vigi|Montesanto Viezi|Montesanto
        F645|AN||1928|43604|13418|Montesicuro
        F649|GO|1921|1947|45948|13513|Montespino|Dornberg
        F650|AO||1929|45726|7458|Montestrutto
        F659|BO||2013|44439|11330|Monteveglio
        F663|VA||1928|46066|8802|Monteviasco
        F693|AV||2013|40970|14964|Montoro Inferiore
        F699|NO||1928|45633|8517|Montrigiasco
        F700|BA||1927|41007|16790|Montrone
        F702|PV||1939|45116|9085|Montù Berchielli
        F714|VC||1929|45814|8258|Morca
        F719|AP||1869|42926|13653|Moregnano
        F741|VC||1929|45814|8258|Morondo
        F742|VA||1929|45812|8782|Morosolo
        F753|FC||1924|43947|11909|Mortano
        F755|TN|1920|1928|46128|11090|Mortaso
        F763|FU|1921|1941|45238|14252|Moschiena|Moschienizze
        F790|NO||1928|45633|8517|Mozzio
        F792|BS||1927|46178|10333|Mu
        F794|VA||1928|45960|8762|Muceno
        F803|BZ|1920|1928|46669|11409|Mules|Mauls
        F812|AO||1929|45549|7833|Muriaglio
        F819|VA||1928|45960|8762|Musadino
        F821|UD|1921|1928|46140|13167|Muscoli Strassoldo
        F823|PE||1928|42218|13960|Musellaro
        F825|VA||1928|45812|8782|Musignano
        F827|MI|1869|1923|45464|9190|Musocco
        F834|TS|1921|1927|45695|13729|Nacla San Maurizio
        F838|VI|1866|2026|45635|11506|Nanto
        F854|BS||1928|45632|10239|Navono
        F855|BZ|1920|1929|46669|11409|Naz|Natz|Noci
        F860|VR|1866|1929|45417|11060|Negarine
        F869|PL|1924|1947|44961|14412|Neresine
        F875|BG||1939|45737|9726|Nese
        F879|RM|1939|1945|41455|12643|Nettunia
        F896|BS||1928|45632|10239|Nigoline
        F897|MI||1923|45464|9190|Niguarda
        F905|TN|1920|1929|45918|11033|Noarna
        F909|NO||1928|45633|8517|Nocco
        F919|TN|1920|1929|46128|11090|Nogarè
        F928|TN|1920|1924|46128|11090|Nomesino
        F936|TN|1920|1927|45890|11041|Noriglio
        F946|VI|1866|1928|45645|11299|Novale
        F953|AO||1929|45726|7458|Novareglia
        F954|CO|1863|1927|45866|9145|Novate Brianza
        F339|CN|1928|1947|44610|8165|Novello Monchiero|Monchiero Novello
        F969|PU||1929|43909|12916|Novilara
        F971|BS||1928|45632|10239|Nozza
        F973|SS||1939|40687|8873|Nuchis
        G017|CO||1928|45866|9145|Olcio
        G024|NO||1928|45633|8517|Olgia
        G029|VA||1928|45911|8716|Olginasio
        G035|IM||1924|43914|7855|Olivastri
        G051|BG||1927|45998|10094|Oltrepovo
        G052|TN|1920|1929|45903|10948|Oltresarca
        G053|GO|1921|1928|45871|13520|Oltresonzia
        G055|BG||1929|45905|9931|Oltressenda Bassa
        G057|VA|1864|1928|45812|8815|Oltrona al Lago
        G060|CR|1875|1928|45347|9687|Ombriano
        G067|IM||1923|43889|8039|Oneglia
        G069|BZ|1920|1928|46669|11409|Onies|Onach
        G072|CO||1927|45866|9145|Onno
        G073|BS|1862|1928|45705|10397|Ono Degno
        G077|GO|1921|1947|45948|13513|Opacchiasella
        G085|NO||1928|45633|8517|Orasso
        G092|MI||1929|45472|9140|Oreno
        G099|BS||1927|45632|10239|Oriano
        G100|CO|1863|1927|45866|9145|Oriano di Brianza
        G106|VA|1927|1956|45883|8712|Orino-Azzio
        G132|NO|1863|1928|45633|8517|Orta Novarese
        G138|RC||1865|38110|15661|Orti
        G174|BG||1928|45742|9750|Ossanesga
        G175|GO|1921|1928|45871|13520|Ossecca Vittuglie|Ossech-Vittuglie
        G176|GO|1921|1928|45871|13520|Ossegliano San Michele
        G177|PL|1921|1947|44868|13848|Ossero
        G180|CR||1929|45250|9944|Ossolaro
        G216|BS||1927|45348|9968|Padernello
        G219|CR|1878|1929|45250|9944|Paderno Cremonese
        G231|AQ||1927|42100|13636|Paganica
        G236|CN||1929|44488|7256|Paglieres
        G244|MI||1869|45610|9191|Paina
        G246|BS||1928|45632|10239|Paisco
        G256|CO||1928|45866|9145|Palanzo
        G269|TO|1929|1946|45423|7992|Palazzo Piverone
        G279|NO|1880|1939|45633|8517|Pallanza
        G301|CR|1928|1947|45095|10367|Palvareto
        G310|GO|1921|1928|45871|13520|Paniqua
        G313|TN|1920|1971|45871|10965|Pannone
        G314|IM||1928|43953|7973|Pantasina
        G322|TR||1927|42652|12362|Papigno
        G343|VC||1929|45814|8258|Parone
        G345|CO||1928|45809|9226|Parravicino
        G357|AL||1929|44847|8633|Passerano
        G369|AN|1863|1928|43604|13418|Paterno d'Ancona
        G373|TN|1920|1929|45903|10948|Patone
        G375|AP||1867|42940|13687|Patrignone
        G390|AL|1863|1928|44943|8669|Pavone d'Alessandria
        G401|TO|1929|1947|45741|7415|Pedanea
        G414|GE|1874|1926|44405|8944|Pegli
        G460|CN||1930|44583|7968|Perno
        G464|TN|1920|1926|46419|11674|Perra
        G468|CR|1868|1928|45186|10105|Persico
        G470|TN|1920|1929|46128|11090|Persone
        G490|BS|1863|1928|45632|10239|Peschiera Maraglio
        G503|CO|1863|1927|45866|9145|Pessina Valsassina
        G533|BS||1927|45746|10240|Pezzoro
        G539|SA||1929|40345|15378|Piaggine Soprane
        G550|BS|1929|1957|45848|10154|Pian d'Artogne
        G544|IM||1928|43953|7973|Pianavia
        G548|VC||1928|45516|8245|Pianceri
        G554|VC|1863|1927|45685|8308|Piane Sesia|Piane di Serravalle Sesia
        G563|IM||1923|43889|8039|Piani
        G569|TN|1920|1928|46128|11090|Piano
        G567|CO|1863|1928|45866|9145|Piano Porlezza
        G581|CO|1863|1929|45843|9072|Piazza Santo Stefano
        G584|TO||1928|45188|7577|Piazzo
        G585|BG||1927|45742|9750|Piazzo Alto
        G586|BG||1916|45742|9750|Piazzo Basso
        G595|TR||1927|42652|12362|Piediluco
        G599|GO|1921|1927|45871|13520|Piedimonte del Calvario|Podgora
        G617|PV||1872|44823|9198|Pietra Gavina
        G640|CR|1869|1928|45158|10116|Pieve Delmona
        G689|PR|1927|1927|44631|9729|Pione
        G701|CA||1928|40050|8637|Pirri
        G711|PV||1872|45116|9085|Pissarello
        G714|BI||1998|45650|8138|Pistolesa
        G723|PV||1928|44852|9097|Pizzocorno
        G731|GO|1921|1928|45871|13520|Planina
        G730|BZ|1920|1928|46669|11409|Planol|Planeil|Plagnolo
        G732|BZ|1920|1928|46669|11409|Plata|Platt|Platea
        G738|GO|1921|1947|45948|13513|Plezzo
        G739|GO|1921|1928|45871|13520|Pliscovizza della Madonna
        G744|GO|1921|1928|45717|13810|Pocrai del Piro|Podicrai
        G745|RC||1927|38110|15661|Podargoni
        G748|GO|1921|1928|45871|13520|Podraga
        G750|IM||1923|43889|8039|Poggi
        G759|RI|1875|1928|42405|12857|Poggio Fidoni
        G781|CR||1867|45252|9962|Polengo
        G819|BS|1927|1956|45632|10239|Poncarale Flero
        G824|BS||1927|45632|10239|Pontagna
        G832|UD|1921|1924|46140|13167|Pontebba Nova|Pontefella
        G841|GE|1889|1926|44405|8944|Pontedecimo
        G876|CO||1928|45798|9152|Ponzate
        G880|TN|1920|1928|45942|10640|Por
        G901|BS||1928|45583|10554|Portese
        G918|IM||1923|43889|8039|Porto Maurizio
        G941|TS|1921|1947|45695|13729|Postumia Grotte|Postumia
        G946|TS|1921|1927|45695|13729|Poverio|Povir
        G956|PU|1862|1929|43909|12916|Pozzo Alto
        G967|GE||1926|44405|8944|Pra
        G983|BS||1928|45632|10239|Prandaglio
        G984|TN|1920|1929|45919|10832|Pranzo
        H003|BZ|1920|1928|46669|11409|Prato alla Drava|Winnebach
        H016|MI||1920|45472|9140|Precotto
        H023|TN|1920|1925|46550|11873|Pregasina
        H024|TN|1920|1928|46128|11090|Preghena
        H025|NO||1928|45633|8517|Preglia
        H035|TN|1920|1928|45966|10725|Premione
        H044|BS||1928|45632|10239|Presegno
        H049|TN|1920|1928|46128|11090|Presson
        H050|BS||2016|45632|10239|Prestine
        H054|GO|1921|1928|45871|13520|Prevacina|Pervacina
        H058|AO||1928|45726|7458|Priacco
        H060|CN|1929|1947|44398|8048|Priero Montezemolo
        H064|FU|1921|1947|45327|14442|Primano
        H065|AL||1929|44847|8633|Primeglio Schierano
        H066|TN|1927|1947|46183|11855|Primiero
        H067|TN|1920|1928|46322|11097|Priò
        H079|BS||1928|45632|10239|Provaglio Sopra
        H080|BS||1928|45632|10239|Provaglio Sotto
        H084|VR|1866|1929|45417|11060|Prun
        H012|TN|1920|1928|45916|10843|Prè
        H093|CO||1927|45866|9145|Puria
        H099|AV||1928|40783|15223|Quaglietta
        D213|TN|1920|1923|46128|11090|Quarazze|Gratsch|Curaces
        H105|NO|1928|1947|46149|8297|Quarna
        H111|AL||1928|45142|8333|Quarti
        H115|GE||1926|44405|8944|Quarto dei Mille|Quarto al Mare
        M332|BL|2013|2024|45921|11931|Quero Vas
        H125|TN|1920|1928|46128|11090|Quetta
        H135|GE||1926|44405|8944|Quinto al Mare
        H133|VR|1867|1927|45439|10994|Quinto di Valpantena
        H142|VR|1867|1927|45439|10994|Quinzano Veronese
        H145|BI||2015|45625|8097|Quittengo
        H149|UD|1866|1928|45821|13339|Raccolana
        H155|RC||1928|38355|16013|Radicena
        H164|RG|1865|1927|36917|14696|Ragusa Ibla|Ragusa Inferiore
        H169|RO|1866|1927|45083|11603|Ramo di Palo
        H170|CO||1928|45866|9145|Ramponio
        H172|CO|1863|1924|45866|9145|Rancio di Lecco
        H179|SV||1929|44149|8282|Ranzi Pietra
        H178|GO|1921|1947|45948|13513|Ranziano
        H181|TN|1920|1928|46079|10997|Ranzo
        M307|BZ|1928|1955|46669|11409|Rasun Valdaora|Rasen Olang
        H191|BZ|1920|1928|46669|11409|Rasun di Sotto|Niederrasen
        H197|CO|1864|1928|45866|9145|Ravellino
        H208|CO||1937|45808|9083|Rebbio
        H217|BG||1927|45696|9667|Redona
        H231|BS||1928|45632|10239|Remedello Sopra
        H232|BS||1928|45632|10239|Remedello Sotto
        H234|MI|1929|1956|45729|9275|Renate Veduggio
        H239|MI||1869|45472|9140|Rescalda
        H193|FU|1921|1924|45327|14442|Retacevo in Monte
        H249|TN|1920|1929|45903|10948|Reviano Folas
        H251|TO|1863|1928|44960|7764|Revigliasco Torinese
        H260|CO||1928|45866|9145|Rezzonico
        H261|AO|1928|1946|45702|7207|Rhemes|Val di Rema
        H278|TO||1928|45188|7577|Riclaretto
        H279|BZ|1920|1928|46669|11409|Ridanna|Riednaun
        H283|GO|1921|1947|45948|13513|Rifembergo|Reifemberg
        H290|BG||1927|45742|9750|Rigosa
        H295|BZ|1920|1929|46669|11409|Rina|Welschellen|Rinna
        H296|AL||1928|44847|8633|Rinco
        H332|BZ|1920|1929|46669|11409|Riva di Tures|Rein|Rain|Riva in Valle
        H339|GE|1869|1926|44405|8944|Rivarolo Ligure
        H349|TO||1928|45119|7401|Rivera
        H351|BG|1928|1970|45675|9494|Riviera d'Adda
        H358|BS||1926|45471|10536|Rivoltella
        G356|UD|1867|1928|46140|13167|Rivolto
        H397|BG|1927|1956|45666|9771|Rocca del Colle
        H388|PE||1929|42126|14027|Roccacaramanico
        H415|CE||1868|41175|14215|Roccaguglielma
        H419|VT|1871|1928|42434|12080|Roccalvecce
        H430|TO||1928|44909|7242|Roccapiatta
        H464|SV||1928|44384|8198|Rocchetta Cengio
        H457|TO||1927|45075|6699|Rochemolles
        H471|UD|1866|1929|46140|13167|Rodda
        H476|BS|1869|1927|45632|10239|Rodengo
        H482|TS|1921|1927|45695|13729|Roditti|Rodic
        H487|VA|1864|1928|46010|8749|Roggiano Valtravaglia
        H510|CO|1862|1929|45738|9218|Romanò Brianza
        H515|TN|1920|1929|45903|10948|Romarzolo
        H543|TN|1920|1929|46128|11090|Roncogno
        H548|CO||1927|45866|9145|Rongio
        H550|GO|1921|1928|45871|13520|Ronzina
        H551|TN|1920|1924|46128|11090|Ronzo
        H557|RC||1927|38110|15661|Rosalì
        H563|BG||1927|45687|9765|Rosciate
        H571|AL||1928|44847|8633|Rosingo
        H576|AN|1928|1946|43478|13052|Rosora Mergo
        H582|BG||1928|45674|9612|Rossino
        H586|BG||1927|45742|9750|Rota Dentro
        H587|BG||1927|45742|9750|Rota Fuori
        H600|NO||1928|45633|8517|Rovegro
        H603|CO||1929|45843|9072|Rovenna
        H605|TN|1920|1925|46263|11338|Rover Carbonare
        H613|FC||1925|44066|12080|Roversano
        H616|BG|1929|1947|45899|9962|Rovetta con Fino
        H624|PL|1921|1947|44868|13848|Rozzo
        H626|CR||1928|45250|9944|Rubbiano
        H636|MI||1929|45472|9140|Ruginello
        H638|NO||1928|45633|8517|Rumianca
        H640|VA||1928|45812|8782|Runo
        H649|BG|1864|1927|45649|9606|Sabbio Bergamasco
        H651|CO||1928|45866|9145|Sabbioncello
        H653|GO|1921|1928|45871|13520|Sable Grande|Veliche-Zablie
        H656|VA|1869|1928|45812|8782|Sacconago
        H660|GO|1921|1928|45871|13520|Saga
        H663|PV|1891|1929|44797|9239|Sagliano di Crenna
        H664|FU|1921|1927|45327|14442|Sagoria San Martino
        H668|BS||1927|45632|10239|Saiano
        H685|AL||1928|45085|8266|Salabue
        H692|GO|1921|1927|45871|13520|Salcano
        H697|AO||1928|45726|7458|Sale Castelnuovo
        H698|NO||1928|45633|8517|Salecchio
        H709|RC|1864|1927|38110|15661|Salice Calabro
        H718|GO|1928|1947|45948|13513|Salona d'Isonzo
        H722|AO||1928|45726|7458|Salto
        H737|GO|1921|1928|45717|13810|Samaria
        H740|GO|1921|1947|45948|13513|Sambasso|Sempas
        H747|CN|1928|1947|44339|7057|Sambuco Pietraporzio
        H748|NO||1928|45633|8517|Sambughetto
        H751|RC|1928|1946|38090|16080|Samo di Calabria
        H750|TN|1920|1928|46128|11090|Samoclevo
        H762|NO|1864|1928|45633|8517|San Bartolomeo Valmara
        H776|CR|1875|1928|45347|9687|San Bernardino
        H817|GO|1921|1947|45948|13513|San Daniele del Carso
        H849|GE||1873|44405|8944|San Francesco d'Albaro
        H864|BG|1863|1928|45613|9530|San Gervasio d'Adda
        H871|TS|1921|1947|45695|13729|San Giacomo in Colle
        H874|TO|1928|1947|45188|7577|San Gillio Torinese
        H879|BZ|1920|1928|46669|11409|San Giorgio|St. Georgen|San Giorgio in Val Tures
        H909|GE||1923|44448|9127|San Giovanni Battista
        H925|PG||1875|43042|12530|San Giovanni Reatino
        H905|CO||1924|45866|9145|San Giovanni alla Castagna
        H915|CT||1926|37492|15070|San Giovanni di Galermo
        H932|VC|1863|1929|45516|8245|San Giuseppe di Casto
        H947|PC|1862|1923|44925|9638|San Lazzaro Alberoni
        H948|PR|1870|1943|44799|10326|San Lazzaro Parmense
        H946|IM|1862|1928|43975|7944|San Lazzaro Reale
        H954|NA|1866|1928|40835|14351|San Leucio
        H968|CR||1868|45345|9723|San Lorenzo Mondinari
        H966|TN|1920|2014|45947|10621|San Lorenzo in Banale
        H972|TN|1920|1926|46128|11090|San Lugano|St. Lugano
        I013|GO|1921|1947|45948|13513|San Martino Quisca
        I001|BZ|1920|1928|46669|11409|San Martino al Monte|St. Martin Am Vorberg
        I006|BG|1927|1956|45948|9686|San Martino de' Calvi
        H998|TO|1863|1928|45188|7577|San Martino di Perrero
        I009|CR|1868|1928|45188|9997|San Martino in Beliseto
        I020|AT|1929|1947|44880|8188|San Marzano Moasca
        I021|AL||1929|44847|8633|San Marzanotto
        I022|VR|1867|1927|45439|10994|San Massimo all'Adige
        I041|VR|1867|1927|45439|10994|San Michele Extra
        I038|CN|1862|1928|44385|8028|San Michele Prazzo
        I033|AL|1863|1928|44847|8633|San Michele d'Asti
        I044|TS|1921|1947|45695|13729|San Michele di Postumia
        I039|VT|1873|1927|42603|12186|San Michele in Teverina
        I064|MI||1870|45472|9140|San Novo
        I068|PR|1866|1943|44799|10326|San Pancrazio Parmense
        I069|CA||1905|39332|9015|San Pantaleo
        I074|BI|1863|2015|45625|8097|San Paolo Cervo
        I070|AL|1863|1928|44847|8633|San Paolo della Valle
        I078|TS|1921|1928|45750|13673|San Pelagio
        I083|RC|1863|1928|38524|16135|San Pier Fedele
        I081|GE||1926|44405|8944|San Pier d'Arena
        I112|AV||1928|41042|14822|San Pietro Irpino|San Pietro Indelicato
        I106|BG||1928|45854|9661|San Pietro d'Orzio
        I100|TS|1921|1947|45695|13729|San Pietro del Carso
        I101|TV|1866|1929|45897|11982|San Pietro di Barbozza
        I104|CN||1929|44408|7323|San Pietro di Monterosso
        I127|PV|1863|1928|44852|9097|San Ponzo Semola
        I134|GE|1863|1926|44405|8944|San Quirico in Val Polcevera
        I161|CH||1879|42097|14380|San Silvestro
        I383|CA||1928|39332|9015|San Vero Congius
        I387|CB|1863|1928|41683|14732|San Vincenzo al Volturno
        I406|GO|1921|1947|45948|13513|San Vito di Vipacco
        I398|TR|1863|1929|42869|12269|San Vito in Monte
        I167|CO||2002|46066|9269|Sant'Abbondio
        I200|AV||1927|40833|14837|Sant'Agata Irpina|Sant'Agata di Sotto
        I195|NO|1862|1928|45633|8517|Sant'Agata Sopra Cannobio
        I211|PV|1863|1929|45116|9085|Sant'Albano di Bobbio
        I257|VA|1863|1927|45821|8825|Sant'Ambrogio Olona
        I269|GO|1921|1927|45871|13520|Sant'Andrea di Gorizia|Sant'Andrea
        I270|CE|1862|1907|41175|14215|Sant'Andrea di Vallefredda
        I299|PC|1862|1923|44925|9638|Sant'Antonio a Trebbia
        I297|BG|1863|1927|45749|9492|Sant'Antonio d'Adda
        I303|RO|1867|1927|45070|11790|Sant'Apollinare con Selva
        I340|GE|1863|1926|44405|8944|Sant'Ilario Ligure
        I180|GO|1921|1947|45948|13513|Santa Croce di Aidussina
        I204|SV|1880|1929|44225|8263|Santa Giulia
        I222|GO|1921|1947|45948|13513|Santa Lucia d'Isonzo|Santa Lucia di Tolmino
        I223|BZ|1920|1929|46669|11409|Santa Maddalena in Casies|St. Magdalena In Gsies
        I227|PV|1864|1929|44797|9239|Santa Margherita di Bobbio
        I250|NO||1928|45633|8517|Santa Maria Maggiore e Crana
        I252|CO|1928|2002|46066|9269|Santa Maria Rezzonico
        I239|VA||1927|45821|8825|Santa Maria del Monte
        I235|CR|1875|1928|45347|9687|Santa Maria della Croce
        I241|CO|1928|1953|46145|9297|Santa Maria di Rovagnate
        I245|MI||1870|45472|9140|Santa Maria in Prato
        I313|CO|1928|1947|45684|9441|Santa Valeria
        I338|BS||1927|45632|10239|Santicolo
        I355|GO|1921|1928|45871|13520|Santo Spirito della Bainsizza|Bainsizza Santo Spirito
        I358|BG|1863|1928|45665|9829|Santo Stefano del Monte degli Angeli
        I369|ME||1928|38194|15553|Santo Stefano di Briga
        I419|TN|1920|1928|46021|10712|Saone
        I440|IM||1924|43914|7855|Sarola
        I446|CO|1863|1928|45866|9145|Sartirana Briantea
        I458|TN|1920|1929|45918|11033|Sasso
        I456|IM|1862|1928|43800|7720|Sasso di Bordighera
        I481|TO||1928|45036|6834|Savoulx
        I488|BZ|1920|1929|46669|11409|Scaleres|Schalders|Scale
        I491|CN|1862|1929|44495|8188|Scaletta Uzzone
        I495|AT||1998|44880|8188|Scandeluzza
        I500|CR||1929|45390|9570|Scannabue
        I505|BG||1927|45687|9765|Scanzo
        I509|CO||1928|46063|9161|Scaria
        I513|CN|1928|1947|44693|7585|Scarnafigi-Ruffia
        I517|PU||1928|43737|12704|Scavolino
        I518|TN|1920|1928|45966|10725|Scelmo
        I524|GO|1921|1928|45871|13520|Scherbina
        I525|VA||1927|45780|8833|Schianno
        I528|NO||1928|45633|8517|Schieranco
        I542|UD|1921|1928|46140|13167|Scodovacca
        I547|TS|1921|1927|45695|13729|Scoppo
        I552|GO|1921|1928|45871|13520|Scrilla|Scrilie
        I557|GO|1921|1928|45871|13520|Sebreghe
        I568|GO|1921|1928|45871|13520|Sedula
        I572|CO||1928|45866|9145|Seghebbia
        C842|UD|1878|1928|46140|13167|Segnacco
        I574|SV||1929|44269|8434|Segno
        I579|TN|1920|1928|46408|11139|Seio
        I583|BG||1927|45742|9750|Selino
        I584|GO|1921|1928|45871|13520|Sella delle Trincee|Sello
        I587|BG||1929|45812|10034|Sellere
        I746|TS|1921|1926|45695|13729|Senadole
        I616|TS|1921|1947|45695|13729|Senosecchia
        I617|TN|1920|1928|45966|10725|Seo
        I620|CO|1928|1953|45866|9145|Seprio
        I623|CA||1938|39332|9015|Serbariu
        I638|GO|1921|1928|45871|13520|Serpenizza
        I665|TN|1920|1928|46128|11090|Serravalle all'Adige
        I658|AL|1863|1929|44847|8633|Serravalle d'Asti
        I672|TN|1920|1929|46128|11090|Serso
        I674|TS|1921|1947|45695|13729|Sesana
        I680|AL||1929|44847|8633|Sessant
        I694|GE||1926|44405|8944|Sestri Ponente
        I710|TN|1920|1928|46128|11090|Sevignano
        I713|BG||1927|45649|9606|Sforzatica
        I719|OR|1947|1974|39924|8762|Siamanna-Siapiccia
        I722|CA|1868|1905|39332|9015|Sicci San Biagio
        I733|PL|1922|1929|45407|14116|Silun Mont'Aquila|Slum
        I740|CR||1868|45132|10188|Silvella
        I762|CA||1927|39332|9015|Sisini
        I764|CA||1927|39332|9015|Siurgus
        I768|GO|1921|1928|45871|13520|Slappe Zorzi|Salto di Vipacco
        I769|BZ|1920|1928|46669|11409|Slingia|Schlinig|Sliniga
        I770|TS|1921|1928|45750|13673|Slivia|Slivno
        I773|FU|1921|1924|45327|14442|Smeria
        I795|AL||1928|44847|8633|Solbrito
        I807|TO||1928|44953|6792|Solomiac
        I811|BG||1928|45782|10026|Solto
        I814|CO||1928|45798|9152|Solzago
        I816|CO||1928|45866|9145|Somana
        B148|BG|1864|1929|45735|9593|Sombreno
        I818|BG||1928|45794|9660|Somendenna
        I833|GO|1921|1947|45948|13513|Sonzia
        I834|TN|1920|1926|46068|11121|Sopramonte
        I836|BS||1928|45589|10443|Sopraponte
        I837|BS||1928|45589|10443|Soprazocco
        I842|FC||1965|43920|12143|Sorbano
        I846|PU||1928|43713|12875|Sorbolongo
        I859|AL||1928|44847|8633|Sorli
        I870|NO||1928|45821|8446|Sovazza
        I882|ME||1929|38223|15382|Spadafora San Martino
        I883|ME||1879|38220|15240|Spadafora San Pietro
        I897|CS||1928|39521|16253|Spezzano Grande
        I900|BZ|1920|1929|46669|11409|Spinga|Spinges|Spignes
        I913|BG|1863|1928|45794|9660|Spino al Brembo
        I915|BG||1928|45742|9750|Spinone
        I920|NO||1927|45633|8517|Spoccia
        I931|BG||1928|45794|9660|Stabello
        I933|PV||1928|45116|9085|Staghiglione
        I940|BZ|1920|1928|46669|11409|Stava|Staben|Stave
        I944|CO|1928|1954|46139|9275|Stazzona Germasino
        I958|BZ|1920|1928|46669|11409|Stilves|Stilfes
        I961|TS|1921|1927|45695|13729|Storie
        I967|TN|1920|1928|45942|10640|Strada
        I972|TN|1920|1925|46128|11090|Stramentizzo
        I983|NO||1928|45633|8517|Stropino
        I987|GE||1926|44405|8944|Struppa
        I988|TN|1920|1928|46160|10764|Stumiaga
        I989|GO|1921|1928|45871|13520|Sturia delle Fusine|Sturia
        L005|NO||1927|45633|8517|Suna
        L021|BZ|1920|1928|46669|11409|Tablà|Tabland
        L028|AL|1928|1947|44847|8633|Tagliolo Belforte
        L029|BG||1927|45643|9909|Tagliuno
        L041|BZ|1920|1929|46669|11409|Tanas|Tannas
        L043|NO||1928|45633|8517|Tapigliano
        L044|UD|1921|2008|45864|13397|Tapogliano
        L045|NO||1928|45633|8517|Tappia
        L051|BZ|1920|1928|46669|11409|Tarces|Tartsch|Tarres di Sopra
        L052|UD|1866|1929|46140|13167|Tarcetta
        L053|GO|1921|1947|45948|13513|Tarnova della Selva|Ternova
        G033|TO|1863|1928|44905|7482|Tavernette
        L072|AV|1869|1927|40888|14821|Tavernola San Felice
        L076|TN|1920|1928|46128|11090|Tavodo
        L077|IM||1928|43953|7973|Tavole
        L079|TN|1920|1929|46128|11090|Tavon
        L080|CO||1928|46037|9129|Tavordo
        L091|BZ|1920|1928|46669|11409|Telves|Telfes
        L092|GO|1921|1947|45948|13513|Temenizza|Temnizza
        L095|CN||1947|44275|7324|Tenda
        L099|FC||1925|44066|12080|Teodorano
        L110|TN|1920|1928|46128|11090|Termenago
        L114|TN|1920|1928|46128|11090|Termon
        L119|GO|1921|1928|45888|13442|Ternova d'Isonzo
        L130|PV||1928|45116|9085|Terrasa
        L133|CS||1928|39171|16148|Terrati
        L135|MI||1928|45538|9051|Terrazzano
        L141|BS||1928|45632|10239|Terzano
        L159|TO||1928|44953|6792|Thures
        L170|BS||1928|45632|10239|Timoline
        L171|AO||1928|45726|7458|Tina
        L179|BZ|1920|1929|46669|11409|Tiso|Teis|Tisa|Theis
        L196|GO|1921|1947|45948|13513|Tolmino
        L198|TS|1921|1947|45695|13729|Tomadio|Tomai
        L208|VA||1928|45742|8860|Torba
        L232|TN|1920|1929|46128|11090|Torra
        L234|PV||1872|45275|9078|Torradello
        L236|IM||1923|43889|8039|Torrazza
        L275|TR||1927|42652|12362|Torre Orsina
        L283|CN||1928|44539|8194|Torre Uzzone
        L264|AL||1928|44729|8943|Torre de' Ratti
        L261|PV||1928|45116|9085|Torre del Monte
        L128|FU|1921|1927|45568|14246|Torrenova di Bisterza|Ternovo
        L288|IM||1928|43953|7973|Torria
        L311|BS||1928|45632|10239|Toscolano
        L313|TN|1920|1928|46128|11090|Toss
        L318|BG||1928|45742|9750|Trabuchello
        L320|NO||1928|45633|8517|Traffiume
        L341|VA||1927|45804|8671|Travedona
        L343|CO||1928|46063|9161|Traversa
        L344|TO||1928|45188|7577|Traverse
        L350|PV|1863|1928|44852|9097|Trebbiano Nizza
        L351|PC||1929|44905|9328|Trebecco
        L360|CR|1866|1928|45188|9997|Tredossi
        L370|CO|1929|1947|45980|9204|Tremezzina
        L373|MI|1869|1923|45464|9190|Trenno
        L374|BZ|1920|1928|46669|11409|Trens
        L376|GO|1921|1928|45871|13520|Trenta d'Isonzo
        L391|RC||1927|38293|15984|Tresilico
        L394|VI|1866|1969|45713|11357|Tretto
        L395|CO||1938|45823|8960|Trevano
        L405|VA||1927|45863|8688|Trevisago
        L417|GO|1921|1928|45717|13810|Tribussa
        L443|NO||1927|45633|8517|Trobaso
        L456|TN|1920|1929|46128|11090|Tuenetto
        L465|BZ|1920|1931|46669|11409|Tunes|Thuins
        L476|MI|1864|1918|45464|9190|Turro Milanese
        L486|CO||1938|45823|8960|Uggiate
        L481|UD|1921|1928|46140|13167|Ugovizza Valbruna|Ucovizza
        L493|NO||1929|45633|8517|Unchio
        L504|CO||1927|45928|9280|Urio
        L518|CN||1928|44385|8028|Ussolo
        L520|GO|1921|1928|45871|13520|Ustie
        L530|AL||1929|44847|8633|Vaglierano
        L534|NO|1884|1928|45633|8517|Vagna
        L637|VA|1928|1955|45947|8826|Val Marchirolo
        L543|BZ|1920|1928|46669|11409|Valas|Flaas|Velasio
        L549|AO||1929|45726|7458|Valchiusella
        L553|PL|1922|1947|44868|13848|Valdarsa|Susgnevizza
        L559|BZ|1920|1928|46669|11409|Valgiovo|Jaufenthal|Valdigiovo
        L618|TN|1920|1924|45835|10968|Valle San Felice
        L621|BZ|1920|1928|46669|11409|Valle San Silvestro|Vahlen|Wahlen
        L622|VC||1938|45516|8245|Valle Superiore Mosso
        L608|BZ|1920|1928|46669|11409|Vallelunga|Langtaufers|Vallelunga Carlino
        L610|UD|1866|1930|46140|13167|Vallenoncello
        L615|BZ|1920|1929|46669|11409|Valles|Vals
        L630|VI|1866|1938|45745|11662|Vallonara
        L632|IM|1862|1928|43953|7973|Valloria Marittima
        L635|VC||1929|45814|8258|Valmaggia
        L648|BS|1927|1954|46081|10370|Valsaviore
        L649|BG||2014|45808|9536|Valsecca
        L652|BG||1927|45696|9667|Valtesse
        L659|PV||2018|45116|9085|Valverde
        L663|BZ|1920|1928|46669|11409|Vanga|Wangen
        L674|VA||1928|45865|8752|Vararo
        L679|AL||1928|45157|8195|Varengo
        L683|AL||1928|44803|8949|Vargo
        L688|BN||1867|41062|14641|Varoni
        L694|TN|1920|1928|46439|11137|Vasio
        E728|RI|1863|1928|42405|12857|Vazia|Lugnano di Villa Troiana
        L701|VA||1928|45948|8666|Veccana
        L714|VA||1927|45821|8825|Velate
        L717|PT|1883|1929|43887|10688|Vellano
        L718|SV||1929|44225|8263|Vellego
        L721|BS||1927|45632|10239|Vello
        L754|CO|1872|1905|45866|9145|Verderio
        L757|TN|1920|1928|46063|10712|Verdesina
        L759|SV||1933|44225|8263|Verezzi
        L761|NO|1863|1928|45699|8462|Vergano Novarese
        L763|LU||2013|44026|10411|Vergemoli
        L767|VA||1928|45812|8782|Vergobbio
        L770|CO||1928|45866|9145|Verna
        L782|GO|1921|1928|45871|13520|Verpogliano
        L786|PV|1863|1929|45107|9175|Verrua Siccomario
        L789|GO|1921|1928|45888|13442|Versa
        L790|BZ|1920|1928|46669|11409|Versciaco|Vierschach
        L791|CO||1929|45725|9073|Vertemate
        L794|GO|1921|1928|45941|13622|Vertoiba in Campi Santi|Vertoiba
        L796|GO|1921|1928|45871|13520|Vertovino
        L822|GE||1871|44448|9127|Vezzi
        L824|NO||1928|45633|8517|Vezzo
        L825|CR|1868|1928|45129|10371|Vho
        L832|TN|1920|1929|46128|11090|Viarago
        L839|NO||1928|45633|8517|Viceno
        L849|VA|1893|1928|45960|8762|Viconago
        L855|CR||1934|45250|9944|Vidolasco
        L863|TN|1920|1929|46128|11090|Vigalzano
        L871|MI|1869|1923|45464|9190|Vigentino|Quintosole
        L875|NO||1928|45633|8517|Viggiona
        L891|TN|1920|1928|46128|11090|Vigo d'Anaunia
        L895|TN|1920|1968|46068|11121|Vigolo Baselga
        L911|TN|1920|1928|45966|10725|Villa Banale
        L921|AO||1928|45726|7458|Villa Castelnuovo
        L925|BS||1928|45619|10206|Villa Cogozzo
        L927|AT|1928|1947|45157|8195|Villa Corsione
        M010|CO||1929|45738|9218|Villa Romanò
        H934|RC|1864|1927|38110|15661|Villa San Giuseppe
        M020|BZ|1920|1928|46669|11409|Villa Santa Caterina|Aufhofen
        M024|TS|1921|1947|45695|13729|Villa Slavina|Slavina
        M035|CE|1928|1946|41175|14215|Villa Volturno
        L930|BS||1927|45632|10239|Villa d'Allegno
        L914|TS|1921|1926|45695|13729|Villabassa di Senosecchia|Bassano
        E503|AL||1938|45012|8644|Villabella|Lazzarone
        L955|IM||1928|43938|8015|Villaguardia
        L993|CN||1928|44593|7482|Villanovetta
        M029|IM||1928|43953|7973|Villatalla
        M033|IM||1928|43938|8015|Villaviani
        M036|TN|1920|1926|46068|11121|Villazzano
        M038|GO|1921|1928|45871|13520|Ville Montevecchio|Voghersca
        M039|IM||1928|43975|7944|Ville San Pietro
        M040|IM||1928|43975|7944|Ville San Sebastiano
        M037|TN|1920|1929|45919|10832|Ville del Monte
        M046|BG||1927|45670|9946|Villongo San Filastro
        M047|BG||1927|45742|9750|Villongo Sant'Alessandro
        M054|CO||1927|45866|9145|Vimogno
        M061|VC||1927|45685|8308|Vintebbio
        M064|TN|1920|1928|46322|11097|Vion
        M066|GO|1921|1947|45948|13513|Vipacco
        M068|BS|1862|1928|45632|10239|Virle Treponti
        M076|CO||1928|45866|9145|Visino
        M084|CE|1863|1902|41175|14215|Viticuso ed Acquafondata
        M087|MI||1929|45472|9140|Vittadone
        M107|NO||1928|45633|8517|Vocogno e Prestinone
        M112|GO|1921|1928|45871|13520|Voissizza di Comeno|Voischizza
        M114|VA||1928|46002|8745|Voldomino
        M117|FU|1921|1931|45349|14316|Volosca-Abbazia
        M128|VA||1928|45812|8815|Voltorre
        M129|GE||1926|44405|8944|Voltri
        M134|GO|1921|1928|45871|13520|Volzana
        M135|GO|1921|1928|45871|13520|Voschia
        M157|CO|1928|1948|45907|9181|Zelbio-Veleso
        M164|CA||1927|39332|9015|Zeppara
        M181|MI||1869|45472|9140|Zivido
        M192|NO||1928|45633|8517|Zornasco
        M193|BG||1928|45774|10039|Zorzino
        M195|NO||1927|45633|8517|Zoverallo
        M206|CA||1927|39332|9015|Zuri
        """
}
