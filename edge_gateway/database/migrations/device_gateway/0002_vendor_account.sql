-- Logins at vendors. What is sealed opens only with the installation's key, and only in its own place.
CREATE TABLE device_gateway.vendor_account (
    id text PRIMARY KEY,
    account_id text NOT NULL,
    provider text NOT NULL,
    username text NOT NULL,
    password_sealed bytea NOT NULL,
    tokens_sealed bytea,
    status text NOT NULL,
    detail text,
    created_at timestamptz NOT NULL,
    -- Rises with each new login of the owner, so that whoever runs the account begins anew with it.
    revision bigint NOT NULL DEFAULT 1,
    -- Of the lease under which tokens were kept last: an older holder's tokens are worth nothing.
    fence bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX vendor_account_once ON device_gateway.vendor_account (account_id, provider, lower(username));

-- What a provider remembers about a mower, in its own words; it outlives the login.
CREATE TABLE device_gateway.vendor_memory (
    provider text NOT NULL,
    vendor_key text NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (provider, vendor_key)
);
