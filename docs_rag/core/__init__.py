"""The deciding part: functions from values to values, without files, clock, network or database."""
