"""Pools of connections, the runner of migrations, the SQL files of each service's schema."""
