"""What is said and noted beside the dice: lines of the lists, notes, scenes, names, answers in advance."""
