"""DEM: what people are, have, believe and look like."""
