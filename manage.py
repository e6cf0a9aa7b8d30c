#!/usr/bin/env python
"""Theogony's administration command."""

import os
import sys

from django.core.management import execute_from_command_line

from config.installed import process_of

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("THEOGONY_PROCESS", process_of(sys.argv))
    execute_from_command_line(sys.argv)
