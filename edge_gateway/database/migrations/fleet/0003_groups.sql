-- Several mowers that are planned together.
CREATE TABLE fleet.mower_group (
    account_id text NOT NULL,
    id text PRIMARY KEY,
    name text NOT NULL,
    -- So many may be out at a time; null: all.
    max_concurrent integer CHECK (max_concurrent >= 1)
);

CREATE TABLE fleet.group_member (
    group_id text NOT NULL REFERENCES fleet.mower_group ON DELETE CASCADE,
    mower_id text NOT NULL REFERENCES fleet.mower ON DELETE CASCADE,
    PRIMARY KEY (group_id, mower_id)
);

CREATE INDEX group_of_mower ON fleet.group_member (mower_id);

-- What other services ask for: the orders of a mower since a moment.
CREATE INDEX command_of_mower ON fleet.command (mower_id, issued_at);
