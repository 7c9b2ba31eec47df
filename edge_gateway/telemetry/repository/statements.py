"""The statements of a batch, and of what reads the same rows. Many rows travel as one array per column."""

LOG_COLUMNS = (
    "observed_at",
    "latitude",
    "longitude",
    "progress_percent",
    "mower",
    "area",
    "job",
    "problem",
    "activity",
    "battery_percent",
    "changed",
    "charging",
)

INSERT_LATE = f"""
INSERT INTO telemetry.log ({", ".join(LOG_COLUMNS)})
SELECT * FROM unnest($1::timestamptz[], $2::float8[], $3::float8[], $4::float8[], $5::integer[], $6::integer[],
                     $7::integer[], $8::integer[], $9::smallint[], $10::smallint[], $11::boolean[], $12::boolean[])
ON CONFLICT DO NOTHING
"""  # noqa: S608  # made of the names above

_JOB = """
job.job_id AS current_job_id, job.command_id, job.started_at, job.last_at, job.ended_at, job.ending, job.area_ids,
job.progress_percent AS job_progress, job.area_square_centimetres AS job_area, job.mowing_microseconds AS job_mowing,
job.distance_millimetres AS job_distance, job.charging_breaks, job.docked
"""

HEALTH = """
health.mowing_microseconds AS health_mowing, health.distance_millimetres AS health_distance,
health.area_square_centimetres AS health_area, health.charge_cycles, health.blade_microseconds, health.blades_reset_at,
health.blade_threshold_told, health.latitude, health.longitude, health.was_charging, health.zone_ids,
health.job_id AS health_job_id
"""

READ_BOOKS = f"""
WITH claimed AS (
    INSERT INTO telemetry.ingest_partition AS partition (number, fence) VALUES ($1, $2)
    ON CONFLICT (number) DO UPDATE SET fence = greatest(partition.fence, excluded.fence)
    RETURNING fence
)
SELECT claimed.fence, directory.mower_id, directory.number, directory.account_id, time_zone, provider, area_sizes,
       zones, latest.account_id AS latest_account_id, latest.observed_at, latest.activity,
       latest.battery_percent, latest.charging, latest.area_id, latest.progress_percent,
       latest.job_id AS latest_job_id, latest.problem_code, {HEALTH}, {_JOB}
FROM claimed
LEFT JOIN telemetry.directory ON directory.mower_id = ANY($3)
LEFT JOIN telemetry.latest ON latest.mower_id = directory.mower_id
LEFT JOIN telemetry.health ON health.mower_id = directory.mower_id
LEFT JOIN telemetry.job ON job.mower_id = health.mower_id AND job.job_id = health.job_id
"""  # noqa: S608  # made of the names above

READ_JOBS = f"""
SELECT job.mower_id, {_JOB} FROM telemetry.job
JOIN unnest($1::text[], $2::text[]) AS named (mower_id, job_id)
  ON job.mower_id = named.mower_id AND job.job_id = named.job_id
"""  # noqa: S608  # made of the names above

LIST_JOBS = f"""
SELECT job.mower_id, {_JOB} FROM telemetry.job
WHERE mower_id = $1 AND ($2::timestamptz IS NULL OR (started_at, job_id) < ($2, $3))
ORDER BY started_at DESC, job_id DESC LIMIT $4
"""  # noqa: S608  # made of the names above
