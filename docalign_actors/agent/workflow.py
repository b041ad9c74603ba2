"""The GitHub workflow that runs an agent when the service says that there is work."""

from __future__ import annotations

EVENT = "docalign-scan"

WORKFLOW = f"""\
# Runs an agent for DocAlign when the service says that there is work. Put it into .github/workflows/docalign-agent.yml.
#
# Variables and secrets of the repository (Settings, Secrets and variables, Actions):
#   vars.DOCALIGN_SERVER           the service's address, such as https://docs.example.org
#   secrets.DOCALIGN_AGENT_TOKEN   made by: docalign token create --role worker
#   secrets.MODEL_API_KEY          the model's key
name: DocAlign agent

on:
  repository_dispatch:
    types: [{EVENT}]
  workflow_dispatch:

permissions:
  contents: read

concurrency:
  group: docalign-agent
  cancel-in-progress: false

jobs:
  agent:
    runs-on: ubuntu-24.04
    timeout-minutes: 30
    steps:
      - uses: actions/setup-python@v6
        with:
          python-version: "3.12"
      - run: python -m pip install --disable-pip-version-check "docalign-actors=={{version}}"
      - name: Do what waits
        env:
          DOCALIGN_AGENT_TOKEN: ${{{{ secrets.DOCALIGN_AGENT_TOKEN }}}}
          DOCALIGN_GIT_TOKEN: ${{{{ github.token }}}}
          DOCALIGN_SERVER: ${{{{ vars.DOCALIGN_SERVER }}}}
          OPENAI_API_KEY: ${{{{ secrets.MODEL_API_KEY }}}}
        # Any command that reads a prompt and writes an answer does as well: --command 'my-model --json' --env MODEL_API_KEY
        run: >-
          docalign agent run --once --max-tasks 50 --max-tokens 500000
          --server "$DOCALIGN_SERVER"
          --endpoint https://api.openai.com/v1 --model gpt-4.1-mini
"""


def workflow(version: str) -> str:
    """The workflow, for this version of docalign."""
    return WORKFLOW.replace("{version}", version)
