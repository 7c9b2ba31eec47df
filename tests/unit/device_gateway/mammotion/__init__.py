"""The rules of the Mammotion provider."""
