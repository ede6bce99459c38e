"""LOC: addresses, towns and regions, landmarks."""
