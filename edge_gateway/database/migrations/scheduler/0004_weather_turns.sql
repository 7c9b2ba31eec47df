-- Of all copies of the Scheduler one asks a weather service at a time: whose turn it is, and until when if it dies.
CREATE TABLE scheduler.weather_turn (
    provider text PRIMARY KEY,
    -- Null while nobody asks because the service refuses.
    taken_by text,
    until timestamptz NOT NULL
);

-- Places that were asked for in vain: no copy asks again at once.
CREATE TABLE scheduler.weather_failure (
    provider text NOT NULL,
    latitude double precision NOT NULL,
    longitude double precision NOT NULL,
    failed_at timestamptz NOT NULL,
    PRIMARY KEY (provider, latitude, longitude)
);
