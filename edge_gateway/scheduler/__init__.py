"""The Scheduler: plans, the rain rule, runs."""
