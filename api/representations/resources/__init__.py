"""Resources: rows of models as both APIs show them, and who may see them."""
