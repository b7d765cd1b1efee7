"""A second checker of certificates, straight from docs/certificates.md: explicit models only, no
floating point anywhere, nothing but the standard library. `carl check` is compared with it.

    checker.py MODEL.json CERTIFICATE.json

prints "proved", "up-to N" or "refuted: why".
"""

import json
import sys
from fractions import Fraction


class Refuted(Exception):
    pass


def require(condition, why):
    if not condition:
        raise Refuted(why)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=Fraction, parse_int=Fraction)


def name(state):
    """A state's name; the facts of a factored one as `carl convert` joins them."""
    if isinstance(state, list):
        return " ".join(sorted(state))
    return str(state)


class Model:
    def __init__(self, text):
        self.costs = text["costs"]
        self.bounds = text.get("bounds", {})
        self.goals = {name(goal) for goal in text["goals"]}
        self.pairs = {}  # state -> {action: (costs, {successor: probability})}
        for action in text["actions"]:
            outcomes = action["outcomes"]
            if isinstance(outcomes, dict):
                outcomes = [{"state": s, "probability": p} for s, p in outcomes.items()]
            distribution = {}
            for outcome in outcomes:
                if outcome["probability"] > 0:
                    to = name(outcome["state"])
                    distribution[to] = distribution.get(to, 0) + outcome["probability"]
            total = sum(distribution.values())
            distribution = {s: Fraction(p) / total for s, p in distribution.items()}
            self.pairs.setdefault(name(action["state"]), {})[action["name"]] = (
                action["cost"], distribution)
        self.initial = text["initial"]
        if isinstance(self.initial, dict):  # a distribution: drawn by an action that costs nothing
            total = sum(self.initial.values())
            drawn = {s: Fraction(p) / total for s, p in self.initial.items() if p > 0}
            self.initial = "(initial state: not drawn yet)"
            self.pairs[self.initial] = {"(draw the initial state)": ([0] * len(self.costs), drawn)}
        else:
            self.initial = name(self.initial)
        self.give_up = None
        if "give_up" in text:
            penalty = [text["give_up"].get(cost, 0) for cost in self.costs]
            self.give_up = (penalty, {None: Fraction(1)})  # None: the goal of giving up

    def is_goal(self, state):
        return state is None or state in self.goals

    def actions(self, state):
        actions = dict(self.pairs.get(state, {}))
        if self.give_up:
            actions["(give-up)"] = self.give_up
        return actions

    def forbidden(self, cost):
        return any(bound == 0 and cost[self.costs.index(c)] > 0
                   for c, bound in self.bounds.items())


def reachable(model, stops, with_forbidden):
    """All states that can be reached, with their pairs; `stops` are not expanded."""
    space, queue = {}, [model.initial]
    while queue:
        state = queue.pop()
        if state in space:
            continue
        space[state] = {}
        if model.is_goal(state) or state in stops:
            continue
        for action, (cost, outcomes) in model.actions(state).items():
            if with_forbidden or not model.forbidden(cost):
                space[state][action] = (cost, outcomes)
                queue.extend(outcomes)
    return space


def greatest_proper_set(space, targets):
    """W: every state has a way to a target along pairs whose outcomes all lie in W."""
    proper = set(space)
    while True:
        reaches = {s for s in space if s in targets}
        grown = True
        while grown:
            grown = False
            for state in proper - reaches:
                for _, outcomes in space[state].values():
                    if proper.issuperset(outcomes) and not reaches.isdisjoint(outcomes):
                        reaches.add(state)
                        grown = True
                        break
        if reaches == proper:
            return proper
        proper = reaches


def policy_costs(model, policy):
    """Exact expected costs, by elimination."""
    require(policy["costs"] == model.costs, "policy: costs")
    entries = {}
    for entry in policy["states"]:
        state, choices = name(entry["state"]), entry["actions"]
        require(state not in entries, "policy: a state is listed twice")
        entries[state] = choices
        require(all(c["probability"] >= 0 for c in choices), "policy: negative probability")
        total = sum(c["probability"] for c in choices)
        require(choices and abs(total - 1) <= Fraction(1, 10**9), "policy: sum")
        names = [c["name"] for c in choices]
        require(len(set(names)) == len(names), "policy: an action is listed twice")
    rows, order, queue = {}, [], [model.initial]
    while queue:
        state = queue.pop()
        if state in rows or model.is_goal(state):
            continue
        require(state in entries, "policy: not closed")
        actions = model.actions(state)
        require(all(c["name"] in actions for c in entries[state]), "policy: no such action")
        total = Fraction(sum(c["probability"] for c in entries[state]))
        step, cost = {}, [Fraction(0)] * len(model.costs)
        for choice in entries[state]:
            weight = choice["probability"] / total
            if weight == 0:
                continue
            action_cost, outcomes = actions[choice["name"]]
            for i, c in enumerate(action_cost):
                cost[i] += weight * c
            for to, p in outcomes.items():
                if not model.is_goal(to):
                    step[to] = step.get(to, 0) + weight * p
                    queue.append(to)
        rows[state] = (step, cost)
        order.append(state)
    if not order:
        return [Fraction(0)] * len(model.costs)
    for state in reversed(order[1:]):  # v(s) = cost + Σ step·v, solved for s, put into the others
        step, cost = rows.pop(state)
        leave = 1 - step.pop(state, 0)
        require(leave > 0, "policy: not proper")
        for other, (other_step, other_cost) in rows.items():
            share = other_step.pop(state, 0) / leave
            if share:
                for i, c in enumerate(cost):
                    other_cost[i] += share * c
                for to, p in step.items():
                    other_step[to] = other_step.get(to, 0) + share * p
    step, cost = rows[order[0]]
    leave = 1 - step.pop(order[0], 0)
    require(leave > 0 and not step, "policy: not proper")
    return [c / leave for c in cost]


