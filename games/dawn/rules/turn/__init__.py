"""Ages, rounds and turns: income, order, motions, deadlines and the flow of play."""
