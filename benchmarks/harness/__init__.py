"""The experiments: which planner on which problem, run, kept, checked and reported.

configurations and instances say what there is to run, explicit_models writes some of it; planner
runs one of it; scheduler many of them; database keeps what came out, also when it is killed; verdict
compares answers with each other and with known optima; runner does all this in turn; cluster hands
runs to Slurm. regret_runs holds our own options to the default's time, and regret judges. report,
aggregate, document, plots, svg and the sections scaling, targets and regret turn the results into
pages. profile runs planners under what profilers has to offer. Only the standard library is used.
"""
