"""The experiments: which planner on which problem, run, kept, checked and reported.

configurations and instances say what there is to run; planner runs one of it; scheduler many of
them; database keeps what came out, also when it is killed; verdict compares answers with each other
and with known optima; cluster hands runs to Slurm. report, tables, aggregate, plots and svg turn
the results into pages. profile runs planners under what profilers has to offer. Only the standard
library is used.
"""
