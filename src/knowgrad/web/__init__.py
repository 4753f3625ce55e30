"""The HTTP service and the dashboard. `client` talks to it with the standard library alone.

May import: errors, text, trial, space, advisor, storage, tables, study, views, plots.
"""
