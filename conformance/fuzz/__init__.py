"""Differential fuzzing: examples built and corrupted at random, every implementation held to the reference's answer."""
