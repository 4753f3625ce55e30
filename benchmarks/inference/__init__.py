"""What a model makes of given results: ways to fit it, rules of what to recommend, subsets of very many results."""
