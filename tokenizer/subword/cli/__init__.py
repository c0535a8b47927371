"""The engine's commands. They are given a `Host`: whoever registers, configures and prints them."""
