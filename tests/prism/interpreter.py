"""PRISM's language for MDPs and DTMCs, as slowly and plainly as possible.

It shares nothing with the planner: a parser that follows the grammar from the manual, and an
interpreter that evaluates trees over dictionaries. The planner is compared with it state by state.
"""

import itertools
import math
import re

KEYWORDS = set(
    """A bool clock const csg ctmc C double dtmc E endinit endinvariant endmodule endobservables
    endplayer endrewards endsystem false formula filter func F global G init invariant I int label
    max mdp min module X nondeterministic observable observables of Pmax Pmin P player pomdp popta
    prob probabilistic pta rate rewards Rmax Rmin R S smg stochastic system true tsg U W""".split()
)
TOKEN = re.compile(
    r"""\s+|//[^\n]*
    |(?P<real>\d+\.(?!\.)\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)
    |(?P<int>\d+)|(?P<word>[A-Za-z_]\w*)|(?P<string>"[^"\n]*")
    |(?P<symbol><=>|<=|=>|->|\.\.|!=|>=|[-<>=!&|+*/()\[\]{},;:?'])""",
    re.X,
)
TOLERANCE = 1e-5


class Error(Exception):
    """The program is wrong, or goes wrong in a state that can be reached."""


class NoValue(Error):
    """An operation has no value. Whether it is needed depends on what is looked at first."""


# Tokens ----------------------------------------------------------------------------------------


class Tokens:
    def __init__(self, text):
        self.items = []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise Error(f"no token: {text[at:at + 10]!r}")
            if match.lastgroup:
                self.items.append((match.lastgroup, match.group()))
            at = match.end()
        self.items.append(("end", ""))
        self.at = 0

    def peek(self, ahead=0):
        return self.items[min(self.at + ahead, len(self.items) - 1)][1]

    def kind(self, ahead=0):
        return self.items[min(self.at + ahead, len(self.items) - 1)][0]

    def take(self):
        self.at += 1
        return self.items[self.at - 1][1]

    def accept(self, text):
        if self.peek() == text and self.kind() in ("symbol", "word"):
            self.at += 1
            return True
        return False

    def expect(self, text):
        if not self.accept(text):
            raise Error(f"expected {text!r}, found {self.peek()!r}")

    def name(self):
        if self.kind() != "word" or self.peek() in KEYWORDS:
            raise Error(f"expected a name, found {self.peek()!r}")
        return self.take()


# Expressions: nested tuples, the operator first --------------------------------------------------


def expression(t):
    condition = implies(t)
    if not t.accept("?"):
        return condition
    yes = expression(t)
    t.expect(":")
    return ("?", condition, yes, expression(t))


def left_to_right(operators, operand):
    def parse(t):
        result = operand(t)
        while t.peek() in operators and t.kind() == "symbol":
            operator = t.take()
            result = (operator, result, operand(t))
        return result

    return parse


def basic(t):
    kind, text = t.items[t.at]
    if kind == "int":
        return ("literal", int(t.take()))
    if kind == "real":
        return ("literal", float(t.take()))
    if kind == "string":
        return ("label", t.take()[1:-1])
    if t.accept("true"):
        return ("literal", True)
    if t.accept("false"):
        return ("literal", False)
    if t.accept("("):
        inner = expression(t)
        t.expect(")")
        return inner
    if t.accept("func"):
        t.expect("(")
        name = t.take()
        t.expect(",")
        return ("call", name, *arguments(t))
    if text in ("min", "max") or (t.peek(1) == "(" and kind == "word"):
        name = t.take()
        t.expect("(")
        return ("call", name, *arguments(t))
    return ("name", t.name())


def arguments(t):
    result = [expression(t)]
    while t.accept(","):
        result.append(expression(t))
    t.expect(")")
    return result


def minus(t):
    return ("neg", minus(t)) if t.accept("-") else basic(t)


def negation(t):
    return ("!", negation(t)) if t.accept("!") else equality(t)


products = left_to_right(("*", "/"), minus)
sums = left_to_right(("+", "-"), products)
comparison = left_to_right(("<", "<=", ">", ">="), sums)
equality = left_to_right(("=", "!="), comparison)
conjunction = left_to_right(("&",), negation)
disjunction = left_to_right(("|",), conjunction)
iff = left_to_right(("<=>",), disjunction)
implies = left_to_right(("=>",), iff)


