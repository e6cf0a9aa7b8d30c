"""What a seat may know in advance: legal commands, forecasts, breakdowns and charts."""
