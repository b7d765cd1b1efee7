"""An interpreter of PPDDL that shares nothing with the planner, not even the reading of the text.

It follows the meaning of the language word by word: a state is a set of facts, parameters are tried out object by
object, conditions and effects are evaluated where they stand. `optimum()` explores all states that can be reached
and finds the least expected cost by value iteration.
"""
import itertools
import re

Fact = tuple


def parse(text: str) -> list:
    """All forms of a text, as nested lists of words in lower case."""
    stack = [[]]
    for word in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text).lower()):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        elif re.fullmatch(r"-[a-z_].*", word):
            stack[-1] += ["-", word[1:]]
        else:
            stack[-1].append(word)
    assert len(stack) == 1, "parentheses do not match"
    return stack[0]


def number(word) -> float:
    if "/" in word:
        numerator, denominator = word.split("/")
        return float(numerator) / float(denominator)
    return float(word)


def is_number(word) -> bool:
    return isinstance(word, str) and re.fullmatch(r"[-+]?[0-9./e+-]+", word) is not None and word not in "+-/"


def typed(words: list) -> list[tuple]:
    """[(name, types)] of a list such as "a b - block c"."""
    result, names, words = [], [], list(words)
    while words:
        word = words.pop(0)
        if word != "-":
            names.append(word)
            continue
        kind = words.pop(0)
        result += [(name, kind[1:] if isinstance(kind, list) else [kind]) for name in names]
        names = []
    return result + [(name, ["object"]) for name in names]


def signature(form) -> tuple:
    """The predicate or function of a form, which may lack its parentheses, and its arguments."""
    return (form, []) if isinstance(form, str) else (form[0], form[1:])


