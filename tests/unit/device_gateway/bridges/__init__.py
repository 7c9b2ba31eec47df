"""The rules of bridges."""
