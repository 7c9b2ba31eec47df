-- Where a site's forecasts come from; null is the gateway's own setting.
ALTER TABLE fleet.site ADD COLUMN weather_source text;
