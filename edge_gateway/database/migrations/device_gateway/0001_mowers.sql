-- Mowers that providers found here, with the id that the fleet gave them.
CREATE TABLE device_gateway.mower (
    mower_id text PRIMARY KEY,
    account_id text NOT NULL,
    provider text NOT NULL,
    vendor_key text NOT NULL,
    vendor_account_id text,
    -- The settings as they were last known (contracts.device.SettingsReply), for replicas that do not drive it.
    settings jsonb,
    UNIQUE (provider, vendor_key)
);

-- The last known map of each mower (contracts.map.MowerMap).
CREATE TABLE device_gateway.map (
    mower_id text PRIMARY KEY,
    document jsonb NOT NULL
);

-- Jobs that were started through us: which command started which.
CREATE TABLE device_gateway.job (
    mower_id text NOT NULL,
    job_id text NOT NULL,
    command_id text NOT NULL,
    started_at timestamptz NOT NULL,
    PRIMARY KEY (mower_id, job_id)
);

-- Orders from just before their first motion frame until their outcome is known: what a crash leaves here was perhaps
-- sent, and never is again.
CREATE TABLE device_gateway.order_in_hand (
    command_id text PRIMARY KEY,
    mower_id text NOT NULL,
    account_id text NOT NULL,
    action text NOT NULL,
    -- The job that was open before; a job that appears afterwards is this order's.
    job_before text,
    sent_at timestamptz NOT NULL,
    motion_expires_at timestamptz NOT NULL,
    acknowledged_at timestamptz,
    job_id text
);
CREATE INDEX order_in_hand_of_mower ON device_gateway.order_in_hand (mower_id);

-- Simulated machines: they go on by themselves while the gateway is away.
CREATE TABLE device_gateway.simulated_mower (
    vendor_key text PRIMARY KEY,
    machine jsonb NOT NULL
);
