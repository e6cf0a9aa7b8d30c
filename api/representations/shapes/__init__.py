"""The shapes of answers that are no rows of a model: for OpenAPI, and for the tests.

Views build plain dictionaries; a test validates each against its shape, strictly, so that neither can drift.
"""
