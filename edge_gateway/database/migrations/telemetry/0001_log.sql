-- The lease of the ingest: a transaction of an older holder is refused.
CREATE TABLE telemetry.ingest_partition (
    number integer PRIMARY KEY,
    fence bigint NOT NULL
);

-- Which mowers there are, as the fleet says.
CREATE TABLE telemetry.directory (
    mower_id text PRIMARY KEY,
    account_id text NOT NULL
);

CREATE TABLE telemetry.latest (
    mower_id text PRIMARY KEY REFERENCES telemetry.directory,
    account_id text NOT NULL,
    observed_at timestamptz NOT NULL,
    activity text NOT NULL,
    battery_percent smallint CHECK (battery_percent BETWEEN 0 AND 100),
    charging boolean,
    area_id text,
    progress_percent double precision CHECK (progress_percent BETWEEN 0 AND 100),
    job_id text,
    problem_code text,
    -- The whole state as it was sent; what is asked for, not what is judged by.
    document bytea NOT NULL
) WITH (fillfactor = 70);

-- History and positions together: one row per state that says something new or comes from a busy mower.
CREATE TABLE telemetry.log (
    mower_id text NOT NULL,
    observed_at timestamptz NOT NULL,
    activity text NOT NULL,
    changed boolean NOT NULL,
    battery_percent smallint CHECK (battery_percent BETWEEN 0 AND 100),
    charging boolean,
    area_id text,
    progress_percent double precision CHECK (progress_percent BETWEEN 0 AND 100),
    job_id text,
    problem_code text,
    latitude double precision CHECK (latitude BETWEEN -90 AND 90),
    longitude double precision CHECK (longitude BETWEEN -180 AND 180),
    PRIMARY KEY (mower_id, observed_at)
) PARTITION BY RANGE (observed_at);

CREATE TABLE telemetry.log_default PARTITION OF telemetry.log DEFAULT;
