"""benchmarks/profile: which phase a function belongs to, what is read from the profilers, and the
table of shares, on made-up samples; and the whole of it where there is a profiler."""
from __future__ import annotations

import subprocess
import sys
import unittest

import support

from harness import profilers
from harness.document import Table, plain
from harness.profile import PHASES, Profile, heaviest, phase_of, table
from harness.profilers import Frame, ProfilerError, Sample


def stack(*functions: str, file: str = "carl") -> tuple[Frame, ...]:
    """The first one is part of that file."""
    return (Frame(functions[0], file), *(Frame(function, "carl") for function in functions[1:]))


class PhaseTest(unittest.TestCase):
    FUNCTIONS = {
        "parse": ("carl::pddl::Lexer::next", "carl::load_model", "carl::io::JsonDocument::number"),
        "ground": ("carl::task::Join::extend", "carl::task::(anonymous namespace)::Encoder::keep",
                   "carl::task::SuccessorGenerator::Builder::build", "carl::TaskModel::TaskModel"),
        "expand": ("carl::TaskModel::expand", "carl::Cssp::expand", "carl::Expansion::reorder",
                   "carl::task::StateRegistry::insert", "carl::task::SuccessorGenerator::visit",
                   "carl::ssp::SearchGraph::add_expansion", "carl::ssp::expand_small_space",
                   "carl::ssp::find_zero_cost_loops", "carl::ssp::ScalarisedSsp::expand_all"),
        "heuristic": ("carl::heuristics::HmaxExploration::run",
                      "carl::ssp::ScalarisedSsp::evaluate_if_new"),
        "backups": ("carl::ssp::(anonymous namespace)::CgIlao::solve",
                    "carl::ssp::GreedyEnvelope::enter<carl::ssp::SearchGraph>",
                    "carl::ssp::TopologicalIteration::sweep [clone .part.0]",
                    "carl::ssp::ScalarisedSsp::q", "carl::ssp::Predecessors::update"),
        "λ search": ("carl::cssp::(anonymous namespace)::BundleSearch::run",
                     "carl::cssp::(anonymous namespace)::Barrier::minimise",
                     "carl::cssp::Lagrangian::query", "carl::lp::LinearProgram::solve"),
        "evaluation": ("carl::ssp::evaluate", "carl::ssp::sound_lower_bound",
                       "carl::ssp::(anonymous namespace)::Repair::scaled_start",
                       "carl::ssp::GaussSeidel::solve_rows", "carl::ssp::deterministic_envelope"),
        "extraction": ("carl::cssp::policy_of_flow", "carl::cssp::TiedSupport::solve",
                       "carl::ssp::decompose", "carl::write_result"),
        "other": ("main", "CLI::App::parse", "carl::app::add_solve", "carl::solve", "[unknown]",
                  "carlo::ssp::evaluate", "not::carl::ssp::evaluate"),
    }

    def test_functions(self) -> None:
        for phase, functions in self.FUNCTIONS.items():
            for function in functions:
                self.assertEqual(phase_of(stack(function)), phase, function)

    def test_a_type_in_a_name_does_not_count(self) -> None:
        vector = "std::vector<carl::ssp::PairId, std::allocator<carl::ssp::PairId> >::resize"
        self.assertEqual(phase_of(stack(vector)), "other")
        self.assertEqual(phase_of(stack(vector, "carl::task::ground", "main")), "ground")

    def test_the_innermost_function_that_tells(self) -> None:
        outer = "carl::cssp::Lagrangian::query", "carl::solve", "main"
        inner = "carl::ssp::(anonymous namespace)::CgIlao::solve"
        self.assertEqual(phase_of(stack("carl::heuristics::Hmax::estimate", inner, *outer)),
                         "heuristic")
        self.assertEqual(phase_of(stack(inner, *outer)), "backups")
        for function, file in (("__memmove_avx512_unaligned_erms", "libc.so.6"),
                               ("exc_page_fault", "[kernel.kallsyms]"),
                               ("ClpSimplex::primal", "libClp.so.1")):
            self.assertEqual(phase_of(stack(function, inner, *outer, file=file)), "backups")
            self.assertEqual(phase_of(stack(function, *outer, file=file)), "λ search")
        lp = "carl::lp::LinearProgram::solve"
        self.assertEqual(phase_of(stack("ClpSimplex::primal", lp, *outer)), "λ search")

    def test_what_nobody_asked_for(self) -> None:
        for file in ("libc.so.6", "ld-linux-x86-64.so.2", "[kernel.kallsyms]", "[vdso]",
                     "libstdc++.so.6.0.30"):
            self.assertEqual(phase_of(stack("f", "main", file=file)), "system", file)
        for file in ("carl", "libClp.so.1", "libcolamd.so.2", ""):
            self.assertEqual(phase_of(stack("f", "main", file=file)), "other", file)
        self.assertEqual(phase_of(()), "other")


