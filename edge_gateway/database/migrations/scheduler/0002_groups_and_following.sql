-- What goes on from one firing to the next, for each mower of a schedule.
CREATE TABLE scheduler.schedule_mower (
    schedule_id text NOT NULL REFERENCES scheduler.schedule ON DELETE CASCADE,
    mower_id text NOT NULL,
    -- Counts the confirmed starts: its place among the schedule's angles, round and round.
    angle_number integer NOT NULL DEFAULT 0,
    -- Days in a row on which rain held it, and the last of them.
    held_days integer NOT NULL DEFAULT 0,
    held_on date,
    PRIMARY KEY (schedule_id, mower_id)
);

ALTER TABLE scheduler.run
    -- The group that it was fired for. A pending row of a group without a mower stands for all of them until they are
    -- asked for.
    ADD COLUMN group_id text,
    ADD COLUMN override_quiet_hours boolean NOT NULL DEFAULT false,
    -- It was started although the rain rule held: rain does not send it home.
    ADD COLUMN rain_exempt boolean NOT NULL DEFAULT false,
    -- The cause for which the mower was sent home last, and when it was seen in its dock after that.
    ADD COLUMN sent_home_for text,
    ADD COLUMN parked_at timestamptz;

-- In the order in which rows are picked up.
DROP INDEX scheduler.run_pending;
CREATE INDEX run_pending ON scheduler.run (look_again_at, sequence) WHERE outcome IS NULL;
CREATE INDEX run_of_occurrence ON scheduler.run (schedule_id, occurrence_at);
CREATE INDEX schedule_of_group ON scheduler.schedule (group_id) WHERE group_id IS NOT NULL;
CREATE INDEX schedule_computed ON scheduler.schedule (computed_at);

-- Orders to mowers whose run is under way: one row per order, written before Fleet is asked.
CREATE TABLE scheduler.follow_up (
    run_id text NOT NULL REFERENCES scheduler.run ON DELETE CASCADE,
    cause text NOT NULL,
    attempt integer NOT NULL,
    kind text NOT NULL,
    issued_by text NOT NULL,
    asked_at timestamptz NOT NULL,
    -- Null until Fleet took the order.
    command_id text,
    -- How far the command has come, as it was last seen.
    status text,
    reason text,
    refusals integer NOT NULL DEFAULT 0,
    look_again_at timestamptz NOT NULL,
    PRIMARY KEY (run_id, cause, attempt)
);
