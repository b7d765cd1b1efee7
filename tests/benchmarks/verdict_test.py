"""Wrong answers are found, right ones are left alone."""
from __future__ import annotations

import unittest
from typing import Any

from support import HarnessTest

from harness import verdict
from harness.instances import instance_named
from harness.oracles import ORACLES


def answer(instance: str, objective: float | None, lower_bound: float | None = None,
           status: str = "optimal", configuration: str = "carl", **more: Any) -> dict[str, Any]:
    if lower_bound is None and status == "optimal":
        lower_bound = objective
    return {"configuration": configuration, "instance": instance, "status": status,
            "problem": instance_named(instance).problem, "objective": objective,
            "lower_bound": lower_bound, **more}


FREE = "sar(5,4,.75)#1"  # no optimum of it is known
KNOWN = "sar(3,2,.75)#1"  # 6.75


class VerdictTest(HarnessTest):
    def assert_wrong(self, pattern: str, *records: dict[str, Any]) -> None:
        wrong = verdict.check(records)
        self.assertEqual(len(wrong), 1, wrong)
        self.assertRegex(wrong[0], pattern)

    def assert_right(self, *records: dict[str, Any]) -> None:
        self.assertEqual(verdict.check(records), [])

    def test_agreement_within_the_certified_gaps(self) -> None:
        self.assert_right(answer(FREE, 10.0), answer(FREE, 10.0009, 9.9999, configuration="lp"))
        self.assert_right(answer(FREE, 1e6), answer(FREE, 1e6 + 99, 1e6 - 0.5, configuration="lp"))

    def test_a_bound_above_the_cost_of_another(self) -> None:
        self.assert_wrong("lp on .* lower bound of 10.01, but carl .* policy of cost 10",
                          answer(FREE, 10.0), answer(FREE, 10.01, configuration="lp"))

    def test_partial_answers_count_too(self) -> None:
        self.assert_right(answer(FREE, 10.0), answer(FREE, 12.0, 8.0, "limit", "lp"))
        self.assert_right(answer(FREE, 10.0), answer(FREE, None, None, "limit", "lp"))
        self.assert_wrong("lower bound of 11", answer(FREE, 10.0),
                          answer(FREE, 12.0, 11.0, "limit", "lp"))
        self.assert_wrong("lower bound of 10, but lp", answer(FREE, 10.0),
                          answer(FREE, 9.0, 8.0, "limit", "lp"))

    def test_infeasible_for_one_and_solved_by_another(self) -> None:
        self.assert_wrong("lp on .* says infeasible; carl on .* says optimal", answer(FREE, 10.0),
                          answer(FREE, None, None, "infeasible", "lp"))
        self.assert_right(answer(FREE, None, None, "infeasible"),
                          answer(FREE, None, None, "infeasible", "lp"))

    def test_seeds_that_only_shuffle_actions_share_their_optimum(self) -> None:
        self.assert_wrong("exbw", answer("exbw(4,6,.16)#1", 150.0), answer("exbw(4,6,.16)#2", 149))
        self.assert_right(answer("sar(5,4,.75)#1", 10.0), answer("sar(5,4,.75)#2", 9.0))

    def test_an_optimum_far_from_its_own_bound(self) -> None:
        self.assert_wrong("too far above its own", answer(FREE, 10.0, 9.99))
        self.assert_wrong("its lower bound 10.1 is above its cost", answer(FREE, 10.0, 10.1))
        self.assert_wrong("without a cost", answer(FREE, None))

    def test_a_policy_that_breaks_a_bound(self) -> None:
        kept = {"cost": "fuel", "bound": 13, "value": 13.000001}
        broken = {"cost": "fuel", "bound": 13, "value": 13.01}
        self.assert_right(answer(FREE, 10.0, constraints=[kept]))
        self.assert_wrong("fuel is 13.01, above its bound 13",
                          answer(FREE, 10.0, constraints=[broken]))

    def test_known_optima(self) -> None:
        self.assert_right(answer(KNOWN, 6.75))
        self.assert_right(answer(KNOWN, 7.5, 6.0, "limit"))
        self.assert_wrong("is below the known optimum", answer(KNOWN, 6.7))
        self.assertTrue(verdict.check([answer(KNOWN, 6.76)]))
        self.assert_wrong("lower bound 6.8 is above", answer(KNOWN, 7.0, 6.8, "limit"))
        self.assert_wrong("says infeasible", answer(KNOWN, None, None, "infeasible"))

    def test_known_upper_bounds(self) -> None:
        self.assert_right(answer("exbw(6,8,.3)#1", 52.6))
        self.assertTrue(verdict.check([answer("exbw(6,8,.3)#1", 93)]))

    def test_failed_runs_are_not_answers(self) -> None:
        failed = {"configuration": "i-dual", "instance": FREE, "problem": FREE,
                  "status": "unsupported"}
        self.assert_right(answer(FREE, 10.0), failed)

    def test_known_optima_are_of_known_rows(self) -> None:
        for problem in ORACLES:
            name = problem if "#" in problem else problem + "#1"
            self.assertEqual(instance_named(name).problem, problem)


if __name__ == "__main__":
    unittest.main()
