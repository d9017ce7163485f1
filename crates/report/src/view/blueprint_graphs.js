// What blueprints are about: the methods of a profile and their calls, and those of
// two profiles together.

/** Above so many methods a structural blueprint begins with packages. */
const MANY_METHODS = 2000;

/**
 * What is known of a method's results, or null: `methods.results` of a profile has, by
 * number of the method, its `kind` (a name in `RESULTS`), distinct `receivers` (not of
 * static methods) and `inputs`, `hits` (inputs met again), `hits_of_call_before`,
 * `conflicts` (met again with another result), and `writes` (calls that wrote to the
 * heap). Estimates have standard errors, as `hits_error`. Without the table all pictures
 * show whose code methods are instead.
 */
function resultOf(profile, method) {
  return profile.methods.results?.[method] ?? null;
}

/** Executions of a method: calls, or where these were not counted its contexts. */
function executionsOf(profile, method) {
  return Number((profile.methods.calls ?? profile.methods.contexts)[method]);
}

/** Its cost, with all that it calls unless its own is asked for. */
function blueprintCost(profile, method) {
  const { inclusive, exclusive } = profile.methods;
  return Number((place.by === "own" ? exclusive : inclusive)[method]);
}

/** The name that a class, or a package, has in a scope. */
function groupsOf(profile, scope) {
  const { methods } = profile;
  const packages = methods.classes.map(packageOf);
  const areMany = scope === "" && profile.count > MANY_METHODS;
  const groups = new Map();
  for (let method = 0; method < profile.count; method += 1) {
    const number = methods.class[method];
    if (scope !== "" && packages[number] !== scope) continue;
    const owner = methods.classes[number];
    const key = areMany ? packages[number] : owner;
    let group = groups.get(key);
    if (!group) {
      const name = areMany ? key : simpleName(owner) || NO_PACKAGE;
      group = { key, name, cost: 0, bars: [], isPackage: areMany, classes: new Map() };
      groups.set(key, group);
    }
    const own = Number(methods.exclusive[method]);
    const cost = blueprintCost(profile, method);
    group.cost = place.by === "own" || areMany ? group.cost + own : Math.max(group.cost, cost);
    const calls = executionsOf(profile, method);
    if (!areMany) {
      group.bars.push({ of: method, cost, calls });
      continue;
    }
    // Own costs add up, inclusive ones do not.
    let bar = group.classes.get(owner);
    if (!bar) {
      bar = { of: owner, cost: 0, calls: 0 };
      group.classes.set(owner, bar);
      group.bars.push(bar);
    }
    bar.cost += own;
    bar.calls += calls;
  }
  return [...groups.values()];
}

/** The call graph of a profile. */
class CallGraph {
  constructor(profile) {
    this.profile = profile;
  }

  cost(method) {
    return Number(this.profile.methods.inclusive[method]);
  }

  executions(method) {
    return executionsOf(this.profile, method);
  }

  keeps() {
    return false;
  }

  /** What stands beside its box. */
  label(method) {
    return this.name(method);
  }

  name(method) {
    return blueprintName(this.profile.classOf(method), this.profile.methods.name[method]);
  }

  calls(method) {
    const { listed } = this.profile.callees(method);
    return listed
      .filter((call) => call.method !== method)
      .map(({ method, cost }) => ({ of: method, cost, change: 0, rank: cost }));
  }
}

/** Smaller differences have no colour: shares of all, and of the method itself. */
const FLOOR_OF_ALL = 0.0001;
const FLOOR_OF_METHOD = 0.001;

/**
 * The call graphs of two profiles in one. Methods have the numbers of the profile
 * after, and those that are in the one before alone the numbers behind them.
 */
