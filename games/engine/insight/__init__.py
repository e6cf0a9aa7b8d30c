"""What a seat may know in advance: legal commands, forecasts, breakdowns, odds of pools and charts."""
