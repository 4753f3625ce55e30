"""q-KG inside other people's tools. Each subpackage needs its host installed."""
