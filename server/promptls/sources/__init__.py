"""Where prompts come from: files and folders, Git, and what files bring in."""
