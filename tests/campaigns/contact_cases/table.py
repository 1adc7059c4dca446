"""The table of results."""


def number(value, form):
    return "–" if value is None else format(value, form)


def row(result):
    newton = "–" if result["newton"] is None else f"{result['newton']:.1f} / {result['most_newton']}"
    verdict = "ok" if not result["wrong"] else "; ".join(result["wrong"])
    return (f"| {result['case']} | {result['wanted']} | {result['measured']} | {newton} "
            f"| {number(result['cpu_per_step'], '.3g')} | {verdict} |")


HEAD = ("| case | wanted | measured | Newton per step, mean / most | CPU s per step | verdict |\n"
        "| --- | --- | --- | --- | --- | --- |")


def total(results):
    good = sum(not result["wrong"] for result in results)
    return f"{good} of {len(results)} cases are as wanted."