def by_bound(model, numbers):
    for cost, number in numbers.items():
        require(cost in model.bounds, f"'{cost}' has no bound")
        require(number >= 0, f"the number of '{cost}' is negative")
    return {cost: numbers.get(cost, Fraction(0)) for cost in model.bounds}


def lower_bound(model, certificate, weights, unexpanded):
    """θ·V(s0), once every inequality has been verified; and how many states it rests on."""
    theta = certificate.get("theta", 1)
    require(0 <= theta <= 1, "theta")
    values = {name(v["state"]): v["value"] for v in certificate.get("values", [])}
    space = reachable(model, unexpanded, False)
    targets = {s for s in space
               if model.is_goal(s) or (s in unexpanded and unexpanded[s] is not None)}
    proper = greatest_proper_set(space, targets)
    require(model.initial in proper, "the initial state is not in W")

    def value(state):
        if model.is_goal(state):
            return 0
        return unexpanded[state] if state in unexpanded else values[state]

    queue, seen, trusted = [model.initial], set(), 0
    while queue:
        state = queue.pop()
        if state in seen or model.is_goal(state):
            continue
        seen.add(state)
        if state in unexpanded:
            trusted += unexpanded[state] > 0
            continue
        require(state in values, f"no value: {state}")
        for _, outcomes in space[state].values():
            if proper.issuperset(outcomes):
                queue.extend(outcomes)
    for state in seen:
        for action, (cost, outcomes) in space[state].items():
            if proper.issuperset(outcomes):
                right = sum(weights[i] * c for i, c in enumerate(cost))
                right += theta * sum(p * value(s) for s, p in outcomes.items())
                require(theta * value(state) <= right, f"{state}: {action}")
    trusted += sum(1 for s in space if s in unexpanded and unexpanded[s] is None)
    return theta * value(model.initial), trusted


def check_hopeless(model, unexpanded, with_forbidden):
    space = reachable(model, unexpanded, with_forbidden)
    targets = {s for s in space
               if model.is_goal(s) or (s in unexpanded and unexpanded[s] is not None)}
    require(model.initial not in greatest_proper_set(space, targets), "a proper policy is left")
    return sum(1 for s in space if s in unexpanded and unexpanded[s] is None)


def check(model, certificate):
    """How many unexpanded states the proof rests on. Raises Refuted."""
    require(certificate["costs"] == model.costs, "costs")
    require(certificate.get("bounds", {}) == model.bounds, "bounds")
    listed = [name(v["state"])
              for key in ("values", "unexpanded") for v in certificate.get(key, [])]
    require(len(set(listed)) == len(listed), "a state is listed twice")
    unexpanded = {name(v["state"]): v["value"] for v in certificate.get("unexpanded", [])}
    kind = certificate["kind"]
    if kind == "no-proper-policy":
        return check_hopeless(model, unexpanded, True)
    if kind == "infeasible-zero-bounds":
        require(0 in model.bounds.values(), "no bound is zero")
        trusted = check_hopeless(model, unexpanded, False)
        space = reachable(model, {}, True)
        proper = greatest_proper_set(space, {s for s in space if model.is_goal(s)})
        require(model.initial in proper, "no proper policy at all")
        return trusted
    if kind == "infeasible":
        ray = by_bound(model, certificate.get("ray", {}))
        weights = [ray.get(cost, 0) for cost in model.costs]
        least, trusted = lower_bound(model, certificate, weights, unexpanded)
        require(least > sum(r * model.bounds[cost] for cost, r in ray.items()), "not above")
        return trusted
    require(kind == "optimal", "kind")
    multipliers = by_bound(model, certificate.get("multipliers", {}))
    excess = by_bound(model, certificate.get("excess", {}))
    for cost, bound in model.bounds.items():
        require(bound > 0 or excess[cost] == 0, "a bound of zero is exceeded")
    weights = [multipliers.get(cost, Fraction(0)) for cost in model.costs]
    weights[0] += 1
    least, trusted = lower_bound(model, certificate, weights, unexpanded)
    bound = least - sum(m * (model.bounds[c] + excess[c]) for c, m in multipliers.items())
    bound = max(Fraction(0), bound)  # no cost is negative
    require(certificate.get("lower_bound", bound) <= bound, "lower bound")
    if "policy" in certificate:
        costs = policy_costs(model, certificate["policy"])
        require(costs[0] <= certificate.get("objective", costs[0]), "objective")
        for cost, upper in model.bounds.items():
            require(costs[model.costs.index(cost)] <= upper + excess[cost], f"bound on {cost}")
    return trusted


def verdict(model, certificate):
    try:
        trusted = check(model, certificate)
    except Refuted as refuted:
        return f"refuted: {refuted}"
    return f"up-to {trusted}" if trusted else "proved"


if __name__ == "__main__":
    print(verdict(Model(load(sys.argv[1])), load(sys.argv[2])))
