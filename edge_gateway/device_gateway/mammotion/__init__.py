"""The provider for Mammotion mowers. pymammotion is imported by its modules only, and only through `loading.py`."""
