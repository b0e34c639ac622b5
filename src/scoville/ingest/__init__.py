"""Bring your own results: foreign result files in, rows of the data folder out.

One module per foreign format stands behind one small interface, `formats.Format`: what the format looks for in
a file, and how it reads one into `points.Record` objects. Everything after that is the same for all formats.
`pipeline` is the recipe: read, recognise, convert, check identities, select, plan, write.

Data flows one way through these modules, from top to bottom; each imports only from those above it::

    options  documents  points      what the user said; a file as read; a row on its way into the table
    names  lengths  layout  fields  keys and aliases; lengths in names; parallel layouts and chips; typed cells
    spreadsheet                     what a spreadsheet does to a table
    identities                      what must hold between the numbers of a row, with tolerances
    rates  power                    the cells of a row that only other cells can give a meaning to
    clients                         what load generators have in common; failed requests
    formats                         the interface of a foreign format, and the sources that files become
    agentx  inferencex  vllm  …     the foreign formats
    registry                        all of them, and which one a file is
    selection                       one row a configuration, chosen among its runs
    folder                          the data folder, planned and written whole
    findings  sources  pipeline     what is told to the user; which source a row gets; the recipe
    command                         ``scoville import``

The package itself imports nothing, so that the command line starts fast.
"""
