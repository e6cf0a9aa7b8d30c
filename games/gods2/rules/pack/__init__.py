"""The data pack: powers, knowledges, events and squares as entries, and what their words mean."""
