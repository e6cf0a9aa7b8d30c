"""Moments as in the log: the year first, to the second, with the time zone."""

DATE_FORMAT = "Y-m-d"
DATETIME_FORMAT = "Y-m-d H:i:s T"
