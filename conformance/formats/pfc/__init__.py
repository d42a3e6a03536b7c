"""Everything of the format ``pfc``: rules, layout, model, cases, crash scenarios, fuzz inputs."""
