"""What a scan has to say: findings, how they are told apart, which of them are known or unwanted."""
