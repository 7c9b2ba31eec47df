-- What evolves with every state of a mower, in one row: five of them (latest, health, day, area_day, job) made a state
-- cost three times as much when a batch held many mowers. Days, areas and jobs have rows once they are over.
CREATE TABLE telemetry.book (
    mower_id text PRIMARY KEY REFERENCES telemetry.directory,
    -- Of the latest state; null before the first one, like the state.
    account_id text,
    observed_at timestamptz,
    -- The whole state as it was sent.
    state bytea,
    -- telemetry.rows.Evolving: totals of its life, of the day that is not over, its newest job.
    document bytea NOT NULL
) WITH (fillfactor = 50);

-- Changes with everything but states that changes what is known of a mower: a copy that remembers a book compares it.
ALTER TABLE telemetry.directory ADD COLUMN version bigint NOT NULL DEFAULT 0;

INSERT INTO telemetry.book (mower_id, account_id, observed_at, state, document)
SELECT directory.mower_id, latest.account_id, latest.observed_at, latest.document,
    convert_to(jsonb_build_array(
        jsonb_build_array(
            coalesce(health.mowing_microseconds, 0), coalesce(health.distance_millimetres, 0),
            coalesce(health.area_square_centimetres, 0), coalesce(health.charge_cycles, 0),
            coalesce(health.blade_microseconds, 0), health.blades_reset_at,
            coalesce(health.blade_threshold_told, false),
            CASE WHEN health.latitude IS NOT NULL THEN jsonb_build_array(health.latitude, health.longitude) END,
            health.was_charging, coalesce(health.zone_ids, '[]'), health.job_id),
        CASE WHEN job.job_id IS NOT NULL THEN jsonb_build_array(
            job.job_id, job.started_at, job.last_at, job.command_id, job.ended_at, job.ending, job.area_ids,
            job.progress_percent, job.area_square_centimetres, job.mowing_microseconds, job.distance_millimetres,
            job.charging_breaks, job.docked) END)::text, 'UTF8')
FROM telemetry.directory
LEFT JOIN telemetry.latest ON latest.mower_id = directory.mower_id
LEFT JOIN telemetry.health ON health.mower_id = directory.mower_id
LEFT JOIN telemetry.job ON job.mower_id = health.mower_id AND job.job_id = health.job_id
WHERE latest.mower_id IS NOT NULL OR health.mower_id IS NOT NULL;

DROP TABLE telemetry.latest, telemetry.health;
