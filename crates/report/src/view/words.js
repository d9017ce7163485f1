// Words that are no everyday ones, explained where they stand.

const WORDS = {
  context: "A context is a stack of calls: the same method called on two stacks has two contexts.",
  moved: "Elements of arrays, or bytes of memory, that calls such as System.arraycopy move without a bytecode for each.",
  bytecodes: "Executed instructions of the JVM. They are counted, not measured, and are not time.",
  height: "Longest way down from the method to one that calls nothing. Greater heights leave out helpers.",
  distance:
    "Calls from the nearest method that is always among the callers. Greater distances leave out what a single caller explains.",
  induced:
    "Cost of a method and of all below it up to the next subsuming methods. Over all subsuming methods it adds up to the whole run.",
  time: "How often a sampler that looked at an uninstrumented run met the method, or what it calls. Few samples say little.",
  root: "What no subsuming method explains: the threads' start, and what it calls directly.",
};

/** A small button that explains a word: its title says it, and a click opens all words. */
function explained(word) {
  return element(
    "button.what",
    { type: "button", title: WORDS[word], "aria-label": `What is this? ${WORDS[word]}`, onclick: () => help.open() },
    "?",
  );
}
