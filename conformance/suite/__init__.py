"""The vectors in memory: cases, sweeps, lists of faults, and the questions that they stand for."""
