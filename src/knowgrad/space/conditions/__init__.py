"""Parameters that exist only sometimes: what users write about that, and what it means at a point."""
