-- Bluetooth bridges. The key is sealed: it opens only with the installation's key, and only in its own place.
CREATE TABLE device_gateway.bridge (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    name text NOT NULL,
    host text NOT NULL,
    port integer NOT NULL,
    -- Null speaks plaintext: a bridge whose owner wants no encryption.
    key_sealed bytea,
    -- The device that was met first; no other one is taken for it.
    expected_mac text,
    created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX bridge_once ON device_gateway.bridge (account_id, lower(host), port);

-- The Bluetooth address of each mower by the name that it advertises: its name is heard more seldom than its address.
CREATE TABLE device_gateway.bluetooth_address (
    name text PRIMARY KEY,
    address text NOT NULL
);

-- In which order a mower's links are used, and until when Bluetooth is left to the vendor's app.
CREATE TABLE device_gateway.mower_links (
    mower_id text PRIMARY KEY,
    link_order text[] NOT NULL,
    released_until timestamptz
);
