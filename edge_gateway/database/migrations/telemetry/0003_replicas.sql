-- The copies of Telemetry that live, so that they share the partitions; written only where there is more than one partition.
CREATE TABLE telemetry.replica (
    instance_id text PRIMARY KEY,
    seen_at timestamptz NOT NULL
);
