"""What scripts/lint checks."""
