"""What single operations cost in the library, beside the same work of git where it has one."""
