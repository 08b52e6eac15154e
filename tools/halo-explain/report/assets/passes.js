// The IR after each pass: as a difference to the pass before, or as it is, and the trail of
// an op of the program through all passes.

/** How many equal lines stay around a difference. */
const CONTEXT = 3;

let passView;

async function showPasses(path) {
  passView ??= new PassView(await load(), await part("differences"));
  passView.open(path);
}

class PassView {
  constructor(model, differences) {
    this.model = model;
    this.differences = differences;
    this.step = 0;
    this.isWhole = false;
    this.hits = new Map();
    this.list = element("nav", { class: "list", "aria-label": "Passes" });
    this.main = element("div");
    this.trail = element("div");
    replace(byId("ir-view"), element("div", { class: "ir" }, this.list, element("div", {}, this.trail, this.main)));
    // The first pass that changed something is what one comes for.
    const first = model.record.steps.findIndex((step, number) => number > 0 && step.changed);
    this.step = Math.max(0, first);
  }

  /** `3` is a step, `op/7` the trail of an op, `3/op/7` both. */
  open(path) {
    const { steps, ops } = this.model.record;
    if (!steps.length) {
      replace(this.main, element("p", {}, "No pass was recorded."));
      return;
    }
    const at = path.indexOf("op");
    const op = at >= 0 ? Number(path[at + 1]) : undefined;
    this.op = ops[op] ? op : undefined;
    if (at !== 0 && path.length && steps[Number(path[0])]) this.step = Number(path[0]);
    this.marked = this.op === undefined ? undefined : new Set([this.op]);
    this.drawList();
    this.drawTrail();
    this.drawStep();
  }

  address(step) {
    return this.op === undefined ? `ir/${step}` : `ir/${step}/op/${this.op}`;
  }

