"""The event bus: its protocol, JetStream, the in-memory twin, the batch worker, leases, the outbox relay."""
