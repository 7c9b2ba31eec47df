-- Who is known and what they may do, as each Home Assistant says it. Without any set the gateway knows `user:owner` alone.
CREATE TABLE fleet.principal_set (
    account_id text NOT NULL,
    instance_id text NOT NULL,
    revision bigint NOT NULL,
    -- The person to whom that house belongs.
    owner text NOT NULL,
    -- The account's owner is that of the set that came first.
    came_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, instance_id)
);

-- Those who are gone are kept, so that what they left can be named.
CREATE TABLE fleet.principal (
    account_id text NOT NULL,
    instance_id text NOT NULL,
    id text NOT NULL,
    name text,
    -- Relations by kind and id of thing (fleet.grants.Held).
    held json NOT NULL,
    gone_at timestamptz,
    PRIMARY KEY (account_id, instance_id, id),
    FOREIGN KEY (account_id, instance_id) REFERENCES fleet.principal_set (account_id, instance_id)
);

CREATE INDEX principal_by_id ON fleet.principal (account_id, id);
