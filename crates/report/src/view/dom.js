// Elements. Text only ever gets into the page as text, never as HTML: a class
// may be called anything.

/**
 * Makes an element: `element("td.number", { title: "exact" }, "1,234")`.
 * Attributes whose names begin with "on" are listeners; `false`, `null` and
 * `undefined` leave an attribute or a child out.
 */
function element(kind, attributes, ...children) {
  const [tag, ...classes] = kind.split(".");
  return filled(document.createElement(tag), classes, attributes, children);
}

/** Makes an element of a drawing, with attributes and children in the same form. */
function drawn(tag, attributes, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), [], attributes, children);
}

function filled(made, classes, attributes, children) {
  if (classes.length > 0) made.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  put(made, children);
  return made;
}

/** Replaces what is in an element. */
function fill(target, ...children) {
  target.replaceChildren();
  put(target, children);
  return target;
}

function put(target, children) {
  for (const child of children.flat(Infinity)) {
    if (child === false || child === null || child === undefined) continue;
    target.append(child instanceof Node ? child : String(child));
  }
}
