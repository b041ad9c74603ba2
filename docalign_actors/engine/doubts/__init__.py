"""What speaks for leaving a claim alone that its kind calls false: each module is one reason, and casts doubt or keeps still."""
