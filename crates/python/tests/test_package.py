"""The package as a whole: its stubs, its words."""

import ast
import inspect
from pathlib import Path

import monteverde as mv
from monteverde import _monteverde

PACKAGE = Path(mv.__file__).parent


def test_it_is_typed():
    assert (PACKAGE / "py.typed").exists()


def test_the_stubs_name_what_there_is():
    stub = ast.parse((PACKAGE / "_monteverde.pyi").read_text())
    names = {node.name for node in stub.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    public = {name for name in dir(_monteverde) if not name.startswith("_")}
    assert names == public
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            cls = getattr(_monteverde, node.name)
            stubbed = {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
            real = {name for name in vars(cls) if not name.startswith("_")}
            assert real == {name for name in stubbed if not name.startswith("_")}, node.name
            assert all(hasattr(cls, name) for name in stubbed)


def test_everything_has_a_docstring():
    for name in mv.__all__:
        thing = getattr(mv, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and thing.__module__ == "monteverde":
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    assert inspect.getdoc(value), f"{name}.{member}"
