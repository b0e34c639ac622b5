"""Scoville: checks the published results of inference chips.

Data flows one way through these modules, from top to bottom; each imports only from lines above its own, and from
its own line. A test holds this list against the imports.

    problems  paths  units  bases     what went wrong, where things lie, printed numbers and intervals
    tables                            the schemas of the data folder
    readers  caveats                  one file of it, read and checked
    facts                             all of it, loaded and checked
    metrics  frontier  runs           definitions; Pareto sets and values at equal interactivity; the newest run
    roofline                          bytes of a decode step, and the least time they take; what fits in memory
    deployments                       how a point's chips are arranged
    compare  repeats                  candidate against baseline; run against run
    predicted                         modelled lines beside measured ones
    audit                             claim against evidence
    book                              which questions are asked, and which pages there are
    denominators                      one system over another per chip, stack, watt and dollar
    waits  agents                     TTFT and decode, limits on TTFT, requests in flight; tasks of several steps
    capacity                          contexts beside the weights
    answers  difference               one question; two editions
    tabulate  words                   how a frame and a ratio read
    charts                            how a frame looks
    report                            one object a page, one method a section: what notebooks call
    ingest                            foreign result files into operating points
    site                              offline charts in the built book
    pages                             run a template into a page, whole or not at all
    pipeline  html  editions  fetch   all pages, the site, a book from other data, the public API
    pdf                               the whole book in one file
    cli                               the commands
"""

__version__ = "0.1.0"
