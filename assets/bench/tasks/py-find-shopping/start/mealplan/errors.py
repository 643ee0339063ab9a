class PlanError(Exception):
    """Something in the files of the user is not as it should be."""


class UnknownUnit(PlanError):
    def __init__(self, word):
        super().__init__(f"unknown unit: {word}")


class UnknownRecipe(PlanError):
    def __init__(self, name):
        super().__init__(f"there is no recipe {name}")
