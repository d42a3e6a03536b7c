"""What the two formats that hold JSON share: rules of strict JSON, layout, model, fuzz inputs."""
