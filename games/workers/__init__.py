"""What runs beside the requests: the periodic tasks, the watchdog of the workers, and the live demo."""
