"""What the scenarios share: running processes, Git repositories, facts about the machine."""
