"""GitHub through PyGithub: credentials, tokens, one client for each installation, and its errors as ours."""
