// Elements are made by functions, and texts are set as text, never as markup: they come from
// programs.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; `on...` are listeners, undefined is left out. */
function element(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An element of SVG. */
function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...flat(children));
  return node;
}

/** Children without what is undefined, null or false. */
function flat(children) {
  return children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);
}

/** Gives an element other children. */
function replace(node, ...children) {
  node.replaceChildren(...flat(children));
}

/** A link within the report. */
function link(hash, ...children) {
  return element("a", { href: "#" + hash }, ...children);
}

const byId = (id) => document.getElementById(id);

/** The name of an op without its dialect, if that is StableHLO. */
const shortName = (name) => name.replace(/^stablehlo\./, "");

/** A pass without the ops that it runs on: `func.func(cse)` is `cse`. */
function passName(name) {
  const inner = /^[\w.]+\((.*)\)$/.exec(name);
  return inner ? passName(inner[1]) : name;
}

/** A place, of which the folder of the program is left out. */
function shortPlace({ record }, place) {
  if (!place.startsWith(record.program + ":")) return place;
  return record.program.split("/").at(-1) + place.slice(record.program.length);
}

/** A number of bytes with a unit, as the summary has it. */
function size(bytes) {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(2)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(2)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/** A time in seconds with a unit. */
function duration(seconds) {
  if (seconds < 1e-3) return `${(seconds * 1e6).toFixed(2)} us`;
  if (seconds < 1) return `${(seconds * 1e3).toFixed(3)} ms`;
  return `${seconds.toFixed(3)} s`;
}

/** A part of a whole in percent. */
const percent = (part) => `${(part * 100).toFixed(1)}%`;

const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Calls a function when no key was pressed for a moment. */
function debounced(action) {
  let timer;
  return (...parts) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...parts), 120);
  };
}
