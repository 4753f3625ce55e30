from benchmarks.speed.compare import main

main()
