from benchmarks.inference.compare import main

main()
