"""The test runner behind scripts/test: several pytest runs, one closing line."""
