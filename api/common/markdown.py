"""Words of players as Markdown in which nothing of theirs is markup."""


def one_line(text: str) -> str:
    """Text without breaks and runs of blanks."""
    return " ".join(text.split())


def escape_markdown(text: str) -> str:
    """Text in which Markdown and HTML find nothing to do."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>#|~!&" else letter for letter in text)