def is_bool(value):
    return isinstance(value, bool)


def is_int(value):
    return isinstance(value, int) and not is_bool(value)


def evaluate(tree, names, labels=None):
    """The value of an expression; `names` maps names to values."""
    operator = tree[0]
    if operator == "literal":
        return tree[1]
    if operator == "name":
        return names[tree[1]]
    if operator == "label":
        return labels[tree[1]]
    if operator == "?":
        # Both branches have a type, and if one is real the result is.
        chosen = evaluate(tree[2 if evaluate(tree[1], names, labels) else 3], names, labels)
        return chosen
    if operator == "&":
        return evaluate(tree[1], names, labels) and evaluate(tree[2], names, labels)
    if operator == "|":
        return evaluate(tree[1], names, labels) or evaluate(tree[2], names, labels)
    if operator == "=>":
        return not evaluate(tree[1], names, labels) or evaluate(tree[2], names, labels)
    if operator == "call":
        return call(tree[1], [evaluate(a, names, labels) for a in tree[2:]])
    values = [evaluate(a, names, labels) for a in tree[1:]]
    if operator == "!":
        return not values[0]
    if operator == "neg":
        return -values[0]
    a, b = values
    if operator == "/":
        if b == 0:
            return math.nan if a == 0 or a != a else math.copysign(math.inf, a) * math.copysign(1, b)
        return a / b
    return {
        "<=>": lambda: a == b,
        "=": lambda: a == b,
        "!=": lambda: a != b,
        "<": lambda: a < b,
        "<=": lambda: a <= b,
        ">": lambda: a > b,
        ">=": lambda: a >= b,
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
    }[operator]()


def call(name, values):
    if name == "min":
        return min(float(v) for v in values) if any(isinstance(v, float) for v in values) else min(values)
    if name == "max":
        return max(float(v) for v in values) if any(isinstance(v, float) for v in values) else max(values)
    if name in ("floor", "ceil", "round"):
        value = values[0]
        if isinstance(value, float) and (math.isnan(value) or math.isinf(value)):
            raise NoValue("no integer")
        below = math.floor(value)
        if name == "round":
            return below + 1 if value - below >= 0.5 else below
        return below if name == "floor" else math.ceil(value)
    a, b = values
    if name == "pow":
        if is_int(a) and is_int(b):
            if b < 0:
                raise NoValue("negative power")
            return a**b
        try:
            return math.pow(a, b)
        except (ValueError, OverflowError):
            return math.nan
    if name == "mod":
        if b <= 0:
            raise NoValue("mod")
        return a % b
    if name == "log":
        if a <= 0 or b <= 0 or b == 1:
            return math.nan if a < 0 or b <= 0 else -math.inf
        return math.log(a) / math.log(b)
    raise Error(f"no function {name}")


def replaced(tree, formulas, renaming):
    """Formulas written out, and then names replaced."""
    if tree[0] == "name":
        if tree[1] in formulas:
            return replaced(formulas[tree[1]], formulas, renaming)
        new = renaming.get(tree[1], tree[1])
        return replaced(("name", new), formulas, {}) if renaming and new in formulas else ("name", new)
    if tree[0] == "call":
        return ("call", renaming.get(tree[1], tree[1]), *[replaced(a, formulas, renaming) for a in tree[2:]])
    if tree[0] in ("literal", "label"):
        return tree
    return (tree[0], *[replaced(a, formulas, renaming) for a in tree[1:]])


# Models ------------------------------------------------------------------------------------------


