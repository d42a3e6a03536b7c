"""The corpus of JSON texts that every format with JSON inside is asked about."""
