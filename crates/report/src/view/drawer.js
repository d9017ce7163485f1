// A drawer over the right side of a picture: what its colours mean, and figures of
// the context that the keys have reached. It is closed until the reader opens it.

class Drawer {
  constructor(content) {
    this.opener = element(
      "button",
      { id: "drawer", type: "button", "aria-controls": "details", onclick: () => this.turn(!this.isOpen) },
      "Colours and details",
    );
    this.box = element(
      "aside.drawer",
      { id: "details", "aria-label": "Colours and details", onkeydown: (event) => this.key(event) },
      element(
        "button.icon",
        { type: "button", title: "Close (Esc)", "aria-label": "Close the drawer", onclick: () => this.turn(false) },
        "×",
      ),
      content,
    );
    this.show(remembered("drawer", "closed") === "open");
  }

  get isOpen() {
    return !this.box.hidden;
  }

  turn(open) {
    remember("drawer", open ? "open" : "closed");
    this.show(open);
    if (!open) this.opener.focus();
  }

  show(open) {
    this.box.hidden = !open;
    this.opener.setAttribute("aria-expanded", String(open));
  }

  key(event) {
    if (event.key !== "Escape") return;
    this.turn(false);
    event.stopPropagation();
  }
}
