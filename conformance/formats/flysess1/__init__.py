"""Everything of the format ``flysess1``: rules, layout, model, cases, crash scenarios, fuzz inputs."""
