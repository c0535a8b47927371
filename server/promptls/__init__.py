"""promptls: what a language model will really be given, shown while a prompt is written."""

__version__ = "0.1.0"
