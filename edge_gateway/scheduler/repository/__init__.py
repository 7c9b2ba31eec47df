"""The only SQL of the Scheduler, by topic. Locks are taken in the order schedule, mower, run."""