  drawList() {
    const { steps } = this.model.record;
    const entries = [];
    let phase;
    steps.forEach((step, number) => {
      if (step.phase !== phase) {
        phase = step.phase;
        const seconds = steps.filter((other) => other.phase === phase).reduce((sum, other) => sum + other.seconds, 0);
        if (phase) entries.push(element("h4", {}, phase, " ", element("span", { class: "quiet" }, duration(seconds))));
      }
      const classes = [step.changed || number === 0 ? "" : "same", this.isMarked(number) ? "marked" : ""];
      const name = passName(step.pass) || "the program as it was read";
      entries.push(
        element(
          "a",
          {
            href: `#${this.address(number)}`,
            class: classes.join(" ").trim(),
            title: `${name}\n${step.changed ? "changed the program" : "changed nothing"}, ${counted(step.ops, "op")} behind it, functions included`,
            "aria-current": number === this.step && "step",
          },
          element("span", { class: "name" }, name.split("{")[0]),
          element("span", { class: "quiet" }, number === 0 ? "" : duration(step.seconds)),
        ),
      );
    });
    const { error } = this.model.record;
    if (error) entries.push(element("p", { class: "error" }, "The compilation failed here: ", error));
    replace(this.list, ...entries);
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  drawStep() {
    const { steps } = this.model.record;
    const step = steps[this.step];
    const changes = this.differences[this.step] ?? [];
    const isFirst = this.step === 0;
    const whole = this.isWhole || isFirst;
    const button = (text, isPressed, onclick) => element("button", { type: "button", "aria-pressed": String(isPressed), onclick }, text);
    const show = (isWhole) => () => {
      this.isWhole = isWhole;
      this.drawStep();
    };
    const next = (direction) => {
      for (let number = this.step + direction; steps[number]; number += direction) {
        if (steps[number].changed || number === 0) return link(this.address(number), direction < 0 ? "← previous change" : "next change →");
      }
      return null;
    };
    replace(
      this.main,
      element("h3", { class: "name" }, passName(step.pass) || "The program as it was read", " ", element("span", { class: "quiet" }, step.phase)),
      element(
        "p",
        { class: "quiet" },
        isFirst ? "" : `${duration(step.seconds)} · `,
        `${counted(step.ops, "op")}, functions included`,
        isFirst ? "" : step.changed ? ` · changed ${counted(changes.length, "function")}` : " · changed nothing",
      ),
      element(
        "p",
        { class: "controls" },
        !isFirst && button("Difference", !whole, show(false)),
        !isFirst && button("All of the IR", whole, show(true)),
        next(-1),
        next(1),
      ),
      element(
        "p",
        { class: "quiet" },
        "Numbers are lines of your program; a click shows them. ",
        !whole && changes.length > 0 && "+ is a new line, − one that is gone, and ~ the same op with other operands. ",
        this.op !== undefined && "● marks passes that changed what the op became.",
      ),
      this.remarks(),
      !step.functions.length && element("p", { class: "note" }, "The IR after this pass is not in this report; the summary says what was left out."),
      whole ? this.wholeFunctions(step) : changes.map((change) => this.difference(change)),
    );
  }

  remarks() {
    const remarks = this.model.record.remarks.filter((remark) => remark.step === this.step);
    if (!remarks.length) return null;
    return element(
      "details",
      {},
      element("summary", {}, counted(remarks.length, "remark")),
      element("ul", { class: "remarks" }, remarks.slice(0, 100).map((remark) => remarkItem(this.model, remark))),
      remarks.length > 100 && element("p", {}, `and ${remarks.length - 100} more, see `, link("decisions", "Decisions")),
    );
  }

  functionName(name) {
    return name === "" ? "outside of functions" : "@" + name;
  }

  wholeFunctions(step) {
    const functions = step.functions.map((number) => this.model.texts.functions[number]).filter(Boolean);
    return functions.map((text, index) => {
      const box = element("details", { class: "function", open: functions.length <= 3 || index === 0 });
      const marked = this.marked && text.origins.some((set) => this.setHas(set));
      box.append(element("summary", {}, element("code", {}, this.functionName(text.name)), ` ${counted(text.lines.length, "line")}`, marked ? " ●" : ""));
      const draw = () => {
        if (box.childElementCount > 1) return;
        const { list, first } = functionLines(this.model, text, this.marked);
        box.append(list.box);
        if (first >= 0) requestAnimationFrame(() => list.show(first));
      };
      if (box.open) draw();
      box.addEventListener("toggle", () => box.open && draw());
      return box;
    });
  }

  /** A function that a pass changed: lines that are gone and that came, in their context. */
  difference({ old, new: made, runs, operands }) {
    const { texts } = this.model;
    const before = texts.functions[old];
    const after = texts.functions[made];
    const others = new Set(operands);
    const entries = [];
    let [from, to] = [0, 0];
    let [gone, came] = [0, 0];
    for (let index = 0; index < runs.length; index += 3) {
      for (let count = 0; count < runs[index]; count++, from++, to++) {
        entries.push({ text: after, at: to, kind: others.has(to) ? "other" : "" });
      }
      for (let count = 0; count < runs[index + 1]; count++, from++) entries.push({ text: before, at: from, kind: "gone" });
      for (let count = 0; count < runs[index + 2]; count++, to++) entries.push({ text: after, at: to, kind: "came" });
      gone += runs[index + 1];
      came += runs[index + 2];
    }
    const what = before === undefined ? "new" : after === undefined ? "gone" : "";
    const list = new Lines("Difference");
    this.setEntries(list, entries, this.folded(entries));
    return element(
      "div",
      { class: "function" },
      element(
        "p",
        {},
        element("code", {}, this.functionName((after ?? before)?.name ?? "")),
        what && element("strong", {}, what),
        element(
          "span",
          { class: "quiet" },
          gone || came || others.size
            ? `${counted(gone, "line")} gone, ${came} came, ${others.size} with other operands`
            : "only names of values changed",
        ),
      ),
      list.box,
    );
  }

  /** Entries to show: numbers of entries, and ranges of equal ones that are folded. */
  folded(entries) {
    const near = new Uint8Array(entries.length);
    entries.forEach(({ kind, text, at }, index) => {
      if (!kind && !(this.marked && this.setHas(text.origins[at]))) return;
      for (let other = Math.max(0, index - CONTEXT); other <= Math.min(entries.length - 1, index + CONTEXT); other++) near[other] = 1;
    });
    const shown = [];
    for (let index = 0; index < entries.length; ) {
      if (near[index]) {
        shown.push(index++);
        continue;
      }
      const start = index;
      while (index < entries.length && !near[index]) index++;
      if (index - start <= 2) for (let it = start; it < index; it++) shown.push(it);
      else shown.push([start, index]);
    }
    return shown;
  }

  setEntries(list, entries, shown) {
    const { lines } = this.model.texts;
    const signs = { gone: "−", came: "+", other: "~", "": " " };
    const textOf = ({ text, at }) => lines[text.lines[at]] ?? "";
    let widest = 40;
    for (const it of shown) if (!Array.isArray(it)) widest = Math.max(widest, textOf(entries[it]).length);
    list.set(shown.length, widest + 14, (row) => {
      const it = shown[row];
      if (Array.isArray(it)) {
        const open = () => {
          const opened = Array.from({ length: it[1] - it[0] }, (_, index) => it[0] + index);
          this.setEntries(list, entries, [...shown.slice(0, row), ...opened, ...shown.slice(row + 1)]);
        };
        const fold = element("div", { class: "line fold-line", role: "button", tabindex: 0 }, `        ⋯ ${it[1] - it[0]} equal lines`);
        activate(fold, open);
        return fold;
      }
      const entry = entries[it];
      const set = entry.text.origins[entry.at];
      const ops = this.model.texts.origins[set] ?? [];
      const isMarked = this.marked && this.setHas(set);
      return element(
        "div",
        {
          class: `line ${entry.kind}${isMarked ? " marked" : ""}`,
          title: entry.kind === "other" ? "the same op, with other operands" : undefined,
        },
        sourceLink(this.model, ops),
        element("span", { class: "sign" }, signs[entry.kind]),
        ...colored(textOf(entry)),
      );
    });
  }

  /** Whether a set of ops has the op whose trail is shown. */
  setHas(set) {
    return this.model.texts.origins[set]?.includes(this.op) ?? false;
  }

  /** The lines of a function that were made of the op. */
  linesOf(number) {
    const key = `${this.op} ${number}`;
    if (!this.hits.has(key)) {
      const text = this.model.texts.functions[number];
      const found = [];
      text?.origins.forEach((set, at) => set !== 0 && this.setHas(set) && found.push(text.lines[at]));
      this.hits.set(key, found);
    }
    return this.hits.get(key);
  }

  /** Whether a step changed the lines that were made of the op. */
  isMarked(number) {
    if (this.op === undefined) return false;
    const { steps } = this.model.record;
    return number === 0 || this.shape(steps[number]) !== this.shape(steps[number - 1]);
  }

  /** The lines of the op without the names of values, which new numbers change. */
  shape(step) {
    const { lines } = this.model.texts;
    const found = step.functions.flatMap((number) => this.linesOf(number));
    return found.map((line) => (lines[line] ?? "").trim().replace(/%[\w$.-]+/g, "%")).join("\n");
  }

  drawTrail() {
    if (this.op === undefined) {
      replace(this.trail);
      return;
    }
    const { record, texts, source } = this.model;
    const op = record.ops[this.op];
    const entries = [];
    let same = 0;
    record.steps.forEach((step, number) => {
      if (!step.functions.length) return;
      if (!this.isMarked(number)) {
        same += 1;
        return;
      }
      if (same) entries.push(element("li", { class: "quiet" }, `${counted(same, "pass")}`.replace("passs", "passes") + " left it as it was"));
      same = 0;
      const found = step.functions.flatMap((it) => this.linesOf(it));
      entries.push(
        element(
          "li",
          {},
          link(this.address(number), passName(step.pass) || "as it was read"),
          " ",
          element("span", { class: "quiet" }, step.phase, found.length > 1 ? ` · ${found.length} lines` : ""),
          found.length
            ? found.slice(0, 3).map((line) => element("code", {}, ...colored((texts.lines[line] ?? "").trim())))
            : element("p", { class: "quiet" }, "no line is made of it any more"),
          found.length > 3 && element("span", { class: "quiet" }, `and ${found.length - 3} more lines`),
        ),
      );
    });
    if (same) entries.push(element("li", { class: "quiet" }, `${counted(same, "pass")}`.replace("passs", "passes") + " left it as it was"));
    const rows = this.model.rowsOfOp(this.op);
    const equal = this.model.merged[this.op];
    const line = op.line > 0 ? (source[op.line - 1] ?? "").trim() : "";
    replace(
      this.trail,
      element(
        "div",
        { class: "trail" },
        element("p", {}, "What became of ", element("strong", {}, shortName(op.name)), " of ", placeOfOp(this.model, this.op), " · ", link(`ir/${this.step}`, "close")),
        line && element("p", {}, element("code", {}, ...colored(line))),
        element("ol", {}, entries),
        element(
          "p",
          {},
          rows.length ? "It ended in " : equal ? ["It is equal to ", equal.map((it, index) => [index ? ", " : "", equalTo(this.model, it)]), "."] : (this.model.withoutCode[this.op] ?? "No kernel computes it."),
          rows.map((row, index) => [index ? ", " : "", link(`kernel/${row}`, this.model.rows[row].name)]),
        ),
      ),
    );
  }
}
