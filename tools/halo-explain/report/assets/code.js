// Colors for MLIR, LLVM's assembly and PTX. A line is cut into words of a few kinds; what is
// none of them stays as it is.

const MLIR = new RegExp(
  [
    '(?<text>"(?:[^"\\\\]|\\\\.)*")',
    "(?<comment>//.*)",
    "(?<value>%[\\w$.-]+(?:#\\d+)?)",
    "(?<symbol>[@^][\\w$.-]+)",
    "(?<attribute>#[\\w$.]+)",
    "(?<type>!?\\b(?:tensor|memref|vector|complex)\\b|\\b(?:[fiu]|bf|si|ui|f8E\\w)\\d+\\b|\\bindex\\b)",
    "(?<op>\\b[a-z_]\\w*(?:\\.\\w+)+)",
    "(?<number>\\b-?\\d[\\w.+-]*)",
  ].join("|"),
  "g",
);

const ASSEMBLY = new RegExp(
  [
    "(?<comment>(?:#|//|;).*)",
    "(?<symbol>^[\\w.$]+:)",
    "(?<attribute>^\\s+\\.[\\w]+.*)",
    "(?<op>^\\s+[a-z][\\w.]*)",
    "(?<value>%[\\w]+)",
    "(?<number>\\$?-?\\b(?:0x[\\da-fA-F]+|\\d+)\\b)",
  ].join("|"),
  "g",
);

/** A line as texts and colored elements. */
function colored(line, language = MLIR) {
  const found = [];
  let last = 0;
  for (const match of line.matchAll(language)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    if (match.index > last) found.push(line.slice(last, match.index));
    found.push(element("span", { class: "c-" + kind }, match[0]));
    last = match.index + match[0].length;
  }
  if (last < line.length) found.push(line.slice(last));
  return found;
}

/**
 * A list of lines that is as long as it is and has only what is seen as elements, so that
 * texts of any length scroll. `make(index)` returns the element of a line; all have the same
 * height.
 */
class Lines {
  constructor(label) {
    this.inner = element("div", { class: "lines" });
    this.box = element("div", { class: "code", tabindex: 0, role: "region", "aria-label": label }, this.inner);
    this.count = 0;
    this.make = () => element("div");
    this.shown = [0, 0];
    this.box.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  /** The height of a line in pixels, as the style has it. */
  get pitch() {
    return 18;
  }

  set(count, widest, make) {
    this.count = count;
    this.make = make;
    this.inner.style.height = `${count * this.pitch + 8}px`;
    this.inner.style.minWidth = `${Math.min(widest, 2000) + 10}ch`;
    this.box.style.height = `${Math.min(count * this.pitch + 26, 4000)}px`;
    this.shown = [0, 0];
    this.draw(true);
  }

  draw(isForced = false) {
    const { scrollTop, clientHeight } = this.box;
    const first = Math.max(0, Math.floor(scrollTop / this.pitch) - 30);
    const last = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / this.pitch) + 30);
    if (!isForced && first >= this.shown[0] && last <= this.shown[1] && this.shown[1] > 0) {
      if (first - this.shown[0] < 200 && this.shown[1] - last < 200) return;
    }
    const from = Math.max(0, first - 60);
    const to = Math.min(this.count, last + 60);
    this.shown = [from, to];
    const lines = [];
    for (let number = from; number < to; number++) {
      const line = this.make(number);
      line.style.top = `${number * this.pitch}px`;
      lines.push(line);
    }
    replace(this.inner, ...lines);
  }

  /** Scrolls so that a line is seen. */
  show(number) {
    const { clientHeight } = this.box;
    this.box.scrollTop = Math.max(0, number * this.pitch - clientHeight / 3);
    this.draw(true);
  }
}

/** The text of a function with links to the program; lines made of `marked` ops stand out. */
function functionLines(model, text, marked) {
  const { lines, origins } = model.texts;
  const all = text.lines.map((line) => lines[line] ?? "");
  const list = new Lines("IR");
  const marks = text.origins.map((set) => Boolean(marked && (origins[set] ?? []).some((op) => marked.has(op))));
  list.set(all.length, Math.max(0, ...all.map((line) => line.length)) + 12, (number) => {
    const ops = origins[text.origins[number]] ?? [];
    return element(
      "div",
      { class: "line" + (marks[number] ? " marked" : "") },
      sourceLink(model, ops),
      ...colored(all[number]),
    );
  });
  return { list, first: marks.indexOf(true) };
}

/** The number of the line of the program that a line of IR was made of. */
function sourceLink(model, ops) {
  const lines = [...new Set(ops.map((op) => model.record.ops[op]?.line ?? 0).filter((line) => line > 0))];
  if (!lines.length) return element("span", { class: "from" });
  const more = lines.length > 1 ? "+" : "";
  const title = ops.slice(0, 12).map((op) => {
    const { name, location } = model.record.ops[op];
    return `${shortName(name)} ${shortPlace(model, location)}`;
  });
  return element("a", { class: "from", href: `#source/${lines[0]}`, title: title.join("\n") }, lines[0] + more);
}
