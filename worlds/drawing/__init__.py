"""Maps as SVG: palette, labels, markers, contours and the view (pure)."""
