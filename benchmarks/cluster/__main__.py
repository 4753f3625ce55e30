from benchmarks.cluster.command import main

main()
