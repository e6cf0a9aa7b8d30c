"""Knowledge: the tree, and how races learn and teach."""
