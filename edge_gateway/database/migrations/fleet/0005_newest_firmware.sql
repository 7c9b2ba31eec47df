-- The newest firmware that the vendor offers for a mower; null while nobody told.
ALTER TABLE fleet.mower ADD COLUMN newest_firmware_version text;
