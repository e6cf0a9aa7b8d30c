"""The frame of a power: declared, asked about, answered, worked and settled."""