class EvolvingGraph {
  constructor(report) {
    this.before = report.open(0);
    this.after = report.open(1);
    const { methods, codes, changed, unchanged } = report.explanation;
    const renamed = new Map();
    methods.base.forEach((base, at) => {
      if (base >= 0 && methods.new[at] >= 0) renamed.set(base, methods.new[at]);
    });
    this.newOf = Array.from({ length: this.after.count }, (_, method) => method);
    this.baseOf = this.newOf.map(() => -1);
    this.ofBase = [];
    for (let method = 0; method < this.before.count; method += 1) {
      const { classes } = this.before.methods;
      const owner = classes[this.before.methods.class[method]];
      const name = this.before.methods.name[method];
      const same = renamed.get(method) ?? this.after.find(owner, name, this.before.descriptorOf(method));
      const of = same ?? this.newOf.length;
      this.ofBase.push(of);
      if (same === null || same === undefined) this.newOf.push(-1);
      this.baseOf[of] = method;
    }
    this.codes = new Map();
    for (const [at, word] of codes) {
      const after = methods.new[at];
      const of = after >= 0 ? after : this.ofBase[methods.base[at]];
      if (of !== undefined) this.codes.set(of, word);
    }
    this.all = Math.max(this.before.total, this.after.total);
    // Differences within run-to-run noise are in neither list.
    this.isSame = changed.rows.length + unchanged.rows.length === 0;
  }

  get size() {
    return this.newOf.length;
  }

  /** Cost before and after. */
  costs(of) {
    return this.sides(of, (profile, method) => Number(profile.methods.inclusive[method]));
  }

  runs(of) {
    return this.sides(of, executionsOf);
  }

  sides(of, value) {
    const { [of]: base } = this.baseOf;
    const { [of]: after } = this.newOf;
    return [base >= 0 ? value(this.before, base) : 0, after >= 0 ? value(this.after, after) : 0];
  }

  cost(of) {
    return Math.max(...this.costs(of));
  }

  executions(of) {
    return Math.max(...this.runs(of));
  }

  keeps(of) {
    return this.codes.has(of);
  }

  /** A difference if it is above the floors, otherwise 0. */
  above(before, after) {
    const change = after - before;
    const size = Math.abs(change);
    const isBelow = size < FLOOR_OF_ALL * this.all || size < FLOOR_OF_METHOD * Math.max(before, after);
    return this.isSame || isBelow ? 0 : change;
  }

  /** By how much a method costs more, 0 below the floors. */
  change(of) {
    return this.above(...this.costs(of));
  }

  /** The profile that has the method, the one after first, and its number there. */
  known(of) {
    return this.newOf[of] >= 0 ? [this.after, this.newOf[of], 1] : [this.before, this.baseOf[of], 0];
  }

  name(of) {
    const [profile, method] = this.known(of);
    return blueprintName(profile.classOf(method), profile.methods.name[method]);
  }

  /** What stands beside its box: the name behind a sign, unless it costs as much as before. */
  label(of) {
    const change = this.change(of);
    return `${change === 0 ? "" : change > 0 ? "+ " : "− "}${this.name(of)}`;
  }

  /** What became of a method: of its code, or of its calls. */
  state(of) {
    const word = this.codes.get(of);
    if (word) return word;
    if (this.baseOf[of] < 0) return "newly called";
    return this.newOf[of] < 0 ? "no longer called" : "same";
  }

  calls(of) {
    const found = new Map();
    const add = (side, callee, cost) => {
      if (callee === of) return;
      const costs = found.get(callee) ?? [0, 0];
      costs[side] += cost;
      found.set(callee, costs);
    };
    if (this.baseOf[of] >= 0)
      for (const call of this.before.callees(this.baseOf[of]).listed)
        add(0, this.ofBase[call.method], call.cost);
    if (this.newOf[of] >= 0)
      for (const call of this.after.callees(this.newOf[of]).listed) add(1, call.method, call.cost);
    return [...found].map(([callee, [before, after]]) => ({
      of: callee,
      cost: Math.max(before, after),
      change: Math.abs(this.above(before, after)),
      // Places are those of the run before, as far as it has the method.
      rank: before > 0 ? before : after,
    }));
  }

  /** The number here of what is selected in a profile. */
  numberOf(side, method) {
    return side === 0 ? this.ofBase[method] : method;
  }
}
