"""What a scene can say, read from its schema (scene.schema.json), and Python functions made from
it: one per shape, law, model and obstacle, with the keys as keywords and their meaning as
docstring. So that nothing is written twice, the schema is all that this file knows."""

import inspect
import json
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

# Modules of makers: what in the schema they are made from, and the key that says which one.
MODULES = {
    "shapes": ("shape", "type"),
    "materials": ("material", "law"),
    "volumes": ("volume", "model"),
    "obstacles": ("obstacle_shape", "type"),
}


@dataclass(frozen=True)
class Key:
    """One key of a thing in a scene."""

    name: str
    text: str
    required: bool


@dataclass
class Variant:
    """One word of a choice, such as the shape "box", with the keys it brings along."""

    word: str
    text: str
    keys: list = field(default_factory=list)


def find_schema():
    """The schema's path: beside the package's library when installed, else in the tree."""
    here = Path(__file__).resolve().parent
    installed = here / "_native" / "scene.schema.json"
    return installed if installed.exists() else here.parents[1] / "schema" / "scene.schema.json"


def load(path=None):
    return json.loads(Path(path or find_schema()).read_text(encoding="utf-8"))


def _key(name, value, required):
    text = value.get("description", "")
    if "default" in value and "Default:" not in text:
        text += f" Default: {json.dumps(value['default'], ensure_ascii=False)}."
    words = [choice["const"] for choice in value.get("oneOf", []) if "const" in choice]
    words += value.get("enum", [])
    if words:
        text += " One of " + ", ".join(json.dumps(word) for word in words) + "."
    return Key(name, text.strip(), name in required)


def keys(schema, thing):
    """The keys that every such thing may have."""
    part = schema if thing == "scene" else schema["$defs"][thing]
    required = part.get("required", [])
    return [_key(name, value, required) for name, value in part["properties"].items()]


def variants(schema, thing, choice):
    """The words of a thing's choice, each with the keys that only it has."""
    part = schema["$defs"][thing]
    option = part["properties"][choice]
    found = {}
    for word in option.get("oneOf", []) or [{"const": word} for word in option.get("enum", [])]:
        found[word["const"]] = Variant(word["const"], word.get("description", ""))
    for rule in part.get("allOf", []):
        word = rule["if"]["properties"].get(choice, {}).get("const")
        then = rule["then"]
        if word in found:
            required = then.get("required", [])
            found[word].keys += [_key(name, value, required)
                                 for name, value in then.get("properties", {}).items()]
    return list(found.values())


def describe(listed):
    """Keys as the "Parameters" of a docstring."""
    lines = []
    for key in listed:
        lines.append(f"{key.name}{'' if key.required else ' : optional'}")
        lines += textwrap.wrap(key.text, 92, initial_indent="    ", subsequent_indent="    ",
                               break_long_words=False)
    return "\n".join(lines)


def choices(lead, option):
    """The words of a choice, in sentences behind a lead."""
    words = "; ".join(f'"{word["const"]}": {word["description"].rstrip(".")}'
                      for word in option["oneOf"])
    return "\n".join(textwrap.wrap(f"{lead} {words}.", 96, break_long_words=False))


def _all_keys(schema, thing, choice, variant):
    common = [key for key in keys(schema, thing) if key.name != choice]
    own = {key.name for key in variant.keys}
    listed = variant.keys + [key for key in common if key.name not in own]
    return sorted(listed, key=lambda key: not key.required)


def _document(schema, variant, listed):
    lead = "\n".join(textwrap.wrap(variant.text or variant.word, 96, break_long_words=False))
    return f"{lead}\n\nParameters\n----------\n{describe(listed)}\n" if listed else lead


def _maker(schema, module, thing, choice, variant):
    listed = _all_keys(schema, thing, choice, variant)
    signature = inspect.Signature(
        [inspect.Parameter(key.name, inspect.Parameter.KEYWORD_ONLY,
                           default=inspect.Parameter.empty if key.required else None)
         for key in listed], return_annotation=dict)

    def make(**values):
        bound = signature.bind(**values)
        given = {name: value for name, value in bound.arguments.items() if value is not None}
        return {choice: variant.word, **given}

    make.__name__ = make.__qualname__ = variant.word
    make.__module__ = module
    make.__signature__ = signature
    make.__doc__ = _document(schema, variant, listed)
    return make


def makers(module):
    """The functions of one module of MODULES, by name."""
    thing, choice = MODULES[module.rpartition(".")[2]]
    schema = load()
    return {variant.word: _maker(schema, module, thing, choice, variant)
            for variant in variants(schema, thing, choice)}


def stubs(path):
    """Type stubs of those modules, for editors, by name."""
    schema = load(path)
    result = {}
    for module, (thing, choice) in MODULES.items():
        lines = ["from typing import Any", ""]
        for variant in variants(schema, thing, choice):
            listed = _all_keys(schema, thing, choice, variant)
            given = "".join(f", {key.name}: Any{'' if key.required else ' = None'}"
                            for key in listed)
            text = re.sub(r'(["\\])', r"\\\1", _document(schema, variant, listed))
            text = textwrap.indent(f'"""{text}"""', "    ")
            lines += [f"def {variant.word}({'*' + given if given else ''}) -> dict[str, Any]:",
                      text, "    ...", ""]
        result[module] = "\n".join(lines)
    return result
