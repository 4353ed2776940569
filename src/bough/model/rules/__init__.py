"""Rules: what they are made of, lists and sets of them, and what can be proved about them."""
