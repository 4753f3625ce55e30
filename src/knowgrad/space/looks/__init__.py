"""Parameters of cheap looks: fidelities and sources."""
