// What the keys do.

const KEYS = [
  ["/", "search a method"],
  ["1 … 9", "go to a view"],
  ["↑ ↓", "walk through a table, or to callers and callees in a picture"],
  ["← →", "walk to the neighbours in a picture"],
  ["n p", "next and previous occurrence of the selected method in a picture"],
  ["Enter", "open what is marked"],
  ["Space", "zoom into what is marked in a picture"],
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
        [
          "Induced",
          "cost of a method and of all below it up to the next subsuming methods; over all subsuming methods it adds up to the whole run",
        ],
        ["Inclusive", "cost of a method and of all that it calls; recursion counts once"],
        ["Exclusive", "cost of a method's own code"],
        ["Context", "a stack of calls; the same method called on two stacks has two contexts"],
        ["Height", "longest way down from a method to a leaf"],
        ["Distance", "calls to the nearest method that is always among its callers"],
        ["Rest", "what is too small to be listed or drawn, added up"],
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