class Model:
    """Parsed from a text; transitions(state) says what can be done."""

    def __init__(self, text, constants=None):
        self.kind = "mdp"
        self.constant_trees = {}
        self.formulas = {}
        self.label_trees = {}
        self.globals = []
        self.modules = {}  # name: (variables, commands)
        self.rewards = []
        self.init = None
        self.system = None
        given = constants or {}
        t = Tokens(text)
        while t.kind() != "end":
            self.part(t)
        self.constants = {}
        for name in self.constant_trees:
            self.constants[name] = self.constant(name, given)
        self.variables = []  # (name, low, high, initial)
        self.build()

    # Parsing

    def part(self, t):
        word = t.take()
        if word in ("mdp", "nondeterministic"):
            self.kind = "mdp"
        elif word in ("dtmc", "probabilistic"):
            self.kind = "dtmc"
        elif word in ("const", "rate", "prob"):
            kind = "int" if word == "const" else "double"
            if t.peek() in ("int", "double", "bool"):
                kind = t.take()
            name = t.name()
            tree = expression(t) if t.accept("=") else None
            t.expect(";")
            self.constant_trees[name] = (kind, tree)
        elif word == "formula":
            name = t.name()
            t.expect("=")
            self.formulas[name] = expression(t)
            t.expect(";")
        elif word == "label":
            name = t.take()[1:-1]
            t.expect("=")
            self.label_trees[name] = expression(t)
            t.expect(";")
        elif word == "global":
            self.globals.append(self.variable(t))
        elif word == "module":
            self.module(t)
        elif word == "rewards":
            self.reward_structure(t)
        elif word == "init":
            self.init = expression(t)
            t.expect("endinit")
        elif word == "system":
            self.system = self.full(t)
            t.expect("endsystem")
        else:
            raise Error(f"no part: {word!r}")

    @staticmethod
    def variable(t):
        name = t.name()
        t.expect(":")
        low = high = None
        if t.accept("bool"):
            kind = "bool"
        else:
            kind = "range"
            t.expect("[")
            low = expression(t)
            t.expect("..")
            high = expression(t)
            t.expect("]")
        initial = expression(t) if t.accept("init") else None
        t.expect(";")
        return (name, kind, low, high, initial)

    def module(self, t):
        name = t.name()
        if t.accept("="):
            base = t.name()
            renaming = {}
            t.expect("[")
            while True:
                old = t.take()
                t.expect("=")
                renaming[old] = t.take()
                if not t.accept(","):
                    break
            t.expect("]")
            t.expect("endmodule")
            self.modules[name] = ("renamed", base, renaming)
            return
        variables = []
        while t.kind() == "word" and t.peek() not in KEYWORDS:
            variables.append(self.variable(t))
        commands = []
        while t.accept("["):
            action = None if t.peek() == "]" else t.name()
            t.expect("]")
            guard = expression(t)
            t.expect("->")
            updates = [self.update(t)]
            while t.accept("+"):
                updates.append(self.update(t))
            t.expect(";")
            commands.append((action, guard, updates))
        t.expect("endmodule")
        self.modules[name] = ("plain", variables, commands)

    @staticmethod
    def update(t):
        probability = ("literal", 1)
        is_assignment = t.peek() == "(" and t.kind(1) == "word" and t.peek(2) == "'"
        if not is_assignment and not (t.peek() == "true" and t.peek(1) != ":"):
            probability = expression(t)
            t.expect(":")
        assignments = []
        if t.accept("true"):
            return (probability, assignments)
        while True:
            t.expect("(")
            name = t.name()
            t.expect("'")
            t.expect("=")
            assignments.append((name, expression(t)))
            t.expect(")")
            if not t.accept("&"):
                return (probability, assignments)

    def reward_structure(self, t):
        name = t.take()[1:-1] if t.kind() == "string" else "reward"
        items = []
        while not t.accept("endrewards"):
            action = None  # of states
            if t.accept("["):
                action = "" if t.peek() == "]" else t.name()
                t.expect("]")
            guard = expression(t)
            t.expect(":")
            items.append((action, guard, expression(t)))
            t.expect(";")
        self.rewards.append((name, items))

    def full(self, t):
        return self.bars(t, 2, lambda: self.bars(t, 3, lambda: self.shared(t)))

    @staticmethod
    def bars(t, number, operand):
        def count():
            n = 0
            while t.peek(n) == "|":
                n += 1
            return n

        result = operand()
        while count() == number:
            for _ in range(number):
                t.take()
            result = ("|" * number, result, operand())
        return result

    def shared(self, t):
        result = self.changed(t)
        while t.peek() == "|" and t.peek(1) == "[":
            t.take()
            t.take()
            actions = self.names(t, "]")
            t.expect("|")
            result = ("|[]|", result, self.changed(t), actions)
        return result

    @staticmethod
    def names(t, close):
        names = [t.name()]
        while t.accept(","):
            names.append(t.name())
        t.expect(close)
        return names

    def changed(self, t):
        if t.accept("("):
            result = self.full(t)
            t.expect(")")
        else:
            result = ("module", t.name())
        while t.peek() in ("/", "{"):
            if t.take() == "/":
                t.expect("{")
                result = ("hide", result, self.names(t, "}"))
                continue
            renaming = {}
            while True:
                old = t.name()
                t.expect("<")
                t.expect("-")
                renaming[old] = t.name()
                if not t.accept(","):
                    break
            t.expect("}")
            result = ("rename", result, renaming)
        return result

    # Meaning

    def constant(self, name, given):
        if name in self.constants:
            return self.constants[name]
        kind, tree = self.constant_trees[name]
        if tree is None:
            if name not in given:
                raise Error(f"no value: {name}")
            value = given[name]
        else:
            needed = {}
            for other in names_in(tree):
                needed[other] = self.constant(other, given)
            value = evaluate(tree, needed)
        self.constants[name] = float(value) if kind == "double" else value
        return self.constants[name]

    def build(self):
        for variable in self.globals:
            self.declare(variable, {})
        self.processes = {}
        self.commands = []  # (module, number, action, guard, updates)
        resolved = {}
        for name, module in self.modules.items():
            renaming = {}
            while module[0] == "renamed":
                _, base, own = module
                # What the base calls a name is what we rename further.
                renaming = compose(own, renaming)
                module = self.modules[base]
            _, variables, commands = module
            for variable in variables:
                self.declare(variable, renaming)
            resolved[name] = (renaming, commands)
        for name, (renaming, commands) in resolved.items():
            own = []
            for number, (action, guard, updates) in enumerate(commands, 1):
                tree = lambda e: replaced(e, self.formulas, renaming)
                new = (
                    name,
                    number,
                    renaming.get(action, action),
                    tree(guard),
                    [
                        (tree(p), [(renaming.get(v, v), tree(e)) for v, e in assignments])
                        for p, assignments in updates
                    ],
                )
                own.append(new)
            self.processes[name] = own
        if self.system is None:
            names = list(self.processes)
            self.system = ("module", names[0])
            for name in names[1:]:
                self.system = ("||", self.system, ("module", name))
        self.together, _ = self.compose(self.system)
        self.initial = self.initial_state()

    def declare(self, variable, renaming):
        name, kind, low, high, initial = variable
        value = lambda e: evaluate(replaced(e, self.formulas, renaming), self.constants)
        if kind == "bool":
            domain = (False, True)
            first = False
        else:
            domain = (value(low), value(high))
            first = domain[0]
        if initial is not None:
            first = value(initial)
        self.variables.append((renaming.get(name, name), domain[0], domain[1], first))

    def initial_state(self):
        if self.init is None:
            return tuple(v[3] for v in self.variables)
        domains = [
            [False, True] if is_bool(low) else list(range(low, high + 1))
            for _, low, high, _ in self.variables
        ]
        tree = replaced(self.init, self.formulas, {})
        found = [s for s in itertools.product(*domains) if evaluate(tree, self.environment(s))]
        if len(found) != 1:
            raise Error(f"{len(found)} initial states")
        return found[0]

    def environment(self, state):
        return {**self.constants, **{v[0]: value for v, value in zip(self.variables, state)}}

    def compose(self, system):
        """Pairs of an action and a list of modules' commands; and the actions that are known."""
        operator = system[0]
        if operator == "module":
            together = []
            actions = []
            for command in self.processes[system[1]]:
                if command[2] is None:
                    together.append((None, [[command]]))
                elif command[2] in actions:
                    next(g for g in together if g[0] == command[2])[1][0].append(command)
                else:
                    actions.append(command[2])
                    together.append((command[2], [[command]]))
            return together, set(actions)
        together, actions = self.compose(system[1])
        if operator == "hide":
            hidden = set(system[2])
            return [(None if a in hidden else a, parts) for a, parts in together], actions - hidden
        if operator == "rename":
            new = lambda a: system[2].get(a, a)
            return [(new(a), parts) for a, parts in together], {new(a) for a in actions}
        others, other_actions = self.compose(system[2])
        if operator == "||":
            shared = actions & other_actions
        else:
            shared = set(system[3]) if operator == "|[]|" else set()
        result = [(a, parts) for a, parts in together if a not in shared]
        result += [(a, parts) for a, parts in others if a not in shared]
        result += [
            (a, parts + more) for a, parts in together if a in shared for b, more in others if b == a
        ]
        return result, actions | other_actions

    def choices(self, state):
        """All choices in a state: action, commands, outcomes."""
        names = self.environment(state)
        found = []
        for action, parts in self.together:
            enabled = [[c for c in part if evaluate(c[3], names)] for part in parts]
            for commands in itertools.product(*enabled):
                found.append((action, commands))
        return [(a, commands, self.outcomes(state, names, commands)) for a, commands in found]

    def outcomes(self, state, names, commands):
        outcomes = [(1.0, dict(zip((v[0] for v in self.variables), state)))]
        for command in commands:
            probabilities = [float(evaluate(p, names)) for p, _ in command[4]]
            if any(not 0 <= p <= 1 + TOLERANCE for p in probabilities):
                raise Error("probability")
            total = sum(probabilities)
            if not abs(total - 1) <= TOLERANCE:
                raise Error("sum")
            longer = []
            for p, so_far in outcomes:
                for q, (_, assignments) in zip(probabilities, command[4]):
                    if q == 0:
                        continue
                    after = dict(so_far)
                    for variable, tree in assignments:
                        after[variable] = self.checked(variable, evaluate(tree, names))
                    longer.append((p * q / total, after))
            outcomes = longer
        result = {}
        for p, after in outcomes:
            key = tuple(after[v[0]] for v in self.variables)
            result[key] = result.get(key, 0) + p
        return result

    def checked(self, variable, value):
        for name, low, high, _ in self.variables:
            if name == variable and not low <= value <= high:
                raise Error("range")
        return value

    def reward(self, items, action, names):
        """What a step with an action (None: without one) has."""
        total = 0.0
        for of, guard, value in items:
            if of is not None and of != (action or ""):
                continue
            if not evaluate(replaced(guard, self.formulas, {}), names):
                continue
            amount = evaluate(replaced(value, self.formulas, {}), names)
            if not amount >= 0:
                raise Error("negative reward")
            total += amount
            if total > 1e15:
                raise Error("large reward")
        return total

    def costs(self, action, names):
        if not self.rewards:
            return [1.0]
        return [self.reward(items, action, names) for _, items in self.rewards]

    def actions(self, state):
        """By name: costs, and successors with probabilities."""
        names = self.environment(state)
        choices = self.choices(state)
        if not choices:
            return {}
        if self.kind == "dtmc":
            share = 1 / len(choices)
            outcomes = {}
            for _, _, successors in choices:
                for successor, p in successors.items():
                    outcomes[successor] = outcomes.get(successor, 0) + share * p
            costs = [self.costs(action, names) for action, _, _ in choices]
            return {"step": ([share * sum(c) for c in zip(*costs)], outcomes)}
        result = {}
        for action, commands, outcomes in choices:
            detail = [f"{c[0]}.{c[1]}" for c in commands]
            if action is None:
                name = "+".join(detail)
            elif sum(a == action for a, _, _ in choices) == 1:
                name = action
            else:
                name = f"{action}({','.join(detail)})"
            if name in result:
                raise AssertionError(f"two actions named {name}")
            result[name] = (self.costs(action, names), outcomes)
        return result

    def labels(self, state):
        names = self.environment(state)
        return {
            name: bool(evaluate(replaced(tree, self.formulas, {}), names))
            for name, tree in self.label_trees.items()
        }

    def state_name(self, state):
        facts = []
        for variable, value in zip(self.variables, state):
            shown = str(value).lower() if is_bool(value) else str(value)
            facts.append(f"{variable[0]}={shown}")
        return " ".join(sorted(facts))

    def space(self):
        """Everything that can be reached: by state, its actions and labels."""
        seen = {self.initial: None}
        queue = [self.initial]
        for state in queue:
            seen[state] = self.actions(state)
            for _, outcomes in seen[state].values():
                for successor in outcomes:
                    if successor not in seen:
                        seen[successor] = None
                        queue.append(successor)
        return seen

    def holds(self, tree, state, actions):
        labels = {**self.labels(state), "init": state == self.initial, "deadlock": not actions}
        return bool(evaluate(replaced(tree, self.formulas, {}), self.environment(state), labels))


def names_in(tree):
    if tree[0] == "name":
        return {tree[1]}
    return set().union(*[names_in(a) for a in tree[1:] if isinstance(a, tuple)], set())


def compose(first, second):
    """Renaming by `first`, and what comes out by `second`."""
    result = {old: second.get(new, new) for old, new in first.items()}
    for old, new in second.items():
        result.setdefault(old, new)
    return result
