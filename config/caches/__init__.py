"""What is kept for a while: the caches of the service, in memory or in Redis."""
