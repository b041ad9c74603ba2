"""Commands that are right because of where they run, and what makes their arguments."""

from __future__ import annotations

from collections.abc import Callable

from docalign_actors.findings.report import Report, Summary
from docalign_actors.reporting import github
from tests.support.repository import Repository

Make = Callable[[dict[str, str | bytes]], Repository]


def test_a_script_in_the_folder_that_an_earlier_step_enters_is_there(repository: Make) -> None:
    steps = "Enter the folder:\n\n```sh\ncd Tool/setup/linux/\n```\n\nInstall:\n\n```sh\n./install.sh\n```\n"
    gone = "Prepare:\n\n```sh\nnohup ./prepare.sh a &\n```\n"
    files = {
        "setup/cloud/README.md": f"# Cloud\n\n{steps}\n{gone}",
        "setup/cloud/install.sh": "echo 1\n" * 9,
        "setup/cloud/prepare.sh": "echo 2\n" * 9,
    }
    repo = repository(dict(files)).age()
    repo.move("setup/cloud/install.sh", "setup/linux/install.sh")
    repo.move("setup/cloud/prepare.sh", "scripts/prepare.sh")
    repo.commit("moved").age()
    assert [finding.claim for finding in repo.drifted()] == ["./prepare.sh"]


def test_a_rule_for_a_folder_makes_each_file_of_it(repository: Make) -> None:
    targets = "data/big.txt :\n\tfetch big\n\ndata/small.txt :\n\tfetch small\n\nold/one.txt :\n\tfetch one\n"
    rest = "test :\n\tcargo test\n\nbench :\n\tcargo bench\n"
    block = "# A\n\n```sh\nmake data/big.txt data/small.txt\nmake old/one.txt\nmake test\nmake bench\n```\n"
    repo = repository({"CONTRIBUTING.md": block, "Makefile": f"DIR = data\n\n{targets}\n{rest}"})
    repo.write({"Makefile": f"DIR = data\n\n$(DIR)/% :\n\tfetch $*\n\n{rest}"}).commit("one rule for all")
    assert [finding.claim for finding in repo.drifted()] == ["old/one.txt"]


def test_what_to_write_is_told_in_the_spelling_of_each_place(repository: Make) -> None:
    page = "# T\n\nUse `speed-test.py`:\n\n```sh\n./speed-test.py now\n```\n"
    repo = repository({"tools/README.md": page, "tools/speed-test.py": "print(1)\n" * 9})
    repo.move("tools/speed-test.py", "tools/old-speed-test.py").commit("renamed")
    (finding,) = repo.drifted()
    assert finding.fix
    assert finding.fix.replacement == "old-speed-test.py"
    told = [line.rpartition("Write ")[2] for line in github.render(Report(Summary(), [finding])).splitlines()[:2]]
    assert told == ["`old-speed-test.py` instead.", "`./old-speed-test.py` instead."]


def test_a_script_that_a_readme_has_run_by_its_name_in_the_clone_is_missed_however_long_ago_it_went(
    repository: Make,
) -> None:
    page = "# T\n\nTests can be executed with `./run_tests.sh`. Settings are in `./my_values.yml`.\n"
    files = {"README.md": page, "run_tests.sh": "echo\n" * 9, "my_values.yml": "a: 1\n" * 9, "src/a.py": ""}
    repo = repository(dict(files)).age()
    repo.move("run_tests.sh", "check_all.sh").delete("my_values.yml").commit("moved").age()
    assert [finding.claim for finding in repo.drifted()] == ["./run_tests.sh"]
