from docalign_actors.cli.main import main

main()