class Problem:
    def __init__(self, texts: list[str], name: str = ""):
        forms = [form for text in texts for form in parse(text)]
        domain = next(form for form in forms if form[1][0] == "domain")
        problem = next(form for form in forms if form[1][0] == "problem" and name in ("", form[1][1]))
        self.sections = {form[0]: form[1:] for form in problem[2:]}
        self.types = dict(typed(self.part(domain, ":types")))
        objects = typed(self.part(domain, ":constants")) + typed(self.sections.get(":objects", []))
        self.objects = {thing: kinds for thing, kinds in objects}
        self.actions = [self.action(form) for form in domain[2:] if form[0] == ":action"]
        changing = set()
        for _, _, _, effect in self.actions:
            self.collect_changes(effect, changing)
        self.values, self.draws, facts = {}, [], set()
        self.read_init(self.sections.get(":init", []), facts)
        for draw in self.draws:
            self.collect_changes(draw, changing)
        self.static = frozenset(fact for fact in facts if fact[0] not in changing)
        self.start = frozenset(fact for fact in facts if fact[0] in changing)
        self.changing = changing
        self.goal = self.sections[":goal"][0]
        self.metric = self.read_metric()
        self.ground_actions = list(self.instantiate())

    @staticmethod
    def part(definition, keyword) -> list:
        return next((form[1:] for form in definition[2:] if form[0] == keyword), [])

    @staticmethod
    def action(form) -> tuple:
        parts = dict(zip(form[2::2], form[3::2]))
        return form[1], typed(parts.get(":parameters", [])), parts.get(":precondition", []), parts.get(":effect", [])

    def read_init(self, elements, facts) -> None:
        for element in elements:
            head, arguments = signature(element)
            if head == "and":
                self.read_init(arguments, facts)
            elif head == "=":
                function, objects = signature(arguments[0])
                self.values[(function, *objects)] = number(arguments[1])
            elif head == "probabilistic":
                self.draws.append(element)
            elif head != "not":
                facts.add((head, *arguments))

    def read_metric(self):
        """What one unit of each function costs; nothing if steps are counted."""
        metric = self.sections.get(":metric")
        if not metric:
            return None
        weights = {}
        self.add_weights(metric[1], 1.0, weights)
        return None if list(weights) == ["steps"] else weights

    def add_weights(self, form, weight, weights) -> None:
        head, arguments = signature(form)
        if head == "+":
            for argument in arguments:
                self.add_weights(argument, weight, weights)
        elif head == "*":
            self.add_weights(arguments[1], weight * number(arguments[0]), weights)
        else:
            assert not arguments, "costs with parameters are not supported here"
            weights[head] = weights.get(head, 0) + weight

    def collect_changes(self, effect, changing) -> None:
        head, arguments = signature(effect) if effect else ("and", [])
        if head in ("and", "probabilistic"):
            for argument in arguments if head == "and" else arguments[1::2]:
                self.collect_changes(argument, changing)
        elif head in ("when", "forall"):
            self.collect_changes(arguments[1], changing)
        elif head == "not":
            self.collect_changes(arguments[0], changing)
        elif head not in ("increase", "decrease"):
            changing.add(head)

    def has_type(self, kinds, wanted) -> bool:
        seen, open_kinds = set(), list(kinds)
        while open_kinds:
            kind = open_kinds.pop()
            if kind in wanted or "object" in wanted:
                return True
            if kind not in seen:
                seen.add(kind)
                open_kinds += self.types.get(kind, [])
        return False

    def objects_of(self, wanted) -> list[str]:
        return [thing for thing, kinds in self.objects.items() if self.has_type(kinds, wanted)]

    def bindings(self, variables, outer=None):
        names = [name for name, _ in variables]
        for objects in itertools.product(*(self.objects_of(kinds) for _, kinds in variables)):
            yield {**(outer or {}), **dict(zip(names, objects))}

    def instantiate(self):
        """Ground actions whose static preconditions hold."""
        for name, parameters, precondition, effect in self.actions:
            for binding in self.bindings(parameters):
                if self.possible(precondition, binding):
                    yield (name, *(binding[p] for p, _ in parameters)), precondition, effect, binding

    def possible(self, condition, binding) -> bool:
        """False if a static fact that the conjunction needs is missing."""
        head, arguments = signature(condition) if condition else ("and", [])
        if head == "and":
            return all(self.possible(part, binding) for part in arguments)
        if head in ("or", "not", "imply", "exists", "forall") or head in self.changing:
            return True
        return self.holds(condition, frozenset(), binding)

    def value(self, form, binding) -> float:
        if is_number(form):
            return number(form)
        head, arguments = signature(form)
        if head in ("+", "-", "*", "/"):
            numbers = [self.value(argument, binding) for argument in arguments]
            result = numbers[0]
            for other in numbers[1:]:
                result = {"+": result + other, "-": result - other, "*": result * other}.get(head) \
                    if head != "/" else result / other
            return result if len(numbers) > 1 or head != "-" else -result
        return self.values[(head, *(binding.get(a, a) for a in arguments))]

    def fact(self, form, binding) -> Fact:
        head, arguments = signature(form)
        return (head, *(binding.get(argument, argument) for argument in arguments))

    def holds(self, condition, state, binding) -> bool:
        if not condition:
            return True
        head, arguments = signature(condition)
        if head == "and":
            return all(self.holds(part, state, binding) for part in arguments)
        if head == "or":
            return any(self.holds(part, state, binding) for part in arguments)
        if head == "not":
            return not self.holds(arguments[0], state, binding)
        if head == "imply":
            return not self.holds(arguments[0], state, binding) or self.holds(arguments[1], state, binding)
        if head in ("exists", "forall"):
            some_or_all = any if head == "exists" else all
            return some_or_all(self.holds(arguments[1], state, inner)
                               for inner in self.bindings(typed(arguments[0]), binding))
        if head == "=" and all(isinstance(a, str) and not is_number(a) for a in arguments):
            return binding.get(arguments[0], arguments[0]) == binding.get(arguments[1], arguments[1])
        if head in ("<", "<=", "=", ">=", ">"):
            left, right = (self.value(argument, binding) for argument in arguments)
            return {"<": left < right, "<=": left <= right, "=": left == right,
                    ">=": left >= right, ">": left > right}[head]
        fact = self.fact(condition, binding)
        return fact in state or fact in self.static

    def outcomes(self, effect, state, binding) -> list[tuple]:
        """All ways in which chance can turn out: probability, what becomes true, what false, cost."""
        nothing = (1.0, frozenset(), frozenset(), 0.0)
        if not effect:
            return [nothing]
        head, arguments = signature(effect)
        if head == "and":
            return self.joint([self.outcomes(part, state, binding) for part in arguments])
        if head == "when":
            return self.outcomes(arguments[1], state, binding) if self.holds(arguments[0], state, binding) \
                else [nothing]
        if head == "forall":
            return self.joint([self.outcomes(arguments[1], state, inner)
                               for inner in self.bindings(typed(arguments[0]), binding)])
        if head == "probabilistic":
            result, rest = [], 1.0
            for written, part in zip(arguments[::2], arguments[1::2]):
                chance = self.value(written, binding)
                assert chance >= 0 and rest - chance > -1e-12, f"{effect}: no probabilities"
                rest -= chance
                result += [(chance * p, adds, deletes, cost)
                           for p, adds, deletes, cost in self.outcomes(part, state, binding) if chance > 0]
            return result + ([(rest, frozenset(), frozenset(), 0.0)] if rest > 1e-12 else [])
        if head in ("increase", "decrease"):
            function, _ = signature(arguments[0])
            weight = (self.metric or {}).get(function, 0.0)
            return [(1.0, frozenset(), frozenset(), weight * self.value(arguments[1], binding))]
        if head == "not":
            return [(1.0, frozenset(), frozenset([self.fact(arguments[0], binding)]), 0.0)]
        return [(1.0, frozenset([self.fact(effect, binding)]), frozenset(), 0.0)]

    @staticmethod
    def joint(parts) -> list[tuple]:
        result = [(1.0, frozenset(), frozenset(), 0.0)]
        for part in parts:
            result = [(p * q, adds | more, deletes | fewer, cost + extra)
                      for p, adds, deletes, cost in result for q, more, fewer, extra in part]
        return result

    def apply(self, effect, state, binding) -> tuple[float, dict]:
        """The expected cost, without that of a step, and the distribution of what comes next."""
        total, successors = 0.0, {}
        for probability, adds, deletes, cost in self.outcomes(effect, state, binding):
            total += probability * cost
            after = (state - deletes) | adds
            successors[after] = successors.get(after, 0.0) + probability
        return total, successors

    def initial_states(self) -> dict:
        return self.apply(["and", *self.draws], self.start, {})[1]

    def explore(self, most: int) -> dict:
        """Of every state that can be reached [(action, cost, successors)]; nothing of goals."""
        graph, open_states = {}, list(self.initial_states())
        while open_states:
            state = open_states.pop()
            if state in graph:
                continue
            assert len(graph) < most, f"more than {most} states"
            graph[state] = []
            if self.holds(self.goal, state, {}):
                graph[state] = None
                continue
            for name, precondition, effect, binding in self.ground_actions:
                if not self.holds(precondition, state, binding):
                    continue
                cost, successors = self.apply(effect, state, binding)
                graph[state].append((name, cost if self.metric else 1.0, successors))
                open_states += [s for s in successors if s not in graph]
        return graph


def optimum(problem: Problem, give_up: float = float("inf"), most: int = 20_000) -> float:
    """The least expected cost; with a finite penalty a run may be given up anywhere."""
    graph = problem.explore(most)
    number_of = {state: i for i, state in enumerate(graph)}
    rows = [[(cost, [(number_of[s], p) for s, p in successors.items()]) for _, cost, successors in choices or []]
            for choices in graph.values()]
    is_goal = [choices is None for choices in graph.values()]
    values = [0.0] * len(rows)
    order = list(range(len(rows)))
    for _ in range(200_000):
        change = 0.0
        order.reverse()
        for state in order:
            if is_goal[state]:
                continue
            best = give_up
            for cost, successors in rows[state]:
                best = min(best, cost + sum(p * values[s] for s, p in successors))
            if best != values[state]:
                change = max(change, abs(best - values[state]))
                values[state] = best
        if change < 1e-12 * max(1.0, max(v for v in values if v < float("inf"))):
            break
    else:
        raise AssertionError("value iteration does not come to an end")
    return sum(p * values[number_of[state]] for state, p in problem.initial_states().items())
