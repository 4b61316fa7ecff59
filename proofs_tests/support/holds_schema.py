"""holds_schema.py SCHEMA FILE [KEY]: is the file (or what it has under the key) as the schema says, with no key that the schema does not name?"""
import json
import sys

import jsonschema


def closed(schema):
    """The same, where objects have the keys that are named and no other."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get('properties'), dict) and 'additionalProperties' not in schema:
        result['additionalProperties'] = False
    return result


schema = json.load(open(sys.argv[1]))
value = json.load(open(sys.argv[2]))
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(value[sys.argv[3]] if len(sys.argv) > 3 else value, closed(schema))
