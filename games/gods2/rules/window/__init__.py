"""The Window on the World: the queue, questions of castings, answers in advance."""
