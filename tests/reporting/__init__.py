"""Plugins for the suites: what each needs of the machine, and what it tells the run that gathers all suites."""
