// Dark and light: what the system says, until somebody says otherwise.

const THEMES = ["system", "light", "dark"];

const theme = {
  /** What was chosen: "system", "light" or "dark". */
  chosen: remembered("theme", "system"),

  /** Paper is white. */
  printing: false,

  /** Whether colours are dark now. */
  get dark() {
    if (this.printing) return false;
    if (this.chosen !== "system") return this.chosen === "dark";
    return matchMedia("(prefers-color-scheme: dark)").matches;
  },

  choose(name) {
    this.chosen = THEMES.includes(name) ? name : "system";
    remember("theme", this.chosen);
    this.show();
  },

  next() {
    this.choose(this.dark ? "light" : "dark");
  },

  /** Canvases cannot use style sheets' colours, so they are told. */
  show() {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    dispatchEvent(new Event("themechange"));
  },
};

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => theme.show());

for (const [event, printing] of [
  ["beforeprint", true],
  ["afterprint", false],
]) {
  addEventListener(event, () => {
    theme.printing = printing;
    theme.show();
  });
}

/** A setting of the reader's. Files opened from disk may have no storage. */
function remembered(name, otherwise) {
  try {
    return localStorage.getItem(`subsume.${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(`subsume.${name}`, value);
  } catch {
    // Then it holds until the page is closed.
  }
}
