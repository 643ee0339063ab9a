"""Names of accounts, their kinds, and the tree they form."""

from __future__ import annotations

from typing import Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple

from ledgerbook.amounts import Balance

SEPARATOR = ":"

ASSETS, LIABILITIES, EQUITY, INCOME, EXPENSES = "assets", "liabilities", "equity", "income", "expenses"
KINDS = (ASSETS, LIABILITIES, EQUITY, INCOME, EXPENSES)

ROOTS = {
    "assets": ASSETS,
    "liabilities": LIABILITIES,
    "debts": LIABILITIES,
    "equity": EQUITY,
    "income": INCOME,
    "revenue": INCOME,
    "expenses": EXPENSES,
}


def parts(name: str) -> List[str]:
    return name.split(SEPARATOR)


def depth(name: str) -> int:
    return len(parts(name))


def leaf(name: str) -> str:
    return parts(name)[-1]


def ancestors(name: str) -> Iterator[str]:
    """The account itself and all above it, from the root down."""
    pieces = parts(name)
    for count in range(1, len(pieces) + 1):
        yield SEPARATOR.join(pieces[:count])


def clipped(name: str, levels: Optional[int]) -> str:
    """The name with at most so many parts."""
    if levels is None:
        return name
    return SEPARATOR.join(parts(name)[:levels])


def is_within(name: str, root: str) -> bool:
    """Whether it is `root` or an account below it."""
    return name == root or name.startswith(root + SEPARATOR)


def is_valid(name: str) -> bool:
    return bool(name) and all(piece and piece == piece.strip() for piece in parts(name))


def kind(name: str, roots: Optional[Mapping[str, str]] = None) -> Optional[str]:
    """The kind of an account, by its root. `roots` are further names, from the settings."""
    root = parts(name)[0].lower()
    if roots and root in roots:
        return roots[root]
    return ROOTS.get(root)


class Node:
    """An account in the tree, with what was posted to it and what was posted below."""

    def __init__(self, name: str):
        self.name = name
        self.children: Dict[str, Node] = {}
        self.own = Balance()

    def inclusive(self) -> Balance:
        """Its own postings and all those below."""
        total = self.own.copy()
        for child in self.children.values():
            total.add(child.inclusive())
        return total

    def sorted_children(self) -> List["Node"]:
        return [self.children[name] for name in sorted(self.children)]


class AccountTree:
    """All accounts of a report below one nameless root."""

    def __init__(self, balances: Iterable[Tuple[str, Balance]] = ()):
        self.root = Node("")
        for name, balance in balances:
            self.node(name).own.add(balance)

    def node(self, name: str) -> Node:
        """The node of an account, made where it is missing."""
        here = self.root
        for full in ancestors(name):
            here = here.children.setdefault(leaf(full), Node(full))
        return here

    def prune(self, keep: Callable[[Node], bool]) -> None:
        """Takes away the leaves that are not to be kept, again and again."""
        self._prune(self.root, keep)

    def _prune(self, node: Node, keep: Callable[[Node], bool]) -> None:
        for name in list(node.children):
            child = node.children[name]
            self._prune(child, keep)
            if not child.children and not keep(child):
                del node.children[name]
