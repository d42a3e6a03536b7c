"""Crash testing, whatever the format: system calls watched, failed and cut short, and what a disk may keep of them."""
