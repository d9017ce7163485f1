// The search box: methods by their names, those that cost most first.

/** Methods that the box offers. */
const OFFERED = 12;

class Search {
  constructor(profileNow) {
    this.profileNow = profileNow;
    this.at = 0;
    this.list = element("ul", { role: "listbox", id: "offers", hidden: true, "aria-label": "Methods" });
    this.note = element("p.quiet");
    this.offers = element("div.offers", { hidden: true }, this.list, this.note);
    this.input = element("input", {
      type: "search",
      id: "search",
      placeholder: "Search methods: parse, demo.*, /regex/",
      title: PATTERN_HINT,
      "aria-label": "Search methods by a part of a name, a pattern or a regular expression",
      autocomplete: "off",
      spellcheck: "false",
      role: "combobox",
      "aria-controls": "offers",
      "aria-expanded": "false",
      oninput: () => this.offer(),
      onfocus: () => this.offer(),
      onkeydown: (event) => this.key(event),
      onblur: () => setTimeout(() => this.close(), 150),
    });
    this.box = element(
      "div.search",
      { role: "search" },
      this.input,
      element("kbd", { "aria-hidden": "true" }, "/"),
      this.offers,
    );
  }

  offer() {
    const profile = this.profileNow();
    const text = this.input.value.trim();
    if (text === "") {
      this.close();
      return;
    }
    // Methods are in the order of their inclusive cost.
    const all = [...foundMethods(profile, text)];
    const { problem } = namePattern(text);
    const found = all.slice(0, OFFERED);
    const more = all.length - found.length;
    const own = all.reduce((sum, method) => sum + Number(profile.methods.exclusive[method]), 0);
    this.found = found;
    this.words = text;
    // Behind the methods stands what marks them all.
    this.choices = found.length + (all.length > 1 ? 1 : 0);
    this.at = 0;
    fill(
      this.list,
      found.map((method) =>
        element(
          "li",
          { role: "option", onpointerdown: () => this.take(method) },
          element("span.name", null, profile.nameOf(method)),
          element(
            "span.number",
            null,
            percent(Number(profile.methods.inclusive[method]), profile.total),
          ),
        ),
      ),
      all.length > 1 &&
        element(
          "li.all",
          { role: "option", id: "mark-all", onpointerdown: () => this.mark() },
          element("span.name", null, `Mark all ${counted(all.length, "method")} in the picture`),
          element("span.number", null, `${percent(own, profile.total)} by themselves`),
        ),
    );
    const none = problem ? `${problem}. ` : "No method has such a name. ";
    const rest = more > 0 ? `rest: ${counted(more, "method")} that cost less. ` : "";
    fill(this.note, found.length === 0 ? none : rest, PATTERN_NOTE);
    this.list.hidden = found.length === 0;
    this.offers.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.show();
  }

  show() {
    [...this.list.children].forEach((line, number) => {
      line.id ||= `offer-${number}`;
      line.setAttribute("aria-selected", number === this.at && number < this.choices);
    });
    if (this.choices > 0) this.input.setAttribute("aria-activedescendant", this.list.children[this.at].id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  key(event) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const number = this.choices ?? 0;
      if (number > 0) this.at = (this.at + (event.key === "ArrowDown" ? 1 : number - 1)) % number;
      this.show();
    } else if (event.key === "Enter") {
      if (this.choices > 0 && !this.offers.hidden) {
        if (this.at < this.found.length) this.take(this.found[this.at]);
        else this.mark();
      }
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.close();
      this.input.blur();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Selects a method: where there is a picture or a table, there; else on its page. */
  take(method) {
    const stays = ["ring", "flame", "inverted", "tree", "methods", "method", "source"].includes(place.view);
    go({ method, view: stays ? place.view : "method" });
    this.done();
  }

  /** Marks all methods that have the text in their names, in a picture. */
  mark() {
    const stays = ["ring", "flame", "inverted"].includes(place.view);
    go({ find: this.words, method: null, view: stays ? place.view : "flame" });
    this.done();
  }

  done() {
    this.input.value = "";
    this.close();
    this.input.blur();
  }

  close() {
    this.offers.hidden = true;
    this.input.removeAttribute("aria-activedescendant");
    this.input.setAttribute("aria-expanded", "false");
  }
}
