"""What a user is told in one line."""


class FleetError(Exception):
    """Something that is not there, not readable or not meant so."""
