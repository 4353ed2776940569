"""A tree that an expert has written down: read into a plan, nodes with conditions, of which a tree is made."""
