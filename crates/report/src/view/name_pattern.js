// What a text in a search or filter field asks of names: words that all occur, a
// pattern with stars as `subsume` takes it, or a regular expression between slashes.

/** What the fields say of it. */
const PATTERN_HINT =
  "Any part of a name, words with spaces between; Class.name or a whole name with * for any characters, such as demo.*; a regular expression between slashes, such as /parse(Line|File)/";

/** The same in short. */
const PATTERN_NOTE = "Words, * for any characters as in demo.*, /regular expressions/.";

/**
 * `{ test(profile, method), problem }` of a text; null for an empty one. With a
 * `problem` nothing has such a name.
 */
function namePattern(text) {
  const wanted = text.trim();
  if (wanted === "") return null;
  const expression = /^\/(.+)\/i?$/.exec(wanted);
  if (expression) {
    try {
      const compiled = new RegExp(expression[1], "i");
      return { test: (profile, method) => compiled.test(profile.nameOf(method)), problem: null };
    } catch {
      return { test: () => false, problem: "This is not a regular expression" };
    }
  }
  const tests = wanted.toLowerCase().split(/\s+/).map(wordTest);
  return { test: (profile, method) => tests.every((test) => test(profile, method)), problem: null };
}

/** Whether a word is in a name; one with stars has to match all of it. */
function wordTest(word) {
  if (!word.includes("*")) return (profile, method) => profile.nameOf(method).toLowerCase().includes(word);
  const escaped = word.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  // Parameters are part of a name only where it is not enough.
  const compiled = new RegExp(`^${escaped.join(".*")}(\\(.*)?$`, "i");
  return (profile, method) =>
    compiled.test(profile.nameOf(method)) || compiled.test(profile.briefName(method));
}

/** The methods whose names a text asks for; null for no text. */
function foundMethods(profile, text) {
  const wanted = text.trim();
  if (profile.found?.wanted === wanted) return profile.found.methods;
  const pattern = namePattern(wanted);
  let methods = null;
  if (pattern) {
    methods = new Set();
    for (let method = 0; method < profile.count; method += 1)
      if (pattern.test(profile, method)) methods.add(method);
  }
  profile.found = { wanted, methods };
  return methods;
}

/** How much of a picture a search has found, with a way to end it; nothing without one. */
function matchedInWords(profile, tree, found) {
  if (!found) return null;
  const share = percent(tree.covered(found), profile.total);
  return [
    `“${place.find}”: ${counted(found.size, "method")}, ${share} with ${tree.isInverted ? "their callers" : "all below them"} `,
    element("button", { type: "button", id: "clear-search", title: "Clear the search (Esc)", onclick: () => go({ find: "" }) }, "Clear"),
  ];
}
