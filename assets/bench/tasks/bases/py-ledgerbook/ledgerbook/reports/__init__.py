"""What can be asked of a journal. Each report makes a table, or lines, of a session."""
