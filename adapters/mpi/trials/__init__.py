"""What the collective publication and restart are put through: real MPI jobs, compared with the serial reference."""
