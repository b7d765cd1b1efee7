"""Questions about small models, answered by linear programming over visited bits.

Nothing is shared with the planner. The product has what has become of each part in its states; occupation measures of
runs that end, somewhere in an end component in which they can stay for ever without the rewards that are counted in
total, satisfy flow equations; what is asked is linear in them (Etessami, Kwiatkowska, Vardi and Yannakakis, TACAS 2007;
Forejt, Kwiatkowska, Norman, Parker and Qu, TACAS 2011).
"""
from fractions import Fraction

import exact_lp

OPEN, WON, LOST = "open", "won", "lost"


class Part:
    """One part of a question. `path` is ("F", phi, k), ("G", phi, k), ("U", phi, phi, k) or ("C", k); a state formula is
    a pair of its text and a function of the labels of a state; k is None, or a pair of a reward, None for steps, and how
    much there may be of it."""

    def __init__(self, wanted, path, bound=None, reward=None):
        self.wanted, self.path, self.bound, self.reward = wanted, path, bound, reward

    @property
    def limit(self):
        return self.path[-1]

    def text(self):
        head = "P" if self.reward is None else f'R{{"{self.reward}"}}'
        head += self.wanted + ("=?" if self.bound is None else f"{float(self.bound)!r}")
        limit = ""
        if self.limit is not None:
            reward, most = self.limit
            limit = f"<={most}" if reward is None else f'{{"{reward}"}}<={most}'
        kind = self.path[0]
        if kind == "C":
            return f"{head} [C{limit}]"
        if kind == "U":
            return f"{head} [{self.path[1][0]} U{limit} {self.path[2][0]}]"
        return f"{head} [{kind}{limit} {self.path[1][0]}]"

    def judge(self, verdict, labels, used):
        """What has become of the formula in a state that is reached when so much has been used."""
        if verdict != OPEN or self.path[0] == "C":
            return verdict
        kind = self.path[0]
        if self.limit is not None and used[self.limit[0]] > self.limit[1]:
            return WON if kind == "G" else LOST
        holds = self.path[1][1](labels)
        if kind == "F":
            return WON if holds else OPEN
        if kind == "G":
            return OPEN if holds else LOST
        return WON if self.path[2][1](labels) else OPEN if holds else LOST

    def counts(self, verdict, used):
        if self.path[0] == "C":
            return self.limit is None or used[None] < self.limit[1]
        return verdict == OPEN


