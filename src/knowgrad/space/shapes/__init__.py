"""Shapes in the unit cube and points in them, on arrays alone: nothing here knows a parameter."""
