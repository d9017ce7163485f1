// One profile of the report: its methods by number, and what is known of them.

class Profile {
  constructor(data) {
    Object.assign(this, data);
    this.exactTotal = data.total;
    this.total = Number(data.total);
    this.count = this.methods.name.length;
    this.grids = new Map();
    this.tree = new Tree(data.tree, this.total, "exclusive");
    this.inverted = new Tree(data.inverted, this.total, "ends");
  }

  /** The name of the file, with as much of its folder as tells it from others. */
  get brief() {
    return this.label;
  }

  /** The class of a method; "" for what has none, as in many imports. */
  classOf(method) {
    return this.methods.classes[this.methods.class[method]];
  }

  descriptorOf(method) {
    return this.methods.descriptors[this.methods.descriptor[method]];
  }

  /** "format(int)" of `java.text.Format.format(int)`. */
  shortName(method) {
    const name = this.methods.name[method];
    const parameters = this.methods.parameters[method] ?? "";
    // The text of an argument stands behind them.
    const text = name.indexOf(": ");
    return text < 0 ? name + parameters : name.slice(0, text) + parameters + name.slice(text);
  }

  /** As the command prints it. A negative number is the virtual root. */
  nameOf(method) {
    if (method < 0) return "<root>";
    const owner = this.classOf(method);
    return owner ? `${owner}.${this.shortName(method)}` : this.shortName(method);
  }

  /** The name with as much of the package left out as possible. */
  briefName(method) {
    if (method < 0) return "<root>";
    const owner = this.classOf(method);
    const simple = owner.slice(owner.lastIndexOf(".") + 1);
    return simple ? `${simple}.${this.shortName(method)}` : this.shortName(method);
  }

  /** Induced cost for a pair of thresholds; null if the method does not subsume. */
  induced(method, height, distance) {
    let grid = this.grids.get(method);
    if (!grid) {
      grid = gridOf(this.methods.grid[method]);
      this.grids.set(method, grid);
    }
    return grid(height, distance);
  }

  /** The number here of a method of another profile, or null. */
  find(owner, name, descriptor) {
    this.numbers ??= this.numbered();
    return this.numbers.get(`${owner}\n${name}\n${descriptor}`) ?? null;
  }

  numbered() {
    const numbers = new Map();
    for (let method = 0; method < this.count; method += 1) {
      const key = [this.classOf(method), this.methods.name[method], this.descriptorOf(method)];
      numbers.set(key.join("\n"), method);
    }
    return numbers;
  }

  /** Who calls a method: `{ method, cost, calls }`, and how much is folded. */
  callers(method) {
    const { caller, cost, calls } = this.edges;
    const listed = [];
    for (const edge of this.edgesInto().get(method) ?? []) {
      listed.push({ method: caller[edge], cost: Number(cost[edge]), calls: calls?.[edge] ?? null });
    }
    return this.withRest(listed, this.methods.inclusive[method], this.methods.callers[method]);
  }

  /** The methods that a method calls, each with its cost and calls, in the same form. */
  callees(method) {
    const { callee, cost, calls, down } = this.edges;
    const listed = [];
    for (const edge of this.edgesFrom().get(method) ?? []) {
      const [share, times] = down[edge] ?? [cost[edge], calls?.[edge] ?? null];
      if (Number(share) === 0 && Number(cost[edge]) > 0) continue;
      listed.push({ method: callee[edge], cost: Number(share), calls: times });
    }
    const below = this.methods.inclusive[method] - this.own(method);
    return this.withRest(listed, below, this.methods.callees[method]);
  }

  /** Cost of a method's outermost contexts themselves. */
  own(method) {
    return Number(this.methods.own[method] ?? this.methods.exclusive[method]);
  }

  withRest(listed, whole, methods) {
    listed.sort((a, b) => b.cost - a.cost);
    const shown = listed.reduce((sum, entry) => sum + entry.cost, 0);
    return {
      listed: listed.filter((entry) => entry.cost > 0 || Number(entry.calls) > 0),
      rest: { cost: Number(whole) - shown, methods: methods - listed.length },
    };
  }

  edgesInto() {
    this.into ??= groupedBy(this.edges.callee);
    return this.into;
  }

  edgesFrom() {
    this.from ??= groupedBy(this.edges.caller);
    return this.from;
  }
}

/** The numbers of the entries of a column, by their values. */
function groupedBy(column) {
  const groups = new Map();
  column.forEach((value, number) => {
    const group = groups.get(value);
    if (group) group.push(number);
    else groups.set(value, [number]);
  });
  return groups;
}
