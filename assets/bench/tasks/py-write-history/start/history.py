"""Undo and redo."""


class @@CLASS@@:
    """The states of one @@THING@@, from the oldest that is kept to the newest.

    `first` is the state at the beginning. `limit` is how many steps back can be undone at most; when there are more,
    the oldest are forgotten.
    """

    def __init__(self, first, limit=100):
        raise NotImplementedError

    @property
    def state(self):
        """The state at present."""
        raise NotImplementedError

    def @@DO@@(self, label, state):
        """Makes `state` the present one, reached by an action with this label.

        What could be redone is forgotten. Actions with the same label that follow each other are one step: the
        present state is replaced, and one `undo` takes back all of them (a row of letters typed is one step). An
        `undo` or `redo` that did something, or `seal`, ends such a row; an `undo` or `redo` that had nothing to do
        does not. A label of None is never joined with anything. Looking at `state` or the labels ends nothing.
        """
        raise NotImplementedError

    def seal(self):
        """The next `@@DO@@` is a step of its own, whatever its label."""
        raise NotImplementedError

    def undo(self):
        """Goes one step back and returns the label of the step taken back, or None when there is none to take back.

        (A step whose label is None returns "" so that the two can be told apart; so does `redo`.)
        """
        raise NotImplementedError

    def redo(self):
        """Does again the step that was taken back last; returns its label, or None when there is none."""
        raise NotImplementedError

    def labels(self):
        """The labels of the steps that can be undone, the newest first; None as ""."""
        raise NotImplementedError
