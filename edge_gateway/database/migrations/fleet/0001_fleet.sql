-- Mowers, sites, areas and commands. Enumerations are stored as their words, structs of other rooms as JSON text
-- (type json, not jsonb: what was ordered is kept to the letter, since a repeated key is compared with it).

CREATE TABLE fleet.site (
    account_id text NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    time_zone text NOT NULL,
    time_zone_chosen boolean NOT NULL DEFAULT false,
    latitude double precision,
    longitude double precision,
    rain json NOT NULL DEFAULT '{}',
    quiet_hours json,
    PRIMARY KEY (account_id, id),
    CHECK ((latitude IS NULL) = (longitude IS NULL)),
    CHECK (latitude BETWEEN -90 AND 90),
    CHECK (longitude BETWEEN -180 AND 180)
);

-- The site that every fresh gateway has; whoever knows the garden's time zone chooses it later.
INSERT INTO fleet.site (account_id, id, name, time_zone) VALUES ('home', 'home', 'Home', 'UTC');

CREATE TABLE fleet.mower (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    name text NOT NULL,
    provider text NOT NULL,
    vendor_key text NOT NULL,
    vendor_account_id text,
    model text,
    firmware_version text,
    serial_number text,
    site_id text NOT NULL,
    obey_rain boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL,
    UNIQUE (account_id, provider, vendor_key),
    FOREIGN KEY (account_id, site_id) REFERENCES fleet.site (account_id, id)
);

CREATE INDEX mower_site ON fleet.mower (account_id, site_id);

-- Maps, areas and availability come over the bus and may come before the mower's record: they refer to it loosely.
CREATE TABLE fleet.map (
    mower_id text PRIMARY KEY,
    observed_at timestamptz NOT NULL
);

CREATE TABLE fleet.area (
    mower_id text NOT NULL,
    id text NOT NULL,
    map_name text NOT NULL,
    -- What the owner calls it; it stays when the map's name changes.
    given_name text,
    enabled boolean NOT NULL DEFAULT true,
    size_m2 double precision,
    -- Its place in the map.
    place integer NOT NULL,
    PRIMARY KEY (mower_id, id)
);

CREATE TABLE fleet.availability (
    mower_id text PRIMARY KEY,
    available boolean NOT NULL,
    reason text,
    changed_at timestamptz NOT NULL
);

CREATE TABLE fleet.command (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    mower_id text NOT NULL REFERENCES fleet.mower (id),
    body json NOT NULL,
    key text NOT NULL,
    issued_by text NOT NULL,
    origin text NOT NULL,
    schedule_id text,
    issued_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    motion_expires_at timestamptz NOT NULL,
    -- When the bus had the order; null while it is not known to have it.
    published_at timestamptz,
    status text NOT NULL,
    reason text,
    -- The numbers behind the reason.
    numbers json NOT NULL DEFAULT '{}',
    changed_at timestamptz NOT NULL,
    UNIQUE (account_id, issued_by, origin, key)
);

-- What the sweep looks at: the few that have not ended.
CREATE INDEX command_open ON fleet.command (expires_at) WHERE status IN ('accepted', 'sent', 'acknowledged');

CREATE TABLE fleet.outbox (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id text NOT NULL,
    subject text NOT NULL,
    envelope bytea NOT NULL
);
