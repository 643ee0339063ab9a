"""Names on the shelf: two requests for the same picture have the same one."""

from tiles.draw.layers import ALL_LAYERS


def shelf_name(request):
    name = f"{request.zoom}-{request.column}-{request.row}.{request.format}"
    extra = [f"{short}{value}" for short, value in variants(request)]
    return "_".join([name, *extra])


def variants(request):
    """What makes the picture another one than the usual one, in a fixed order."""
    if request.scale != 1:
        yield "x", request.scale
    if request.layers != ALL_LAYERS:
        yield "l", "+".join(request.layers)
