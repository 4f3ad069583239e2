"""What plots have in common."""


def new_axes(axes):
    """The given axes, or new ones."""
    if axes is not None:
        return axes
    from matplotlib import pyplot

    return pyplot.subplots()[1]


def errors(values, intervals):
    """Intervals as matplotlib takes them: how far their ends are from the values."""
    ends = [
        (value - (value if low is None else low), (value if high is None else high) - value)
        for value, (low, high) in zip(values, intervals)
    ]
    return [[below for below, _ in ends], [above for _, above in ends]]
