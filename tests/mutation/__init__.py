"""Changes the pure rules one place at a time and looks whether their tests notice (`scripts/test mutation`)."""
