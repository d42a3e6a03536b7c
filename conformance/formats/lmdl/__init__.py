"""Everything of the format ``lmdl``: rules, layout, model, cases, crash scenarios, fuzz inputs."""
