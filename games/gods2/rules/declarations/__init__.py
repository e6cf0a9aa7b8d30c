"""Wars before they are fought: declared, combined, put off."""
