"""`python -m config.process PARENT_PID MODULE ...`: a module that ends when its parent does (`parent_watch`)."""

from config.process.parent_watch import main

if __name__ == "__main__":
    main()
