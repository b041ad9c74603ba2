"""Manifests, task files and other configuration: scripts, versions, ports, navigation, licence."""
