"""Names of methods as the command shows them."""

import re

PRIMITIVES = {"B": "byte", "C": "char", "D": "double", "F": "float", "I": "int", "J": "long",
              "S": "short", "V": "void", "Z": "boolean"}
TYPE = re.compile(r"(\[*)(?:L([^;]+);|([BCDFIJSVZ]))")


def names(rows):
    """A function that names a row's method: with parameters only where several have its name."""
    descriptors = {}
    for row in rows:
        descriptors.setdefault(qualified(row), set()).add(row["descriptor"])
    shown = {}
    for name, of_name in descriptors.items():
        texts = {descriptor: _parameters(descriptor) for descriptor in of_name}
        for descriptor, text in texts.items():
            if len(of_name) == 1:
                text = ""
            elif list(texts.values()).count(text) > 1:
                # Only the result tells them apart.
                text = f"{text}: {_result(descriptor)}"
            shown[name, descriptor] = name + text
    return lambda row: shown.get((qualified(row), row["descriptor"]), qualified(row))


def qualified(row):
    """Class and name."""
    return f"{row['class']}.{row['name']}" if row["class"] else row["name"]


def _parameters(descriptor):
    inside = descriptor[1:descriptor.rfind(")")]
    return "(" + ", ".join(_type(*found) for found in TYPE.findall(inside)) + ")"


def _result(descriptor):
    return _type(*TYPE.fullmatch(descriptor, descriptor.rfind(")") + 1).groups())


def _type(arrays, of_class, primitive):
    simple = PRIMITIVES[primitive] if primitive else re.split(r"[/.]", of_class)[-1]
    return simple + "[]" * len(arrays)
