"""What a seat may know beforehand: legal commands, forecasts, breakdowns and charts."""
