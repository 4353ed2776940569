"""A fitted tree as a page: one file that needs no network, for people with any screen, mouse, keyboard or reader."""

from bough.view.page.write import frame, page

__all__ = ["frame", "page"]
