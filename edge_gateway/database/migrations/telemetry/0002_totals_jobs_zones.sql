-- Words (areas, jobs, problems) and mowers stand in the log as numbers: an id of 26 letters in each row and once more in
-- its index would double what a state costs.
CREATE TABLE telemetry.word (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    text text NOT NULL UNIQUE
);

ALTER TABLE telemetry.directory
    ADD COLUMN number integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    -- Of the mower's site: totals are split at its midnights.
    ADD COLUMN site_id text,
    ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC',
    ADD COLUMN provider text,
    -- Square metres (null: not known) by area of the vendor's map; null while no map is known.
    ADD COLUMN area_sizes jsonb,
    -- The owner's own zones, for a mower whose vendor draws no map.
    ADD COLUMN zones jsonb NOT NULL DEFAULT '[]';

ALTER TABLE telemetry.log RENAME TO log_of_texts;
ALTER TABLE telemetry.log_of_texts RENAME CONSTRAINT log_pkey TO log_of_texts_pkey;
ALTER TABLE telemetry.log_default RENAME TO log_of_texts_default;
ALTER TABLE telemetry.log_of_texts_default RENAME CONSTRAINT log_default_pkey TO log_of_texts_default_pkey;

-- Wide columns first: none is padded (84 bytes a row, 31 in the index).
CREATE TABLE telemetry.log (
    observed_at timestamptz NOT NULL,
    latitude double precision CHECK (latitude BETWEEN -90 AND 90),
    longitude double precision CHECK (longitude BETWEEN -180 AND 180),
    progress_percent double precision CHECK (progress_percent BETWEEN 0 AND 100),
    mower integer NOT NULL,
    area integer,
    job integer,
    problem integer,
    -- The place of the activity in the program's list, which only grows.
    activity smallint NOT NULL,
    battery_percent smallint CHECK (battery_percent BETWEEN 0 AND 100),
    changed boolean NOT NULL,
    charging boolean,
    PRIMARY KEY (mower, observed_at)
) PARTITION BY RANGE (observed_at);

CREATE TABLE telemetry.log_default PARTITION OF telemetry.log DEFAULT;

INSERT INTO telemetry.word (text)
SELECT area_id FROM telemetry.log_of_texts WHERE area_id IS NOT NULL
UNION SELECT job_id FROM telemetry.log_of_texts WHERE job_id IS NOT NULL
UNION SELECT problem_code FROM telemetry.log_of_texts WHERE problem_code IS NOT NULL;

-- The service makes the months of the new log from the default partition.
INSERT INTO telemetry.log_default
    (observed_at, latitude, longitude, progress_percent, mower, area, job, problem, activity, battery_percent, changed,
     charging)
SELECT old.observed_at, old.latitude, old.longitude, old.progress_percent, directory.number, area.number, job.number,
       problem.number,
       array_position(ARRAY['mowing', 'paused', 'returning', 'docked', 'idle', 'error', 'unknown'], old.activity) - 1,
       old.battery_percent, old.changed, old.charging
FROM telemetry.log_of_texts AS old
JOIN telemetry.directory ON directory.mower_id = old.mower_id
LEFT JOIN telemetry.word AS area ON area.text = old.area_id
LEFT JOIN telemetry.word AS job ON job.text = old.job_id
LEFT JOIN telemetry.word AS problem ON problem.text = old.problem_code;

DROP TABLE telemetry.log_of_texts;

-- What a mower did in its life, as far as we were told.
CREATE TABLE telemetry.health (
    mower_id text PRIMARY KEY REFERENCES telemetry.directory,
    mowing_microseconds bigint NOT NULL,
    distance_millimetres bigint NOT NULL,
    area_square_centimetres bigint NOT NULL,
    charge_cycles bigint NOT NULL,
    -- Since the blades were new, which was told by a reset.
    blade_microseconds bigint NOT NULL,
    blades_reset_at timestamptz,
    -- The threshold was told of for these blades.
    blade_threshold_told boolean NOT NULL,
    -- What the next state is compared with.
    latitude double precision,
    longitude double precision,
    was_charging boolean,
    zone_ids jsonb NOT NULL,
    job_id text
) WITH (fillfactor = 70);

-- The same by date of the mower's site; a later change of its zone rewrites nothing.
CREATE TABLE telemetry.day (
    mower_id text NOT NULL REFERENCES telemetry.directory,
    day date NOT NULL,
    mowing_microseconds bigint NOT NULL,
    distance_millimetres bigint NOT NULL,
    area_square_centimetres bigint NOT NULL,
    charge_cycles bigint NOT NULL,
    blade_microseconds bigint NOT NULL,
    PRIMARY KEY (mower_id, day)
) WITH (fillfactor = 70);

-- Areas mowed: the vendor's, or the owner's zones.
CREATE TABLE telemetry.area_day (
    mower_id text NOT NULL REFERENCES telemetry.directory,
    area_id text NOT NULL,
    day date NOT NULL,
    mowing_microseconds bigint NOT NULL,
    last_mowed_at timestamptz NOT NULL,
    PRIMARY KEY (mower_id, area_id, day)
) WITH (fillfactor = 70);

-- One record from start to finish, across charging breaks.
CREATE TABLE telemetry.job (
    mower_id text NOT NULL REFERENCES telemetry.directory,
    job_id text NOT NULL,
    command_id text,
    started_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    ended_at timestamptz,
    -- finished, cancelled, replaced, unknown
    ending text,
    area_ids jsonb NOT NULL,
    progress_percent double precision,
    area_square_centimetres bigint,
    mowing_microseconds bigint NOT NULL,
    distance_millimetres bigint NOT NULL,
    charging_breaks bigint NOT NULL,
    docked boolean NOT NULL,
    PRIMARY KEY (mower_id, job_id)
) WITH (fillfactor = 70);

CREATE INDEX job_by_start ON telemetry.job (mower_id, started_at, job_id);

-- Positions that left the log: some minutes in one row, metres as centimetres from the first point.
CREATE TABLE telemetry.segment (
    mower integer NOT NULL,
    begins_at timestamptz NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    deciseconds smallint[] NOT NULL,
    north_centimetres smallint[] NOT NULL,
    east_centimetres smallint[] NOT NULL,
    PRIMARY KEY (mower, begins_at)
);

-- How far keeping house has come: one row.
CREATE TABLE telemetry.housekeeping (
    one boolean PRIMARY KEY DEFAULT true CHECK (one),
    -- Positions before this moment are segments.
    segments_until timestamptz NOT NULL DEFAULT '-infinity',
    -- The log before this moment was purged.
    log_from timestamptz NOT NULL DEFAULT '-infinity'
);

INSERT INTO telemetry.housekeeping DEFAULT VALUES;

CREATE TABLE telemetry.outbox (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id text NOT NULL,
    subject text NOT NULL,
    envelope bytea NOT NULL
);
