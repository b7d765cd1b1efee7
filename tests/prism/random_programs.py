"""Random programs in PRISM's language, with few states: the product of all ranges is small."""

import random


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        r = self.random
        self.constants = {}
        self.lines = []
        self.kind = r.choice(["mdp", "mdp", "mdp", "dtmc", "nondeterministic", "probabilistic", ""])
        self.budget = 100  # states
        self.ints = []  # names of integers: constants and variables
        self.reals = []
        self.bools = []
        self.formulas = []  # (name, kind)
        self.actions = ["a", "b", "c"][: r.randint(1, 3)]
        self.reckless = r.random() < 0.2  # may leave ranges, and may not sum to one
        self.write()

    # Expressions

    def int_expression(self, depth, names):
        r = self.random
        ints, _, _ = names
        if depth == 0 or r.random() < 0.3:
            return r.choice(ints) if ints and r.random() < 0.7 else str(r.randint(0, 4))
        e = lambda: self.int_expression(depth - 1, names)
        return r.choice(
            [
                lambda: f"{e()}+{e()}",
                lambda: f"{e()}-{e()}",
                lambda: f"{e()}*{e()}",
                lambda: f"({e()}+{e()})*{e()}",
                lambda: f"{e()}-({e()}-{e()})",
                lambda: f"-{e()}" if self.random.random() < 0.5 else f"- -{e()}",
                lambda: f"min({e()},{e()})",
                lambda: f"max({e()}, {e()}, {e()})",
                lambda: f"func(max,{e()},{e()})",
                lambda: f"func(mod, {e()}, {r.randint(1, 4)})",
                lambda: f"mod({e()},{r.randint(1, 4)})",
                lambda: f"mod({e()},{e()})" if self.reckless else f"mod({e()},3)",
                lambda: f"floor({self.real_expression(depth - 1, names)})",
                lambda: f"ceil({e()}/2)",
                lambda: f"round({e()}/3)",
                lambda: f"pow(2,{r.randint(0, 3)})",
                lambda: f"pow({e()},2)",
                lambda: f"({self.bool_expression(depth - 1, names)}?{e()}:{e()})",
            ]
        )()

    def real_expression(self, depth, names):
        r = self.random
        _, reals, _ = names
        if depth == 0 or r.random() < 0.3:
            if reals and r.random() < 0.5:
                return r.choice(reals)
            return r.choice(["0.5", ".25", "1e-1", "2.0", "1.5E0", "3."])
        e = lambda: self.real_expression(depth - 1, names)
        i = lambda: self.int_expression(depth - 1, names)
        return r.choice(
            [
                lambda: f"{e()}+{i()}",
                lambda: f"{i()}-{e()}",
                lambda: f"{e()}*{e()}",
                lambda: f"{i()}/{r.randint(1, 5)}",
                lambda: f"{i()}/(1+max(0,{i()}))",
                lambda: f"min({e()},{i()})",
                lambda: f"pow({r.randint(1, 3)}/2,{r.randint(-2, 3)})",
                lambda: f"log({r.randint(1, 9)},2)",
                lambda: f"({self.bool_expression(depth - 1, names)} ? {e()} : {i()})",
            ]
        )()

    def bool_expression(self, depth, names):
        r = self.random
        _, _, bools = names
        if depth == 0 or r.random() < 0.2:
            if bools and r.random() < 0.8:
                return r.choice(bools)
            return r.choice(["true", "true", "false"])
        e = lambda: self.bool_expression(depth - 1, names)
        i = lambda: self.int_expression(depth - 1, names)
        operator = r.choice(["=", "!=", "<", "<=", ">", ">="])
        return r.choice(
            [
                lambda: f"{i()}{operator}{i()}",
                lambda: f"{i()}{operator}{i()}",
                lambda: f"{r.choice(names[0]) if names[0] else 1}{operator}{r.randint(0, 3)}",
                lambda: f"{self.real_expression(depth - 1, names)}{operator}{i()}",
                lambda: f"{e()}&{e()}",
                lambda: f"{e()} & {i()}>={i()} & {e()}",
                lambda: f"{e()}|{e()}",
                lambda: f"({e()}|{e()})&{e()}",
                lambda: f"!{e()}",
                lambda: f"!({e()})",
                lambda: f"{e()}=>{e()}",
                lambda: f"{e()}<=>{e()}",
                lambda: f"({e()})={r.choice(['true', 'false'])}",
                lambda: f"({e()} ? {e()} : {e()})",
            ]
        )()

    def names(self):
        formulas = {"int": [], "double": [], "bool": []}
        for name, kind in self.formulas:
            formulas[kind].append(name)
        return (
            self.ints + formulas["int"],
            self.reals + formulas["double"],
            self.bools + formulas["bool"],
        )

    # Parts

    def write_constants(self):
        r = self.random
        for i in range(r.randint(0, 4)):
            name = f"k{i}"
            kind = r.choice(["int", "double", "bool", ""])
            word = f"const {kind}".strip()
            if kind == "double" and r.random() < 0.2:
                word = r.choice(["prob", "rate"])
            names = (self.ints, self.reals, self.bools)
            make = {
                "int": lambda: self.int_expression(1, names),
                "": lambda: self.int_expression(1, names),
                "double": lambda: self.real_expression(1, names),
                "bool": lambda: self.bool_expression(1, names),
            }[kind]
            if r.random() < 0.4:
                value = {"int": "2", "": "3", "double": r.choice(["0.3", "2", "1/4"]), "bool": "true"}[kind]
                self.constants[name] = value
                self.lines.append(f"{word} {name};")
            else:
                self.lines.append(f"{word} {name} = {make()};")
            {"int": self.ints, "": self.ints, "double": self.reals, "bool": self.bools}[kind].append(name)

    def declaration(self, name):
        r = self.random
        initial = ""
        if r.random() < 0.35 and self.budget >= 2:
            self.budget //= 2
            if r.random() < 0.5 and not self.init:
                initial = r.choice([" init true", " init false"])
            self.domains[name] = (0, 1, "bool")
            return f"{name} : bool{initial};"
        low = r.choice([0, 0, 0, 1, -2])
        size = r.randint(1, min(5, max(1, self.budget)))
        self.budget //= size
        high = low + size - 1
        if r.random() < 0.5 and not self.init:
            initial = f" init {r.randint(low, high)}"
        self.domains[name] = (low, high, "int")
        return f"{name} : [{low}..{high}]{initial};"

    def assignment(self, name, names):
        r = self.random
        low, high, kind = self.domains[name]
        if kind == "bool":
            return f"({name}'={self.bool_expression(2, names)})"
        value = self.int_expression(2, names)
        if not (self.reckless and r.random() < 0.3):
            value = r.choice(
                [
                    f"max({low},min({high},{value}))",
                    f"{low}+mod({value},{high - low + 1})",
                    str(r.randint(low, high)),
                    f"({name}<{high} ? {name}+1 : {low})",
                    f"({name}>{low} ? {name}-1 : {name})",
                ]
            )
        return f"({name}'={value})"

    def update(self, variables, names):
        r = self.random
        chosen = [v for v in variables if r.random() < 0.6]
        r.shuffle(chosen)
        if not chosen:
            return "true"
        return " & ".join(self.assignment(v, names) for v in chosen)

    def updates(self, variables, names):
        r = self.random
        update = lambda: self.update(variables, names)
        kind = r.random()
        if kind < 0.4:
            return update()
        if kind < 0.6:
            return f"0.3:{update()} + 0.7 : {update()}"
        if kind < 0.7:
            return f"1/3:{update()} + 1/3:{update()} + 1/3:{update()}"
        if kind < 0.8 and self.reckless:
            return f"{self.real_expression(1, names)}:{update()} + 0.5:{update()}"
        share = f"1/(2+max(0,{self.int_expression(1, names)}))"
        return f"{share}:{update()} + 1-{share}:{update()}"

    def module(self, name, variables, globals_, names):
        r = self.random
        lines = [f"module {name}"]
        lines += [f"  {self.declarations[v]}" for v in variables]
        for _ in range(r.randint(2, 5)):
            action = r.choice(self.actions) if r.random() < 0.6 else ""
            mine = variables + (globals_ if not action else [])
            guard = "true" if r.random() < 0.15 else self.bool_expression(2, names)
            lines.append(f"  [{action}] {guard} -> {self.updates(mine, names)};")
        return lines + ["endmodule"]

    def system(self, modules):
        r = self.random
        items = list(modules)
        r.shuffle(items)
        while len(items) > 1:
            a = self.changed(items.pop())
            b = self.changed(items.pop())
            shared = ",".join(r.sample(self.actions, r.randint(1, len(self.actions))))
            items.append(f"({a} {r.choice(['||', '|||', f'|[{shared}]|'])} {b})")
        return f"system {self.changed(items[0])} endsystem"

    def changed(self, item):
        r = self.random
        if r.random() < 0.2:
            return f"{item}/{{{r.choice(self.actions)}}}"
        if r.random() < 0.2:
            return f"{item}{{{r.choice(self.actions)}<-{r.choice(self.actions + ['d'])}}}"
        return item

    def rewards(self, names, name):
        r = self.random
        lines = [f"rewards {name}".rstrip()]
        for _ in range(r.randint(0, 3)):
            where = r.choice(["", "[]", *[f"[{a}]" for a in self.actions]])
            value = r.choice([f"max(0,{self.real_expression(2, names)})", str(r.randint(0, 3)), "0.5"])
            if self.reckless:
                value = self.real_expression(1, names)
            lines.append(f"  {where} {self.bool_expression(1, names)} : {value};")
        return lines + ["endrewards"]

    def write(self):
        r = self.random
        self.declarations = {}
        self.domains = {}
        self.init = r.random() < 0.15
        self.write_constants()
        modules = [f"m{i}" for i in range(r.randint(1, 3))]
        globals_ = [f"g{i}" for i in range(r.choice([0, 0, 1]))]
        owned = {m: [f"{'xyz'[i]}{j}" for j in range(r.choice([0, 1, 1, 2, 2]))] for i, m in enumerate(modules)}
        renamed = {}
        if r.random() < 0.3:
            base = r.choice(modules)
            copies = {v: f"{v}_copy" for v in owned[base]}
            renamed[f"{base}_copy"] = (base, copies)
            if r.random() < 0.3:
                renamed["again"] = (f"{base}_copy", {f"{v}_copy": f"{v}_again" for v in owned[base]})
        for v in globals_ + [v for m in modules for v in owned[m]]:
            self.declarations[v] = self.declaration(v)
        for name, (_, copies) in list(renamed.items()):
            for old, new in copies.items():
                low, high, _ = self.domains.get(old, (0, 0, ""))
                self.budget //= high - low + 1
            if self.budget == 0:
                del renamed[name]
                break
            for old, new in copies.items():
                self.domains[new] = self.domains[old]
        if list(renamed) == ["again"]:
            renamed = {}
        for v, (_, _, kind) in self.domains.items():
            (self.bools if kind == "bool" else self.ints).append(v)
        for i in range(r.randint(0, 3)):
            kind = r.choice(["int", "double", "bool"])
            make = {"int": self.int_expression, "double": self.real_expression, "bool": self.bool_expression}
            text = make[kind](2, self.names())
            self.lines.append(f"formula f{i} = {text};")
            self.formulas.append((f"f{i}", kind))
        names = self.names()
        for g in globals_:
            self.lines.append(f"global {self.declarations[g]}")
        for m in modules:
            self.lines += self.module(m, owned[m], globals_, names)
        for name, (base, copies) in renamed.items():
            pairs = [f"{old}={new}" for old, new in copies.items()]
            if r.random() < 0.5 or not pairs:
                pairs.append(f"{r.choice(self.actions)}={r.choice(self.actions)}")
            if r.random() < 0.2:
                pairs += ["min=max", "max=min"]
            self.lines.append(f"module {name} = {base} [ {', '.join(pairs)} ] endmodule")
        if r.random() < 0.3:
            self.lines.append(self.system(modules + list(renamed)))
        for i in range(r.randint(0, 2)):
            self.lines.append(f'label "l{i}" = {self.bool_expression(3, names)};')
        for i in range(r.randint(0, 2)):
            self.lines += self.rewards(names, r.choice([f'"r{i}"', f'"r{i}"', ""]) if i == 0 else f'"r{i}"')
        if self.init:
            conditions = [
                f"{v}={r.choice(['true', 'false']) if kind == 'bool' else r.randint(low, high)}"
                for v, (low, high, kind) in self.domains.items()
                if r.random() < 0.95
            ]
            self.lines.append(f"init {' & '.join(conditions) or 'true'} endinit")
        if self.kind:
            self.lines.insert(r.randint(0, 1) * 0, self.kind)
        if r.random() < 0.2:
            self.lines.insert(0, '// a comment with "quotes" and ümlauts')
        self.text = "\n".join(self.lines) + "\n"
        labels = ['"init"', '"deadlock"'] + [f'"l{i}"' for i in range(2) if f'"l{i}"' in self.text]
        self.formula = f"({self.bool_expression(2, names)}) {r.choice('&|')} {r.choice(['', '!'])}{r.choice(labels)}"
