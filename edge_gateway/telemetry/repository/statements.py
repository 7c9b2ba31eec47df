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

UPSERT_LATEST = """
INSERT INTO telemetry.latest (mower_id, account_id, observed_at, activity, battery_percent, charging, area_id,
                              progress_percent, job_id, problem_code, document)
SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::smallint[], $6::boolean[],
                     $7::text[], $8::float8[], $9::text[], $10::text[], $11::bytea[])
ON CONFLICT (mower_id) DO UPDATE SET
    account_id = excluded.account_id, observed_at = excluded.observed_at, activity = excluded.activity,
    battery_percent = excluded.battery_percent, charging = excluded.charging, area_id = excluded.area_id,
    progress_percent = excluded.progress_percent, job_id = excluded.job_id, problem_code = excluded.problem_code,
    document = excluded.document
"""

UPSERT_HEALTH = """
INSERT INTO telemetry.health (mower_id, mowing_microseconds, distance_millimetres, area_square_centimetres,
                              charge_cycles, blade_microseconds, blades_reset_at, blade_threshold_told, latitude,
                              longitude, was_charging, zone_ids, job_id)
SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
                     $7::timestamptz[], $8::boolean[], $9::float8[], $10::float8[], $11::boolean[], $12::jsonb[],
                     $13::text[])
ON CONFLICT (mower_id) DO UPDATE SET
    mowing_microseconds = excluded.mowing_microseconds, distance_millimetres = excluded.distance_millimetres,
    area_square_centimetres = excluded.area_square_centimetres, charge_cycles = excluded.charge_cycles,
    blade_microseconds = excluded.blade_microseconds, blades_reset_at = excluded.blades_reset_at,
    blade_threshold_told = excluded.blade_threshold_told, latitude = excluded.latitude,
    longitude = excluded.longitude, was_charging = excluded.was_charging, zone_ids = excluded.zone_ids,
    job_id = excluded.job_id
"""

ADD_TO_DAYS = """
INSERT INTO telemetry.day (mower_id, day, mowing_microseconds, distance_millimetres, area_square_centimetres,
                           charge_cycles, blade_microseconds)
SELECT * FROM unnest($1::text[], $2::date[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
ON CONFLICT (mower_id, day) DO UPDATE SET
    mowing_microseconds = day.mowing_microseconds + excluded.mowing_microseconds,
    distance_millimetres = day.distance_millimetres + excluded.distance_millimetres,
    area_square_centimetres = day.area_square_centimetres + excluded.area_square_centimetres,
    charge_cycles = day.charge_cycles + excluded.charge_cycles,
    blade_microseconds = day.blade_microseconds + excluded.blade_microseconds
"""

ADD_TO_AREA_DAYS = """
INSERT INTO telemetry.area_day (mower_id, area_id, day, mowing_microseconds, last_mowed_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::date[], $4::bigint[], $5::timestamptz[])
ON CONFLICT (mower_id, area_id, day) DO UPDATE SET
    mowing_microseconds = area_day.mowing_microseconds + excluded.mowing_microseconds,
    last_mowed_at = greatest(area_day.last_mowed_at, excluded.last_mowed_at)
"""

UPSERT_JOBS = """
INSERT INTO telemetry.job (mower_id, job_id, command_id, started_at, last_at, ended_at, ending, area_ids,
                           progress_percent, area_square_centimetres, mowing_microseconds, distance_millimetres,
                           charging_breaks, docked)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[],
                     $7::text[], $8::jsonb[], $9::float8[], $10::bigint[], $11::bigint[], $12::bigint[],
                     $13::bigint[], $14::boolean[])
ON CONFLICT (mower_id, job_id) DO UPDATE SET
    command_id = excluded.command_id, last_at = excluded.last_at, ended_at = excluded.ended_at,
    ending = excluded.ending, area_ids = excluded.area_ids, progress_percent = excluded.progress_percent,
    area_square_centimetres = excluded.area_square_centimetres, mowing_microseconds = excluded.mowing_microseconds,
    distance_millimetres = excluded.distance_millimetres, charging_breaks = excluded.charging_breaks,
    docked = excluded.docked
"""
