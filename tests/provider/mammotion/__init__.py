"""The Mammotion provider with the real library against the emulated cloud."""
