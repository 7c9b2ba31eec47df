-- The last forecast of each place (degrees, rounded to hundredths): a restart has it, and other replicas need not ask.
CREATE TABLE scheduler.forecast (
    provider text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    fetched_at timestamptz NOT NULL,
    attribution text,
    hours jsonb NOT NULL,
    PRIMARY KEY (provider, latitude, longitude)
);

-- What Home Assistant pushed for each site: hours that are over stay, so that there is a past.
CREATE TABLE scheduler.pushed_weather (
    account_id text NOT NULL,
    site_id text NOT NULL,
    pushed_at timestamptz NOT NULL,
    source text,
    attribution text,
    hours jsonb NOT NULL,
    -- When the rain sensor said that it rains, and what it said last.
    wet_spans jsonb NOT NULL,
    raining boolean,
    sensed_at timestamptz,
    PRIMARY KEY (account_id, site_id)
);

-- A person's word about one mower that wins over the rule until a moment: `hold` or `rain` (mow anyway).
CREATE TABLE scheduler.override (
    mower_id text NOT NULL,
    kind text NOT NULL,
    account_id text NOT NULL,
    until timestamptz NOT NULL,
    set_by text NOT NULL,
    set_at timestamptz NOT NULL,
    PRIMARY KEY (mower_id, kind)
);

-- The rain verdict of each mower as it was told last, by whichever replica.
CREATE TABLE scheduler.told_rain (
    mower_id text PRIMARY KEY,
    state jsonb NOT NULL
);
