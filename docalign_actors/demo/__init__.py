"""The whole story on one machine, without any account: a GitHub of our own, a service, and what happens between them."""
