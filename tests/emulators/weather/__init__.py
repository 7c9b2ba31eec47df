"""A weather service on loopback that answers as Open-Meteo does, or fails as services do."""
