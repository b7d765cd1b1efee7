"""The simplex method in rational numbers, for linear programs of some hundred columns.

min c·x  s.t.  A x = b,  x >= 0, in two phases with Bland's rule, which cannot cycle.
"""
from fractions import Fraction


class Tableau:
    def __init__(self, rows, right):
        self.rows = [dict(row) for row in rows]  # column -> coefficient
        self.right = list(right)
        self.basis = [None] * len(rows)

    def pivot(self, row, column):
        pivot_row = self.rows[row]
        scale = pivot_row[column]
        if scale != 1:
            for j in pivot_row:
                pivot_row[j] /= scale
            self.right[row] /= scale
        for i, other in enumerate(self.rows):
            if i == row or column not in other:
                continue
            factor = other[column]
            for j, value in pivot_row.items():
                changed = other.get(j, 0) - factor * value
                if changed:
                    other[j] = changed
                else:
                    other.pop(j, None)
            self.right[i] -= factor * self.right[row]
        self.basis[row] = column

    def minimise(self, cost):
        """Returns the optimum; `cost` is by column and gets reduced on the way."""
        cost = dict(cost)
        value = Fraction(0)
        for row, column in enumerate(self.basis):
            factor = cost.get(column, 0)
            if factor:
                for j, v in self.rows[row].items():
                    cost[j] = cost.get(j, 0) - factor * v
                value += factor * self.right[row]
        while True:
            entering = min((j for j, v in cost.items() if v < 0), default=None)
            if entering is None:
                return value
            candidates = [(self.right[i] / row[entering], self.basis[i], i)
                          for i, row in enumerate(self.rows) if row.get(entering, 0) > 0]
            if not candidates:
                raise ArithmeticError("unbounded")
            _, _, leaving = min(candidates)
            self.pivot(leaving, entering)
            factor = cost[entering]
            for j, v in self.rows[leaving].items():
                cost[j] = cost.get(j, 0) - factor * v
            value += factor * self.right[leaving]


def solve(cost, rows, right):
    """The least value, or None if there is no solution. `rows` are dictionaries by column number."""
    columns = 1 + max([j for row in rows for j in row] + list(cost), default=0)
    signed = [{j: Fraction(v if b >= 0 else -v) for j, v in row.items() if v} for row, b in zip(rows, right)]
    tableau = Tableau(signed, [abs(Fraction(b)) for b in right])
    for i, row in enumerate(tableau.rows):
        row[columns + i] = Fraction(1)
        tableau.basis[i] = columns + i
    if tableau.minimise({columns + i: Fraction(1) for i in range(len(rows))}) > 0:
        return None
    for i, column in enumerate(tableau.basis):  # artificial columns leave the basis
        if column >= columns:
            own = next((j for j in tableau.rows[i] if j < columns), None)
            if own is not None:
                tableau.pivot(i, own)
    kept = [i for i, column in enumerate(tableau.basis) if column < columns]
    tableau.rows = [{j: v for j, v in tableau.rows[i].items() if j < columns} for i in kept]
    tableau.right = [tableau.right[i] for i in kept]
    tableau.basis = [tableau.basis[i] for i in kept]
    return tableau.minimise({j: Fraction(v) for j, v in cost.items()})
