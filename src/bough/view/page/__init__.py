"""A fitted tree, or rules, as a page: one file without a network, for any screen, mouse, keyboard or reader."""

from bough.view.page.rules import rules_page
from bough.view.page.write import frame, page

__all__ = ["frame", "page", "rules_page"]
