"""What several kinds read, compare or look up."""
