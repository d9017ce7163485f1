// Lines of source open in an editor, if the reader asks for it: which editor, and the
// folder that the sources lie in, are kept in this browser only.

const EDITORS = {
  off: "no editor",
  vscode: "VS Code",
  idea: "IntelliJ IDEA",
};

/** The address that opens a line in the chosen editor; null for none. */
function editorAddress(file, line) {
  const editor = remembered("editor", "off");
  const folder = remembered("editor-folder", "").replace(/[\\/]+$/, "");
  if (!(editor in EDITORS) || editor === "off") return null;
  // Slashes stay as they are; all else that has a meaning in addresses does not.
  const encoded = (path) => path.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  const isWhole = /^(\/|[A-Za-z]:)/.test(file);
  if (!isWhole && folder === "") return null;
  const path = encoded(isWhole ? file : `${folder}/${file}`).replace(/^([A-Za-z])%3A/, "$1:");
  const rooted = path.startsWith("/") ? path : `/${path}`;
  return editor === "vscode" ? `vscode://file${rooted}:${line}` : `idea://open?file=${rooted}&line=${line}`;
}

/** A line's number, which opens it in the editor if there is one. */
function lineNumber(file, line) {
  const address = editorAddress(file, line);
  if (address === null) return line;
  return element("a", { href: address, title: `Open line ${line} in ${EDITORS[remembered("editor", "off")]}` }, line);
}

/** The setting; `changed` is called when it is another one. */
function editorSetting(changed) {
  const editor = remembered("editor", "off");
  const folder = element("input", {
    type: "text",
    id: "editor-folder",
    value: remembered("editor-folder", ""),
    placeholder: "/home/me/project/src/main/java",
    spellcheck: "false",
    onchange: () => {
      remember("editor-folder", folder.value.trim());
      changed();
    },
  });
  const chooser = element(
    "select",
    {
      id: "editor",
      onchange: () => {
        remember("editor", chooser.value);
        changed();
      },
    },
    Object.entries(EDITORS).map(([value, text]) => element("option", { value, selected: value === editor }, text)),
  );
  return element(
    "p.controls.of-picture.editor",
    null,
    element("label", null, element("span", null, "Lines open in "), chooser),
    editor !== "off" && element("label", null, element("span", null, "Folder of the sources "), folder),
  );
}
