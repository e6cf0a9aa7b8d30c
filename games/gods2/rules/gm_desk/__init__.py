"""What GMs and gods do by hand: manual tasks, laws, powers lent, names of entries."""
