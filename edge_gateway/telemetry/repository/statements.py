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

CLAIM_AND_LOCK = """
WITH claimed AS (
    INSERT INTO telemetry.ingest_partition AS partition (number, fence) VALUES ($1, $2)
    ON CONFLICT (number) DO UPDATE SET fence = greatest(partition.fence, excluded.fence)
    RETURNING fence
)
SELECT claimed.fence, locked.mower_id, locked.version
FROM claimed
LEFT JOIN (
    SELECT mower_id, version FROM telemetry.directory WHERE mower_id = ANY($3) ORDER BY mower_id FOR NO KEY UPDATE
) AS locked ON true
"""

READ_BOOKS = """
SELECT directory.mower_id, number, directory.account_id, time_zone, provider, area_sizes, zones, version, state,
       document
FROM telemetry.directory
LEFT JOIN telemetry.book ON book.mower_id = directory.mower_id
WHERE directory.mower_id = ANY($1)
"""

_JOB = """
job.job_id, job.command_id, job.started_at, job.last_at, job.ended_at, job.ending, job.area_ids, job.progress_percent,
job.area_square_centimetres, job.mowing_microseconds, job.distance_millimetres, job.charging_breaks, job.docked
"""

READ_JOBS = f"""
SELECT job.mower_id, {_JOB} FROM telemetry.job
JOIN unnest($1::text[], $2::text[]) AS named (mower_id, job_id)
  ON job.mower_id = named.mower_id AND job.job_id = named.job_id
"""  # noqa: S608  # made of the names above

LIST_JOBS = f"""
SELECT document, {_JOB} FROM telemetry.book
LEFT JOIN LATERAL (
    SELECT * FROM telemetry.job
    WHERE job.mower_id = book.mower_id AND ($2::timestamptz IS NULL OR (started_at, job_id) < ($2, $3))
    ORDER BY started_at DESC, job_id DESC LIMIT $4
) AS job ON true
WHERE book.mower_id = $1 ORDER BY job.started_at DESC, job.job_id DESC
"""  # noqa: S608  # made of the names above

FIND_JOB = f"""
SELECT document, {_JOB} FROM telemetry.book
LEFT JOIN telemetry.job ON job.mower_id = book.mower_id AND job.job_id = $2
WHERE book.mower_id = $1
"""  # noqa: S608  # made of the names above
