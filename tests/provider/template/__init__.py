"""A whole provider for a vendor that does not exist: what a new vendor's adapter begins with.

It passes the conformance kit (`tests/provider/conformance/`); docs/adding-a-vendor.md walks through it.
"""
