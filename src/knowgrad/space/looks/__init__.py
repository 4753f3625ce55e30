"""Parameters of cheaper evaluations: fidelities and sources."""
