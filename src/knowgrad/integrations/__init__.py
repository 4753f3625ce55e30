"""q-KG inside other people's tools. Each subpackage needs its host installed.

May import: checked, errors, text, outcomes, trial, space, advisor, study.
"""
