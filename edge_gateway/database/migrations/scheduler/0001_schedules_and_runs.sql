-- Plans. The draft is what was given (contracts.schedules.ScheduleDraft); the columns beside it are what is searched for
-- and what follows from it.
CREATE TABLE scheduler.schedule (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    owner text NOT NULL,
    draft jsonb NOT NULL,
    mower_id text,
    group_id text,
    enabled boolean NOT NULL,
    disabled_reason text,
    effective_time_zone text NOT NULL,
    next_run_at timestamptz,
    -- The local date that the rule walked for it; not always the instant's own.
    next_run_on date,
    -- The time from which the next run was computed: one ahead of the clock says that the clock was set back.
    computed_at timestamptz NOT NULL,
    -- The local date of the last firing: it does not fire again in another zone.
    fired_on date,
    -- Firings in a row in which every mower was skipped for rights.
    permission_skips integer NOT NULL DEFAULT 0,
    created_by text NOT NULL,
    creation_key text,
    creation_digest bytea,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    UNIQUE (account_id, created_by, creation_key),
    CHECK (num_nonnulls(mower_id, group_id) = 1),
    CHECK (enabled OR next_run_at IS NULL),
    CHECK ((next_run_at IS NULL) = (next_run_on IS NULL))
);
CREATE INDEX schedule_due ON scheduler.schedule (next_run_at) WHERE enabled AND next_run_at IS NOT NULL;
CREATE INDEX schedule_of_mower ON scheduler.schedule (mower_id);

-- Local dates that a plan leaves out, each consumed once.
CREATE TABLE scheduler.skip (
    schedule_id text NOT NULL REFERENCES scheduler.schedule ON DELETE CASCADE,
    day date NOT NULL,
    PRIMARY KEY (schedule_id, day)
);

-- What became of each occurrence for each mower. Rows outlive their schedule.
CREATE TABLE scheduler.run (
    sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    id text PRIMARY KEY,
    account_id text NOT NULL,
    schedule_id text NOT NULL,
    mower_id text,
    -- Makes a firing one order, however often it is tried.
    order_key text NOT NULL UNIQUE,
    occurrence_at timestamptz NOT NULL,
    -- The local date of the occurrence; null of a run-now.
    occurrence_on date,
    window_ends_at timestamptz NOT NULL,
    run_now boolean NOT NULL,
    origin text NOT NULL,
    owner text NOT NULL,
    outcome text,
    reason text,
    numbers jsonb NOT NULL,
    revision integer NOT NULL,
    final boolean NOT NULL,
    -- Of a pending row: when it is looked at again, how often it was refused, and what it waits for.
    look_again_at timestamptz,
    refusals integer NOT NULL,
    waiting_for text,
    -- Committed before Fleet is asked: a row that has it was perhaps started.
    asked_at timestamptz,
    attempt integer NOT NULL,
    -- From the asking until the run is closed, or it is known that nothing was started.
    followed boolean NOT NULL,
    command_id text,
    created_at timestamptz NOT NULL,
    decided_at timestamptz,
    confirmed_at timestamptz,
    ended_at timestamptz,
    end_reason text,
    CHECK ((outcome IS NULL) = (look_again_at IS NOT NULL))
);
CREATE INDEX run_pending ON scheduler.run (look_again_at) WHERE outcome IS NULL;
CREATE INDEX run_followed ON scheduler.run (mower_id) WHERE followed;
CREATE INDEX run_of_schedule ON scheduler.run (schedule_id, sequence DESC);
CREATE INDEX run_of_mower ON scheduler.run (mower_id, sequence DESC);

-- What is known of each mower, kept from its live reports; an older report never overwrites a newer one.
CREATE TABLE scheduler.mower (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    activity text NOT NULL,
    -- The other activity that came before this one.
    activity_before text,
    observed_at timestamptz,
    -- The newest report of a busy mower, and the command whose job it was on, where that is known.
    busy_at timestamptz,
    busy_command_id text,
    job_id text,
    job_command_id text,
    job_resumable boolean NOT NULL,
    -- Of the open job, else of the last one.
    progress_percent double precision,
    latitude double precision,
    longitude double precision,
    available boolean,
    availability_changed_at timestamptz,
    area_ids text[],
    origin_latitude double precision,
    origin_longitude double precision,
    map_observed_at timestamptz
) WITH (fillfactor = 70);

CREATE TABLE scheduler.outbox (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id text NOT NULL,
    subject text NOT NULL,
    envelope bytea NOT NULL
);
