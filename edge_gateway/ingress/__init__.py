"""The app's page in Home Assistant: how everything is and what to do about what is not well."""
