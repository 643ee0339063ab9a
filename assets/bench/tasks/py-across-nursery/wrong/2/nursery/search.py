"""Finding plants."""


def matches(plant, word):
    word = word.lower()
    return word in plant.name.lower() or word == str(plant.number) or word in plant.@@FIELD@@.lower()


def find(plants, word):
    return [plant for plant in plants if matches(plant, word)]
