"""Mutation testing: is a wrong implementation caught by the vectors alone?

A *mutant* is one of our three libraries with one small change in its format code; a *control* is one with a mistake
planted by hand. Both are built in a copy, put to the vectors like any adapter, and must be found wrong by a case.
"""
