"""Scoville: checks the published results of inference chips.

Data flows one way through these modules, from top to bottom; each imports only from those above it::

    problems  paths  units        what went wrong, where things lie, printed numbers and intervals
    tables                        the schemas of the data folder
    facts                         the data folder, loaded and checked
    metrics  frontier             definitions; Pareto sets and values at equal interactivity
    compare  audit                candidate against baseline; claim against evidence
    tabulate  charts              how a frame is shown: as a table, as a chart
    report                        one function for each section of a page
    site                          offline charts in the built book, and its checks
    pages                         run a template into a page, whole or not at all
    cli                           the commands
"""

__version__ = "0.1.0"
