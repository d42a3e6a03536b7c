"""What a commit must survive, format by format, and the campaign that finds out whether an adapter's does."""
