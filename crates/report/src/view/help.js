// What the keys do.

const KEYS = [
  ["/", "search a method"],
  ["1 … 9", "go to a view"],
  ["↑ ↓", "walk through a table, or to callers and callees in a picture"],
  ["← →", "walk to the neighbours in a picture"],
  ["n p", "next and previous occurrence of the selected method in a picture"],
  ["Enter", "open what is marked"],
  ["Space", "zoom into what is marked in a picture; in the call tree, select it"],
  ["click", "zoom in a picture, select in a table or tree; with Ctrl or Shift, select in a picture"],
  ["Esc", "step back: drop the selection, zoom out"],
  ["t", "dark or light"],
  ["?", "this list"],
];

const help = {
  box: element(
    "dialog.help",
    { "aria-label": "Help" },
    element("h2", null, "Keys"),
    element(
      "dl",
      null,
      KEYS.map(([key, what]) => [
        element("dt", null, element("kbd", null, key)),
        element("dd", null, what),
      ]),
    ),
    element("h2", null, "Words"),
    element(
      "dl.words",
      null,
      [
        ["Bytecodes", WORDS.bytecodes],
        ["Moved", WORDS.moved],
        ["Inclusive", "Cost of a method and of all that it calls; recursion counts once"],
        ["Exclusive, own", "Cost of a method's own code"],
        ["Context", WORDS.context],
        ["Induced", WORDS.induced],
        ["<root>", WORDS.root],
        ["Height", WORDS.height],
        ["Distance", WORDS.distance],
        ["Time", WORDS.time],
        ["Rest", "What is too small to be listed or drawn, added up"],
      ].map(([word, what]) => [element("dt", null, word), element("dd", null, what)]),
    ),
    element("form", { method: "dialog" }, element("button", null, "Close")),
  ),

  open() {
    if (this.box.open) return;
    this.box.showModal();
    this.box.querySelector("button").focus();
  },
};
