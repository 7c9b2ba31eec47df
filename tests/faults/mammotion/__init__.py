"""What a hostile or broken mower may send."""
