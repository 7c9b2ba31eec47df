"""Builds the image of the app, and a stand-in for its base where no registry of images can be reached."""