class PerfTest(unittest.TestCase):
    def test_samples(self) -> None:
        samples = list(profilers.perf_samples("""
    200000 
\t          16db75 __memmove_avx512_unaligned_erms (/usr/lib/x86_64-linux-gnu/libc.so.6)
\t          1609dd carl::ssp::(anonymous namespace)::f()::{lambda(int)#1}::operator() (/a b/carl)
\tffffffffffffffff [unknown] ([unknown])

    100000 
\tffffffff81000130 entry_SYSCALL_64 ([kernel.kallsyms])

    50000 

"""))
        self.assertEqual([s.stack for s in samples], [
            (Frame("__memmove_avx512_unaligned_erms", "libc.so.6"),
             Frame("carl::ssp::(anonymous namespace)::f()::{lambda(int)#1}::operator()", "carl"),
             Frame("[unknown]", "[unknown]")),
            (Frame("entry_SYSCALL_64", "[kernel.kallsyms]"),), ()])
        for sample, expected in zip(samples, (2e-4, 1e-4, 5e-5), strict=True):
            self.assertAlmostEqual(sample.cost, expected)

    def test_none(self) -> None:
        self.assertEqual(list(profilers.perf_samples("\n")), [])


class CallgrindTest(unittest.TestCase):
    TEXT = """# callgrind format
version: 1
positions: line
events: Ir
summary: 1178

ob=(1) /usr/bin/carl
fl=(1) ???
fn=(1) _Z1fv'main
0 100
+3 20
cob=(2) /lib/libc.so.6
cfn=(2) malloc'_Z1fv'main
calls=1 0 
0 1050
* 5

ob=(2)
fn=(2)
0 1000
-2 50

ob=(1)
fn=(3) main
fi=(2) other.h
7 2
fn=(1)
9 1
"""

    def test_samples(self) -> None:
        found = {sample.stack: round(sample.cost * 1e9)
                 for sample in profilers.callgrind_samples(self.TEXT)}
        self.assertEqual(found, {
            (Frame("_Z1fv", "carl"), Frame("main")): 126,
            (Frame("malloc", "libc.so.6"), Frame("_Z1fv"), Frame("main")): 1050,
            (Frame("main", "carl"),): 2})
        self.assertEqual(sum(found.values()), 1178)  # as its summary says

    def test_recursion(self) -> None:
        (sample,) = profilers.callgrind_samples("fn=(1) f'2'f'main\n0 7\n")
        self.assertEqual(sample.stack, (Frame("f"), Frame("f"), Frame("main")))


def samples(**costs: float) -> list[Sample]:
    """One per phase."""
    return [Sample(stack(PhaseTest.FUNCTIONS[phase][0]), cost) for phase, cost in costs.items()]


