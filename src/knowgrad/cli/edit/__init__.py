"""Commands that put mistakes right."""
