-- The lease of the intake: a transaction of an older holder is refused.
CREATE TABLE notifications.intake (
    number integer PRIMARY KEY,
    fence bigint NOT NULL
);

-- Which mowers there are, and in which garden, as the fleet says.
CREATE TABLE notifications.directory (
    mower_id text PRIMARY KEY,
    account_id text NOT NULL,
    site_id text NOT NULL
);

-- What is remembered of each mower between two reports (notifications.watch.Watch).
CREATE TABLE notifications.watch (
    mower_id text PRIMARY KEY REFERENCES notifications.directory ON DELETE CASCADE,
    document bytea NOT NULL,
    -- When the next condition turns if no report comes.
    due_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX watch_due ON notifications.watch (due_at) WHERE due_at IS NOT NULL;

-- The newest complete map of each mower (contracts.map.MowerMap).
CREATE TABLE notifications.map (
    mower_id text PRIMARY KEY,
    observed_at timestamptz NOT NULL,
    document bytea NOT NULL
);

-- Geofences that the owner drew, of a mower or of a site (notifications.geofence.Drawn).
CREATE TABLE notifications.geofence (
    account_id text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('mower', 'site')),
    id text NOT NULL,
    version bigint GENERATED ALWAYS AS IDENTITY,
    document bytea NOT NULL,
    PRIMARY KEY (account_id, kind, id)
);

CREATE TABLE notifications.outbox (
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id text NOT NULL,
    subject text NOT NULL,
    envelope bytea NOT NULL
);
