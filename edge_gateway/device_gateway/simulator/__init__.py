"""The simulator: a provider whose mowers drive, charge, finish and fail as machines do."""
