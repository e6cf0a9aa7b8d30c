"""Pictures as SVG, drawn by pure functions from plain values: charts and trees. No database, no clock.

The same values give the same bytes. No script, no link, no outside font; every text passes
`worlds.drawing.labels.plain`.
"""
