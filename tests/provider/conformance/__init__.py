"""What every provider must keep, whatever its vendor: one suite, run for each bench."""