class TableTest(unittest.TestCase):
    def setUp(self) -> None:
        self.profiles = {"sar": Profile(), "ctw": Profile()}
        self.profiles["sar"].add_run(samples(parse=1, expand=2))
        self.profiles["sar"].add_run(samples(expand=5))
        self.profiles["ctw"].add_run(samples(backups=1.5, other=0.5))

    def test_shares(self) -> None:
        result = table(self.profiles, "samples", "CPU seconds")
        lines = [dict(zip(result.header, row, strict=True)) for row in result.rows]
        self.assertEqual([line["domain"] for line in lines], ["sar", "ctw", "all"])
        self.assertEqual([line["runs"] for line in lines], ["2", "1", "3"])
        self.assertEqual([line["samples"] for line in lines], ["3", "2", "5"])
        self.assertEqual([line["CPU seconds"] for line in lines], ["8.00", "2.00", "10.00"])
        shares = [{p: line[p] for p in PHASES if line[p] != "–"} for line in lines]
        self.assertEqual(shares, [
            {"parse": "12.5%", "expand": "87.5%"}, {"backups": "75.0%", "other": "25.0%"},
            {"parse": "10.0%", "expand": "70.0%", "backups": "15.0%", "other": "5.0%"}])

    def test_a_domain_alone(self) -> None:
        self.assertEqual(len(table({"sar": self.profiles["sar"]}, "", "").rows), 1)
        self.assertEqual(len(table({"sar": Profile()}, "", "").rows), 1)  # no samples at all

    def test_heaviest_functions(self) -> None:
        profile = self.profiles["ctw"]
        profile.add_run([Sample(stack(f), cost) for f, cost in (
            ("carl::ssp::ScalarisedSsp::q", 4), ("carl::ssp::Predecessors::update", 1),
            ("carl::pddl::Lexer::next", 1))])
        self.assertEqual(heaviest(profile, 2).rows, [
            ["parse", "12.5%", "`carl::pddl::Lexer::next`"],
            ["backups", "50.0%", "`carl::ssp::ScalarisedSsp::q`"],
            ["backups", "18.8%", "`carl::ssp::(anonymous namespace)::CgIlao::solve`"],
            ["other", "6.2%", "`main`"]])

    def test_plain_text(self) -> None:
        self.assertEqual(plain([Table(["a", "λ"], [["long", "1"], ["s", "100"]]),
                                Table(["a", "b"], [["c", "text"]], prose=True)]),
                         "a       λ\nlong    1\ns     100\n\na  b\nc  text\n")


def works(name: str) -> bool:
    try:
        return bool(profilers.find_profiler(1000, name))
    except ProfilerError:
        return False


class CommandTest(support.HarnessTest):
    def profile(self, *arguments: str, mode: str = "honest",
                **more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(support.BENCHMARKS / "profile"), "--results",
                   str(self.directory), "--planner", str(self.fake_planner), *arguments]
        return subprocess.run(command, env=self.environment(mode, **more), capture_output=True,
                              text=True, check=False, timeout=240)

    def test_without_a_profiler(self) -> None:
        run = self.profile("--rows", "sar(3,2,.75)", PATH="")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("linux-perf", run.stderr)
        run = self.profile("--rows", "sar(3,2,.75)", "--profiler", "valgrind", PATH="")
        self.assertEqual(run.returncode, 2)
        self.assertIn("valgrind is not installed", run.stderr)

    def test_bad_usage(self) -> None:
        for arguments in (("--rows", "nothing"), ("--config", "nobody"), ("--frequency", "0"),
                          ("--planner", "/nowhere")):
            run = self.profile(*arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertIn(arguments[1], run.stderr)

    def test_the_real_planner(self) -> None:
        for name, unit in (("perf", "CPU seconds"), ("valgrind", "billion instructions")):
            with self.subTest(name):
                if not works(name):
                    self.skipTest(f"{name} does not work here")
                run = self.profile("--rows", "sar(3,[23],.75)", "--profiler", name, "--markdown",
                                   "--functions", "3", "--planner", str(support.PLANNER))
                self.assertEqual((run.returncode, run.stderr.count("\n")), (0, 2), run.stderr)
                header, _, line = run.stdout.splitlines()[:3]
                cells = dict(zip(header.strip("| ").split(" | "), line.strip("| ").split(" | "),
                                 strict=True))
                self.assertEqual((cells["domain"], cells["runs"]), ("sar", "2"))
                self.assertIn(unit, cells)
                shares = [float(cells[p].rstrip("%")) for p in PHASES if cells[p] != "–"]
                self.assertAlmostEqual(sum(shares), 100, delta=1)
                self.assertIn("| ground |", run.stdout)

    def test_a_planner_that_fails(self) -> None:
        for name in filter(works, ("perf", "valgrind")):
            run = self.profile("--rows", "sar(3,2,.75)", "--profiler", name, mode="crash")
            self.assertEqual((run.returncode, run.stdout), (2, ""))
            self.assertIn("sar(3,2,.75)#1: exit status", run.stderr)


if __name__ == "__main__":
    unittest.main()