class Product:
    def __init__(self, model, parts):
        self.parts = parts
        most = {}
        for reward, limit in (p.limit for p in parts if p.limit is not None):
            most[reward] = max(most.get(reward, 0), limit + 1)
        labels = {}
        for label, states in model["labels"].items():
            for state in states:
                labels.setdefault(state, set()).add(label)
        goals = model.get("goals", [])
        actions = {}
        for action in model["actions"]:
            if action["state"] not in goals:  # which are left no more
                actions.setdefault(action["state"], []).append(action)
        initial = model["initial"]
        initial = initial if isinstance(initial, dict) else {initial: 1}
        occurring = {s for a in model["actions"] for s in [a["state"], *a["outcomes"]]} | set(goals)
        for state in occurring:
            holding = labels.setdefault(state, set())
            holding |= {"goal"} if state in goals else set()
            holding |= {"init"} if state in initial else set()
            holding |= {"deadlock"} if state not in actions else set()

        def arrive(state, verdicts, used):
            used = {reward: min(amount, most[reward]) for reward, amount in used.items()}
            verdicts = tuple(p.judge(v, labels.get(state, set()), used) for p, v in zip(parts, verdicts))
            return state, verdicts, tuple(used.items())

        def amount(action, reward):
            return 1 if reward is None else action["cost"][model["costs"].index(reward)]

        self.initial = {}
        for state, probability in initial.items():
            there = arrive(state, (OPEN,) * len(parts), dict.fromkeys(most, 0))
            self.initial[there] = self.initial.get(there, 0) + Fraction(str(probability))
        self.pairs = {}  # state -> list of (cost by part, outcomes)
        queue = list(self.initial)
        while queue:
            here = queue.pop()
            if here in self.pairs:
                continue
            state, verdicts, used = here[0], here[1], dict(here[2])
            self.pairs[here] = []
            for action in actions.get(state, []):
                outcomes = {}
                for successor, probability in action["outcomes"].items():
                    there = arrive(successor, verdicts, {r: u + amount(action, r) for r, u in used.items()})
                    outcomes[there] = outcomes.get(there, 0) + Fraction(str(probability))
                costs = [Fraction(action["cost"][model["costs"].index(p.reward)])
                         if p.reward is not None and p.counts(v, used) else Fraction(0)
                         for p, v in zip(parts, verdicts)]
                self.pairs[here].append((costs, outcomes))
                queue += outcomes

    def end_component_states(self):
        """Of those without rewards that are counted in total."""
        total = [i for i, p in enumerate(self.parts) if p.path == ("C", None)]
        allowed = {s: [o for c, o in pairs if not any(c[i] for i in total)] for s, pairs in self.pairs.items()}
        ends = {s for s, pairs in self.pairs.items() if not pairs}
        while True:
            component = self.components(allowed)
            changed = False
            for state in list(allowed):
                kept = [o for o in allowed[state]
                        if all(t in allowed and component[t] == component[state] for t in o)]
                changed |= len(kept) < len(allowed[state])
                allowed[state] = kept
                if not kept:
                    del allowed[state]
                    changed = True
            if not changed:
                return ends | set(allowed)

    @staticmethod
    def components(allowed):
        """Strongly connected components by reachability, for small graphs."""
        reach = {}
        for state in allowed:
            seen, stack = {state}, [state]
            while stack:
                for outcomes in allowed.get(stack.pop(), []):
                    for t in outcomes:
                        if t not in seen:
                            seen.add(t)
                            stack.append(t)
            reach[state] = seen
        return {s: min((t for t in reach[s] if s in reach.get(t, ())), key=repr) for s in allowed}

    def may_end(self, state):
        return all(v == WON for p, v in zip(self.parts, state[1]) if p.reward is not None and p.path[0] == "F")


class Answer:
    def __init__(self, model, parts):
        product = Product(model, parts)
        states = {s: i for i, s in enumerate(product.pairs)}
        self.parts = parts
        self.rows = [{} for _ in states]
        self.right = [Fraction(product.initial.get(s, 0)) for s in states]
        self.values = [{} for _ in parts]  # by column
        column = 0
        for s, i in states.items():
            for costs, outcomes in product.pairs[s]:
                self.rows[i][column] = self.rows[i].get(column, 0) + 1
                for t, probability in outcomes.items():
                    row = self.rows[states[t]]
                    row[column] = row.get(column, 0) - probability
                for value, cost in zip(self.values, costs):
                    if cost:
                        value[column] = cost
                column += 1
        for s in product.end_component_states():
            if not product.may_end(s):
                continue
            self.rows[states[s]][column] = 1
            for part, value, verdict in zip(parts, self.values, s[1]):
                if part.reward is None and (verdict == WON or (verdict == OPEN and part.path[0] == "G")):
                    value[column] = Fraction(1)
            column += 1
        self.columns = column

    def best(self, part, bounded=True, relax=Fraction(0)):
        """The best value of a part, under the bounds on the others; None if there is none."""
        if part is None:
            return self.least([0] * len(self.parts), bounded, relax)
        sign = -1 if part.wanted in ("max", ">=") else 1
        found = self.least([sign * (p is part) for p in self.parts], bounded, relax)
        return None if found is None else sign * found

    def least(self, weights, bounded=True, relax=Fraction(0)):
        """The least weighted sum of the values of all parts."""
        rows, right, column = list(self.rows), list(self.right), self.columns
        for other, value in zip(self.parts, self.values):
            if other.bound is None or not bounded:
                continue
            at_most = other.wanted == "<="
            rows.append({**value, column: 1 if at_most else -1})
            right.append(other.bound + (relax if at_most else -relax))
            column += 1
        cost = {}
        for weight, value in zip(weights, self.values):
            for j, v in value.items():
                cost[j] = cost.get(j, 0) + weight * v
        return exact_lp.solve({j: v for j, v in cost.items() if v}, rows, right)
