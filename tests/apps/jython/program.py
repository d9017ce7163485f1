# A mix of what Python programs do: objects with methods, dictionaries, string
# work, generators, closures, exceptions, recursion, list comprehensions.
# ROUNDS is set by the driver. Nothing depends on the order of a set or on ids.


class Random(object):
    """A linear congruential generator: the same numbers on every platform."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.state >> 8) % bound


class Shape(object):
    def __init__(self, name):
        self.name = name

    def area(self):
        raise NotImplementedError(self.name)

    def __repr__(self):
        return "%s(%.3f)" % (self.name, self.area())


class Box(Shape):
    def __init__(self, width, height):
        Shape.__init__(self, "box")
        self.width = width
        self.height = height

    def area(self):
        return self.width * self.height


class Disc(Shape):
    def __init__(self, radius):
        Shape.__init__(self, "disc")
        self.radius = radius

    @property
    def squared(self):
        return self.radius ** 2

    def area(self):
        return 3.141592653589793 * self.squared


def shapes(rnd, count):
    """Virtual calls, sorting with a key function, a failing method."""
    made = []
    for i in xrange(count):
        kind = rnd.below(3)
        if kind == 0:
            made.append(Box(1 + rnd.below(9), 1 + rnd.below(9)))
        elif kind == 1:
            made.append(Disc(1 + rnd.below(5)))
        else:
            made.append(Shape("none"))
    total = 0.0
    failures = 0
    for shape in made:
        try:
            total += shape.area()
        except NotImplementedError:
            failures += 1
    known = [s for s in made if type(s) is not Shape]
    known.sort(key=lambda s: (s.area(), s.name))
    print "shapes %.3f %d %r %r" % (total, failures, known[0], known[-1])


def queens(size):
    """All placements of queens, by a recursive generator."""

    def place(row, columns, rising, falling):
        if row == size:
            yield tuple(columns)
            return
        for column in range(size):
            if (column not in columns and row + column not in rising
                    and row - column not in falling):
                for solution in place(row + 1, columns + [column],
                                      rising + [row + column], falling + [row - column]):
                    yield solution

    count = 0
    last = None
    for solution in place(0, [], [], []):
        count += 1
        last = solution
    print "queens", size, count, last


class Scanner(object):
    """Splits an arithmetic expression into numbers, names and operators."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def tokens(self):
        text = self.text
        while self.at < len(text):
            c = text[self.at]
            if c.isspace():
                self.at += 1
            elif c.isdigit():
                yield int(self.span(str.isdigit))
            elif c.isalpha():
                yield self.span(str.isalnum)
            else:
                self.at += 1
                yield c

    def span(self, accept):
        start = self.at
        while self.at < len(self.text) and accept(self.text[self.at]):
            self.at += 1
        return self.text[start:self.at]


class Evaluator(object):
    """Evaluates expressions by recursive descent, with variables in a dictionary."""

    def __init__(self, variables):
        self.variables = variables

    def run(self, text):
        self.rest = list(Scanner(text).tokens())
        self.rest.reverse()
        return self.sum()

    def accept(self, operators):
        if self.rest and self.rest[-1] in operators:
            return self.rest.pop()
        return None

    def sum(self):
        value = self.product()
        while True:
            operator = self.accept("+-")
            if operator is None:
                return value
            other = self.product()
            if operator == "+":
                value = (value + other) % 1000003
            else:
                value = (value - other) % 1000003

    def product(self):
        value = self.atom()
        while self.accept("*"):
            value = value * self.atom() % 1000003
        return value

    def atom(self):
        token = self.rest.pop()
        if token == "(":
            value = self.sum()
            self.accept(")")
            return value
        if isinstance(token, int):
            return token
        return self.variables[token]


def expression(rnd, depth):
    if depth == 0:
        return rnd.below(2) and str(rnd.below(500)) or "v%d" % rnd.below(10)
    left = expression(rnd, depth - 1)
    right = expression(rnd, rnd.below(depth))
    return "(%s %s %s)" % (left, "+-*"[rnd.below(3)], right)


def expressions(rnd, count):
    variables = dict(("v%d" % i, i * i + 1) for i in range(10))
    total = 0
    for i in xrange(count):
        text = expression(rnd, 5)
        total = (total * 31 + Evaluator(variables).run(text)) % 1000003
    print "expressions", count, total


def words(rnd, count):
    """Counts words in made-up text with a dictionary, then formats a table."""
    syllables = "ka lo mi ne pu ra se to vi wa".split()
    text = []
    for i in xrange(count):
        text.append("".join([syllables[rnd.below(10)] for _ in range(1 + rnd.below(3))]))
    line = " ".join(text).replace("ka", "Ka").title()
    counts = {}
    for word in line.split(" "):
        counts[word] = counts.get(word, 0) + 1
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:5]
    for word, number in best:
        print "%-8s %5d" % (word.lower(), number)


def primes(limit):
    sieve = [True] * (limit + 1)
    found = []
    for n in xrange(2, limit + 1):
        if sieve[n]:
            found.append(n)
            for multiple in xrange(2 * n, limit + 1, n):
                sieve[multiple] = False
    print "primes", len(found), found[-1], sum(found)


def multiply(size):
    a = [[(i * j + 1) % 17 for j in range(size)] for i in range(size)]
    b = [[(i + 2 * j) % 13 for j in range(size)] for i in range(size)]
    columns = zip(*b)
    product = [[sum([x * y for x, y in zip(row, column)]) for column in columns] for row in a]
    print "matrix", sum([product[i][i] for i in range(size)])


def memoised(function):
    known = {}

    def wrapper(*arguments):
        if arguments not in known:
            known[arguments] = function(*arguments)
        return known[arguments]

    return wrapper


def distance(a, b):
    """Edit distance by memoised recursion, on long integers now and then."""

    @memoised
    def between(i, j):
        if i == 0 or j == 0:
            return i + j
        change = between(i - 1, j - 1) + (a[i - 1] != b[j - 1])
        return min(change, between(i - 1, j) + 1, between(i, j - 1) + 1)

    return between(len(a), len(b))


def distances(rnd, count):
    total = 0L
    for i in xrange(count):
        a = "".join(["abcd"[rnd.below(4)] for _ in range(24)])
        b = "".join(["abcd"[rnd.below(4)] for _ in range(24)])
        total = total * 37 + distance(a, b)
    print "distances", total % (10 ** 30)


rnd = Random(2026)
for turn in range(ROUNDS):
    shapes(rnd, 6000)
    queens(7)
    expressions(rnd, 300)
    words(rnd, 8000)
    primes(60000)
    multiply(50)
    distances(rnd, 20)
