"""What is demanded of an implementation: rules, reasons, vectors, and the command line that judges with them."""
